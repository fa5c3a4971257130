//===- account_hixl_test.cpp - each rule of HIXL is held somewhere ------------===//
//
// account_hixl.def has a row for each rule of the reference; hixl/misuse.def says under which rule
// a run reports it. What is to be held is: the ids are complete, the two tables agree, and each row
// that claims to be decided has a test that expects what it claims. That these tests pass is held
// by library_test.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "diag/account.h"
#include "hixl/misuse.h"
#include "hixl/states.h"
#include "pages/pages.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

namespace pto::test {

/// The rules of HIXL: families in the order of its reference, each numbered from 1 on.
struct Family {
  llvm::StringLiteral name;
  unsigned rules;
};
static constexpr Family kFamilies[] = {{"OPT", 38}, {"PLAT", 11}, {"ENG", 16},
                                       {"MEM", 20}, {"CON", 19},  {"XFER", 24},
                                       {"REQ", 13}, {"NTF", 11},  {"POOL", 7}};
static constexpr size_t kRulesOfHixl = 159;

TEST(HixlAccount, HasEveryRuleOnce) {
  std::vector<std::string> wanted, got;
  for (const Family &family : kFamilies)
    for (unsigned i = 1; i <= family.rules; ++i)
      wanted.push_back(("HX-" + family.name + (i < 10 ? "-0" : "-") + std::to_string(i)).str());
  for (const AccountRow &row : hixlAccount())
    got.push_back(row.id.str());
  EXPECT_EQ(wanted.size(), kRulesOfHixl);
  EXPECT_EQ(got, wanted);
}

TEST(HixlAccount, NamesRulesThatExistOrSaysWhy) {
  for (const AccountRow &row : hixlAccount()) {
    llvm::SmallVector<llvm::StringRef> slugs = namesIn(row.slugs);
    EXPECT_EQ(slugs.empty(), !row.isDecided()) << row.id.str();
    for (llvm::StringRef slug : slugs)
      EXPECT_TRUE(ruleBySlug(slug)) << row.id.str() << ": there is no rule " << slug.str();
    if (!row.isDecided())
      EXPECT_FALSE(row.note.empty()) << row.id.str() << " needs a note";
    EXPECT_NE(placeText(row), "open") << row.id.str();
  }
}

/// What a run raises under an id is reported by a rule of the id's row.
TEST(HixlAccount, AgreesWithTheMisuses) {
  for (const AccountRow &row : hixlAccount())
    for (const HixlCaseInfo &which : hixlCases())
      if (which.account == row.id && row.isDecided())
        EXPECT_TRUE(llvm::is_contained(rulesOf(row), hixlRule(row.id, false)))
            << row.id.str() << " is reported as " << info(hixlRule(row.id, false)).slug.str();
}

/// The text of the test of that name, up to the line that closes it; empty if there is none.
static llvm::StringRef testNamed(llvm::StringRef text, llvm::StringRef title) {
  size_t at = text.find(("\ntest " + title + " ").str());
  return at == llvm::StringRef::npos ? "" : text.drop_front(at + 1).split("\n}\n").first;
}

/// A test that expects one of the row's rules.
static void expectTest(const AccountRow &row, llvm::StringRef body) {
  EXPECT_TRUE(llvm::any_of(namesIn(row.slugs),
                           [&](llvm::StringRef slug) {
                             return body.contains(("expect violation(" + slug + ");").str());
                           }))
      << row.id.str() << ": the test expects none of " << row.slugs.str();
}

TEST(HixlAccount, EveryRowThatIsHeldIsShown) {
  for (const AccountRow &row : hixlAccount()) {
    std::string test = accountTest(row);
    EXPECT_TRUE(!test.empty() || !row.isDecided()) << row.id.str() << " needs a test";
    if (test.empty())
      continue;
    auto [path, title] = llvm::StringRef(test).split(' ');
    SourceFile program = readSource(path);
    if (path.starts_with("tests/unit/")) { // What no program of a test's size can do.
      EXPECT_TRUE(llvm::StringRef(program.text).contains(title.trim('"')) &&
                  llvm::StringRef(program.text).contains(row.id))
          << row.id.str() << ": " << test;
      continue;
    }
    EXPECT_TRUE(path.starts_with("tests/hixl/")) << row.id.str() << ": nobody runs " << test;
    llvm::StringRef body = testNamed(program.text, title);
    EXPECT_FALSE(body.empty()) << row.id.str() << ": there is no " << test;
    if (row.isDecided())
      expectTest(row, body);
  }
}

} // namespace pto::test
