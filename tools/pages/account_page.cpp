//===- account_page.cpp - docs/reference/account.tsv -------------------------===//
//
// One line for each rule of the PTO communication ISA, then one for each rule of SHMEM and of HIXL.
// Not Markdown, since it is long and read by programs too; the first line names the columns.
//
//===----------------------------------------------------------------------===//
#include "pages/pages.h"

#include "diag/account.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

std::string accountTest(const AccountRow &row) {
  if (!row.test.empty())
    return ((row.set == RuleSet::Isa ? "tests/golden/" : "tests/") + row.test).str();
  for (Rule rule : rulesOf(row))
    if (llvm::StringRef name = ruleProgramName(rule, true); !name.empty())
      return ("tests/golden/rules/" + name).str();
  return "";
}

static void printRows(llvm::raw_ostream &out, llvm::StringRef prefix,
                      llvm::ArrayRef<AccountRow> rows) {
  for (const AccountRow &row : rows) {
    out << prefix << row.id << '\t' << placeText(row) << '\t';
    llvm::interleaveComma(rulesOf(row), out, [&](Rule rule) { out << info(rule).slug; });
    out << '\t' << accountTest(row) << '\t' << row.note << '\n';
  }
}

std::string accountPage() {
  std::string text = "id\twhere\trules\ttest\tnote\n";
  llvm::raw_string_ostream out(text);
  printRows(out, "PTO-", account());
  printRows(out, "", shmemAccount());
  printRows(out, "", hixlAccount());
  return text;
}

} // namespace pto
