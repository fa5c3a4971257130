//===- reports_test.cpp - tests/audit/README.md and the programs it names -----===//
//
// The page lists the public reports B1 to B145 of one inventory, 97 of them, and the pitfalls P01
// to P56. None is left out, and no program is left unnamed.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <set>

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "tests/audit/";

using Cells = llvm::SmallVector<llvm::StringRef>;

/// The rows of the page's tables whose first cell is a letter and a number, or several.
static std::vector<Cells> rowsOf(const SourceFile &page, char letter) {
  std::vector<Cells> rows;
  for (llvm::StringRef line : page.lines()) {
    Cells cells;
    line.split(cells, '|');
    if (cells.size() > 3 && cells[1].starts_with(std::string(" ") + letter) &&
        llvm::isDigit(cells[1][2]))
      rows.push_back(std::move(cells));
  }
  return rows;
}

/// Paths in `[name](path)`, from the page's folder.
static std::set<std::string> linksOf(llvm::StringRef text) {
  std::set<std::string> links;
  for (size_t at = text.find("]("); at != llvm::StringRef::npos; at = text.find("](")) {
    text = text.drop_front(at + 2);
    links.insert(text.take_until([](char c) { return c == ')'; }).str());
  }
  return links;
}

/// 45, 46 of "P45, P46", 40 to 42 of "P40 to P42".
static std::set<unsigned> numbersOf(llvm::StringRef cell) {
  std::set<unsigned> numbers;
  bool isRange = cell.contains(" to ");
  for (llvm::StringRef rest = cell; !rest.empty();) {
    rest = rest.drop_until(llvm::isDigit);
    unsigned number = 0;
    if (rest.consumeInteger(10, number))
      break;
    for (unsigned n = isRange && !numbers.empty() ? *numbers.rbegin() + 1 : number; n <= number;
         ++n)
      numbers.insert(n);
  }
  return numbers;
}

TEST(Reports, EachOfThemHasItsProgram) {
  std::set<unsigned> reports;
  for (const Cells &row : rowsOf(readSource("tests/audit/README.md"), 'B')) {
    std::set<unsigned> numbers = numbersOf(row[1]);
    ASSERT_EQ(numbers.size(), 1u) << row[1].str();
    reports.insert(*numbers.begin());
    std::set<std::string> links = linksOf(row[2]);
    ASSERT_EQ(links.size(), 1u) << row[1].str() << "has no program";
    std::string own = "/" + row[1].trim().lower() + "-";
    EXPECT_NE(links.begin()->find(own), std::string::npos)
        << row[1].str() << "names " << *links.begin();
  }
  EXPECT_EQ(reports.size(), 97u);
}

TEST(Reports, EveryPitfallHasARow) {
  std::set<unsigned> pitfalls;
  for (const Cells &row : rowsOf(readSource("tests/audit/README.md"), 'P'))
    for (unsigned number : numbersOf(row[1]))
      EXPECT_TRUE(pitfalls.insert(number).second) << "P" << number << " has two rows";
  for (unsigned number = 1; number <= 56; ++number)
    EXPECT_TRUE(pitfalls.count(number)) << "P" << number << " has no row";
  EXPECT_EQ(pitfalls.size(), 56u);
}

TEST(Reports, ThePageNamesWhatIsThere) {
  std::set<std::string> links = linksOf(readSource("tests/audit/README.md").text), programs;
  for (const SourceFile &file : readTree({"tests/audit"}, {".pto"}))
    programs.insert(file.path.substr(kFolder.size()));
  for (const std::string &program : programs)
    EXPECT_TRUE(links.count(program)) << "the page does not name " << program;
  for (const std::string &link : links)
    EXPECT_TRUE(!llvm::StringRef(link).ends_with(".pto") || programs.count(link))
        << "there is no " << link;
}

} // namespace pto::test
