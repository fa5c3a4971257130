//===- account_page.cpp - docs/reference/account.tsv -------------------------===//
//
// One line for each rule of the PTO communication ISA. Not Markdown, since it is long and read by
// programs too; the first line names the columns.
//
//===----------------------------------------------------------------------===//
#include "pages/pages.h"

#include "diag/account.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

std::string accountTest(const AccountRow &row) {
  if (!row.test.empty())
    return ("tests/golden/" + row.test).str();
  if (row.place != AccountPlace::Rule)
    return "";
  for (Rule rule : rulesNaming(row.id))
    if (llvm::StringRef name = ruleProgramName(rule, true); !name.empty())
      return ("tests/golden/rules/" + name).str();
  return "";
}

std::string accountPage() {
  std::string text = "id\twhere\trules\ttest\tnote\n";
  llvm::raw_string_ostream out(text);
  for (const AccountRow &row : account()) {
    out << "PTO-" << row.id << '\t' << placeText(row) << '\t';
    if (row.place == AccountPlace::Rule)
      llvm::interleaveComma(rulesNaming(row.id), out, [&](Rule rule) { out << info(rule).slug; });
    out << '\t' << accountTest(row) << '\t' << row.note << '\n';
  }
  return text;
}

} // namespace pto
