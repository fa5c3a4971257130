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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

/// Rows that are not shown yet, and by which rules they will be; none where what exists now is to
/// be extended.
struct OpenRow {
  llvm::StringLiteral id;
  llvm::StringLiteral slugs;
};
static constexpr OpenRow kOpenRows[] = {
    {"TILE-007", "tile-rows-too-many"},
    {"TILE-012", "mask-left-by-chunks"},
<<<<<<< HEAD
    {"MEM-006", "unaligned-transfer"},
    {"SIG-008", "missing-epoch"},
    {"SIG-015", "grid-wait-unstable"},
    {"SIG-020", "wide-wait"},
    {"SIG-021", "every-block-notifies"},
    {"COLL-009", "exact-float-sum"},
    {"ASYNC-008", ""},
    {"ASYNC-023", "wait-result-unused"},
    {"SDMA-015", "small-block"},
    {"SDMA-016", "notify-uses-one-queue"},
    {"URMA-002", "urma-splits"},
    {"NOTIFY-011", "implicit-signal-init"},
=======
    {"TILE-013", "valid-fixed valid-set-while-busy"},
    {"TILE-014", "last-stride-not-one"},
    {"TILE-015", "row-pitch"},
    {"TILE-017", "tile-not-ordered"},
    {"CHUNK-001", "chunk-not-divisible"},
    {"CHUNK-002", "chunk-not-divisible"},
    {"CHUNK-004", "nothing-moved"},
    {"CHUNK-005", "broadcast-one-too-large"},
    {"CHUNK-006", "group-buffer-too-small"},
    {"CHUNK-007", "group-buffer-too-small"},
    {"CHUNK-008", "group-shape-mismatch"},
    {"MEM-011", "buffer-in-flight"},
    {"MEM-017", "store-not-drained"},
    {"MEM-018", "reduce-overlaps-source"},
    {"SIG-002", "notify-before-drain"},
    {"SIG-003", "notify-before-wait"},
    {"SIG-009", "signal-mixed-ops"},
    {"SIG-011", "eq-on-counter"},
    {"SIG-016", "empty-wait"},
    {"COLL-001", "collective-not-root"},
    {"COLL-002", "root-out-of-range"},
    {"COLL-007", "tiles-overlap"},
    {"ASYNC-008", ""},
    {"ASYNC-009", "scratch-in-use"},
    {"ASYNC-010", "buffer-in-flight"},
    {"ASYNC-013", "session-rebuilt"},
    {"ASYNC-016", "too-many-outstanding"},
    {"ASYNC-017", "destinations-overlap"},
    {"ASYNC-019", "sync-id-in-use"},
    {"ASYNC-021", "tiles-overlap"},
    {"SDMA-003", "channel-group-out-of-range"},
    {"SDMA-009", "session-offset-out-of-range"},
    {"SDMA-015", "small-block"},
    {"URMA-011", "urma-window-too-large"},
    {"NOTIFY-009", "load-before-invalidate"},
    {"NOTIFY-010", "eq-on-counter"},
    {"SYNC-001", "flag-in-use"},
    {"SYNC-003", "flag-not-set flag-not-awaited flag-set-twice"},
    {"SYNC-004", "tile-not-ordered"},
    {"SYNC-005", "tile-not-ordered"},
>>>>>>> lint
    {"SYNC-006", "syncall-before-drain"},
    {"SYNC-010", "valid-set-while-busy"},
};

static bool isOpen(llvm::StringRef id) {
  return llvm::any_of(kOpenRows, [&](const OpenRow &row) { return row.id == id; });
}

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
    for (llvm::StringRef id : idsNamedIn(rule.source)) {
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
    return !rulesNaming(row.id).empty();
  case AccountPlace::Type:
    return !row.test.empty();
  default:
    return true;
  }
}

TEST(Account, LeavesOpenOnlyWhatIsExcused) {
  for (const AccountRow &row : account()) {
    if (isOpen(row.id))
      EXPECT_FALSE(isShown(row)) << row.id.str() << " is open no more: remove it from kOpenRows";
    else
      EXPECT_TRUE(isShown(row)) << row.id.str() << ": no rule names it";
  }
  for (const OpenRow &open : kOpenRows) {
    EXPECT_TRUE(rowOf(open.id)) << open.id.str();
    for (llvm::StringRef slug : llvm::split(open.slugs, ' '))
      EXPECT_FALSE(ruleBySlug(slug))
          << "`" << slug.str() << "` is there: its source should name " << open.id.str();
  }
}

/// A program of a rule stands in the folder of one that names the id; rule_test holds what it says.
static void expectOfRule(const AccountRow &row, const SourceFile &program) {
  bool isIn = false;
  for (Rule rule : rulesNaming(row.id))
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
    bool isHeldElsewhere = row.place == AccountPlace::Audit || row.place == AccountPlace::Host;
    if (isHeldElsewhere)
      EXPECT_EQ(path, "") << row.id.str();
    if (isHeldElsewhere || isOpen(row.id))
      continue;
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
  for (const SourceFile &program : readTree({"tests/golden/account"}, {".pto"}))
    EXPECT_TRUE(used.count(program.path)) << program.path << " shows no row of account.def";
}

} // namespace pto::test
