//===- account_test.cpp - each rule of the ISA is held somewhere --------------===//
//
// account.def has a row for each rule; the sources of rule.def say which rules of pto decide it. So
// what is to be held is: the ids are complete, the two tables agree, and each row has a program
// that shows it. What golden_test and rule_test hold of these programs is not repeated here.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "diag/account.h"
#include "pages/pages.h"

#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"

#include <set>

namespace pto::test {

/// The rules of the ISA: families in the order of its document, each numbered from 1 on.
struct Family {
  llvm::StringLiteral name;
  unsigned rules;
};
static constexpr Family kFamilies[] = {{"TYPE", 26}, {"TILE", 17}, {"CHUNK", 9}, {"MEM", 19},
                                       {"SIG", 22},  {"COLL", 11}, {"CCU", 8},   {"ASYNC", 26},
                                       {"SDMA", 17}, {"URMA", 18}, {"RDMA", 16}, {"NOTIFY", 12},
                                       {"SYNC", 11}, {"HOST", 7},  {"CPU", 3}};
static constexpr size_t kRulesOfTheIsa = 222;

static const AccountRow *rowOf(llvm::StringRef id) {
  for (const AccountRow &row : account())
    if (row.id == id)
      return &row;
  return nullptr;
}

TEST(Account, HasEveryRuleOfTheIsaOnce) {
  std::vector<std::string> wanted, got;
  for (const Family &family : kFamilies)
    for (unsigned i = 1; i <= family.rules; ++i) {
      std::string number = std::to_string(i);
      wanted.push_back((family.name + "-" + std::string(3 - number.size(), '0') + number).str());
    }
  for (const AccountRow &row : account())
    got.push_back(row.id.str());
  EXPECT_EQ(wanted.size(), kRulesOfTheIsa);
  EXPECT_EQ(got, wanted);
}

TEST(Account, AgreesWithTheSourcesOfTheRules) {
  for (const RuleInfo &rule : rules())
    for (llvm::StringRef id : idsNamedIn(rule.source, RuleSet::Isa)) {
      const AccountRow *row = rowOf(id);
      EXPECT_TRUE(row) << rule.slug.str() << " names " << id.str()
                       << ", which is no rule of the ISA";
      if (row)
        EXPECT_TRUE(row->place == AccountPlace::Rule)
            << rule.slug.str() << " names " << id.str() << ": make its row in account.def a Rule";
    }
}

TEST(Account, SaysWhyWhereNoRuleDoes) {
  for (const AccountRow &row : account())
    if (row.place != AccountPlace::Rule)
      EXPECT_FALSE(row.note.empty()) << row.id.str() << " needs a note";
}

/// Whether a row has what shows it: rules, or an attempt; nothing can show the other two.
static bool isShown(const AccountRow &row) {
  switch (row.place) {
  case AccountPlace::Rule:
    return !rulesOf(row).empty();
  case AccountPlace::Type:
    return !row.test.empty();
  default:
    return true;
  }
}

TEST(Account, LeavesNothingOpen) {
  for (const AccountRow &row : account())
    EXPECT_TRUE(isShown(row)) << row.id.str() << ": no rule names it";
}

/// A program of a rule stands in the folder of one that names the id; rule_test holds what it says.
static void expectOfRule(const AccountRow &row, const SourceFile &program) {
  bool isIn = false;
  for (Rule rule : rulesOf(row))
    isIn |= llvm::StringRef(program.path)
                .starts_with(("tests/golden/rules/" + info(rule).slug + "/bad-").str());
  EXPECT_TRUE(isIn) << row.id.str() << ": " << program.path
                    << " is no bad program of a rule that names it";
}

/// An attempt names the ids that it is about, and holds what it gets; golden_test compares that.
static void expectOfType(const AccountRow &row, const SourceFile &program) {
  llvm::StringRef text = program.text;
  EXPECT_TRUE(text.contains(row.id)) << program.path << " does not name " << row.id.str();
  EXPECT_TRUE(text.contains("// RUN: pto")) << program.path << " is run by no test";
  if (program.name().starts_with("ok-"))
    EXPECT_TRUE(text.contains("1 test: 1 ok")) << program.path;
  else
    EXPECT_TRUE(program.name().starts_with("bad-") && text.contains(": error: ")) << program.path;
}

TEST(Account, EveryRowHasAProgram) {
  for (const AccountRow &row : account()) {
    std::string path = accountTest(row);
    if (row.place == AccountPlace::Audit || row.place == AccountPlace::Host) {
      EXPECT_EQ(path, "") << row.id.str();
      continue;
    }
    if (!llvm::sys::fs::exists(PTO_SOURCE_DIR "/" + path)) {
      ADD_FAILURE() << row.id.str() << ": there is no " << path;
      continue;
    }
    SourceFile program = readSource(path);
    row.place == AccountPlace::Rule ? expectOfRule(row, program) : expectOfType(row, program);
  }
}

TEST(Account, EveryAttemptIsOfARow) {
  std::set<std::string> used;
  for (const AccountRow &row : account())
    used.insert("tests/golden/" + row.test.str());
  for (const AccountRow &row : shmemAccount())
    used.insert("tests/" + row.test.str());
  for (const SourceFile &program : readTree({"tests/golden/account"}, {".pto"}))
    EXPECT_TRUE(used.count(program.path)) << program.path << " shows no row of the accounts";
}

} // namespace pto::test
