//===- hixl_page.cpp - what pto knows of HIXL, by its own tables --------------===//

#include "pages/pages.h"

#include "hixl/states.h"
#include "hixl_model/rate.h"

#include "llvm/Support/raw_ostream.h"

namespace pto {

/// States first: they are what most come for.
static std::vector<HixlTable> allTables() {
  std::vector<HixlTable> tables(hixlStateTables());
  tables.insert(tables.end(), hixlTables().begin(), hixlTables().end());
  tables.push_back({llvm::StringLiteral("rates"), writeHixlRates});
  return tables;
}

std::vector<llvm::StringRef> hixlTopics() {
  std::vector<llvm::StringRef> names;
  for (const HixlTable &table : allTables())
    names.push_back(table.name);
  return names;
}

std::string hixlText(llvm::StringRef topic) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const HixlTable &table : allTables())
    if (table.name == topic)
      table.write(out);
  return text;
}

std::string hixlPage(llvm::StringRef note) {
  std::string text =
      "# HIXL\n\n" + note.str() + "`pto hixl` prints it, `pto hixl states` a part of it.\n";
  for (llvm::StringRef topic : hixlTopics())
    text += ("\n## " + topic + "\n\n```text\n" + hixlText(topic) + "```\n").str();
  return text;
}

} // namespace pto
