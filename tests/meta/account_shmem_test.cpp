//===- account_shmem_test.cpp - each rule of SHMEM is held somewhere ----------===//
//
// account_shmem.def has a row for each rule and names the rules of pto that decide it. What is to
// be held is: the ids are complete, sources of rule.def agree, and each row that claims to be
// decided has a test which expects what it claims. That these tests pass is held by library_test.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "diag/account.h"
#include "pages/pages.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <map>

namespace pto::test {

/// The rules of SHMEM: families in the order of its reference, each numbered from 1 on.
struct Family {
  llvm::StringLiteral name;
  unsigned rules;
};
static constexpr Family kFamilies[] = {{"ATM", 17}, {"RED", 15},  {"AMO", 16},  {"RMA", 18},
                                       {"UB", 12},  {"SIG", 20},  {"BAR", 20},  {"MEM", 9},
                                       {"TEAM", 4}, {"HOST", 10}, {"TILE", 10}, {"SDM", 5},
                                       {"UDM", 6},  {"RDM", 5},   {"SIMT", 1}};
static constexpr size_t kRulesOfShmem = 168;

TEST(ShmemAccount, HasEveryRuleOnce) {
  std::vector<std::string> wanted, got;
  for (const Family &family : kFamilies)
    for (unsigned i = 1; i <= family.rules; ++i)
      wanted.push_back((family.name + (i < 10 ? "-0" : "-") + std::to_string(i)).str());
  for (const AccountRow &row : shmemAccount())
    got.push_back(row.id.str());
  EXPECT_EQ(wanted.size(), kRulesOfShmem);
  EXPECT_EQ(got, wanted);
}

TEST(ShmemAccount, NamesRulesThatExist) {
  for (const AccountRow &row : shmemAccount()) {
    llvm::SmallVector<llvm::StringRef> slugs = namesIn(row.slugs);
    EXPECT_EQ(slugs.empty(), !row.isDecided()) << row.id.str();
    for (llvm::StringRef slug : slugs) {
      std::optional<Rule> rule = ruleBySlug(slug);
      EXPECT_TRUE(rule) << row.id.str() << ": there is no rule " << slug.str();
      if (rule && row.place == AccountPlace::Lint)
        EXPECT_TRUE(info(*rule).severity == Severity::Advice) << row.id.str() << ": " << slug.str();
    }
  }
}

TEST(ShmemAccount, AgreesWithTheSourcesOfTheRules) {
  std::map<std::string, const AccountRow *> rows;
  for (const AccountRow &row : shmemAccount())
    rows[row.id.str()] = &row;
  for (const RuleInfo &rule : rules())
    for (llvm::StringRef id : idsNamedIn(rule.source, RuleSet::Shmem)) {
      const AccountRow *row = rows[id.str()];
      EXPECT_TRUE(row && llvm::is_contained(namesIn(row->slugs), rule.slug))
          << rule.slug.str() << " names " << id.str() << ", whose row does not name it";
    }
}

TEST(ShmemAccount, SaysWhyWhereNoRuleDoes) {
  for (const AccountRow &row : shmemAccount())
    if (!row.isDecided())
      EXPECT_FALSE(row.note.empty()) << row.id.str() << " needs a note";
}

/// Whether the text has the id as a word: "MEM-01" is none of "MEM-010".
static bool namesId(llvm::StringRef text, llvm::StringRef id) {
  return llvm::is_contained(idsNamedIn(text, RuleSet::Shmem), id);
}

/// The text of the test of that name, up to the line that closes it; empty if there is none.
static llvm::StringRef testNamed(llvm::StringRef text, llvm::StringRef title) {
  size_t at = text.find(("\ntest " + title + " ").str());
  return at == llvm::StringRef::npos ? "" : text.drop_front(at + 1).split("\n}\n").first;
}

/// `file.pto "title"`: the file holds the test, which expects one of the rules.
static void expectTest(const AccountRow &row, llvm::StringRef path, llvm::StringRef title) {
  llvm::StringRef folders[] = {"tests/shmem/", "tests/audit/"};
  EXPECT_TRUE(llvm::any_of(folders, [&](llvm::StringRef f) { return path.starts_with(f); }))
      << row.id.str() << ": nobody runs " << path.str();
  SourceFile program = readSource(path);
  llvm::StringRef body = testNamed(program.text, title);
  EXPECT_FALSE(body.empty()) << row.id.str() << ": " << path.str() << " has no test "
                             << title.str();
  EXPECT_TRUE(llvm::any_of(namesIn(row.slugs),
                           [&](llvm::StringRef slug) {
                             return body.contains(("expect violation(" + slug + ");").str());
                           }))
      << row.id.str() << ": the test expects none of " << row.slugs.str();
}

/// A bad program of one of the rules; rule_test holds what it says.
static void expectProgram(const AccountRow &row, llvm::StringRef path) {
  (void)readSource(path);
  EXPECT_TRUE(llvm::any_of(rulesOf(row),
                           [&](Rule rule) {
                             return path.starts_with(
                                 ("tests/golden/rules/" + info(rule).slug + "/bad-").str());
                           }))
      << row.id.str() << ": " << path.str() << " is no bad program of a rule that it names";
}

/// An attempt names the ids that it is about, and holds what it gets; golden_test compares that.
static void expectAttempt(const AccountRow &row, llvm::StringRef path) {
  SourceFile program = readSource(path);
  llvm::StringRef text = program.text;
  EXPECT_TRUE(path.starts_with("tests/golden/account/")) << path.str();
  EXPECT_TRUE(namesId(text, row.id)) << path.str() << " does not name " << row.id.str();
  bool isBad = program.name().starts_with("bad-");
  EXPECT_TRUE(text.contains(isBad ? ": error: " : "1 test: 1 ok")) << path.str();
}

TEST(ShmemAccount, EveryRowThatIsHeldIsShown) {
  for (const AccountRow &row : shmemAccount()) {
    std::string test = accountTest(row);
    auto [path, title] = llvm::StringRef(test).split(' ');
    if (row.isDecided())
      title.empty() ? expectProgram(row, path) : expectTest(row, path, title);
    else if (row.place == AccountPlace::Type)
      expectAttempt(row, path);
    else if (row.place == AccountPlace::Host)
      EXPECT_EQ(test, "") << row.id.str();
    else if (!test.empty())
      EXPECT_TRUE(namesId(readSource(path).text, row.id)) << row.id.str() << ": " << test;
  }
}

} // namespace pto::test
