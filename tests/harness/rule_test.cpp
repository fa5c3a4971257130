//===- rule_test.cpp - tests/golden/rules/<slug>/{bad,ok}-*.pto --------------===//
//
// A bad program must be found, by that rule and by no other; an ok program must not be found at
// all. The command follows from the rule's row unless the file has a RUN line.
//
//===----------------------------------------------------------------------===//
#include "harness/suite.h"

#include "diag/rule.h"

#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <set>

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "tests/golden/rules";

static std::vector<std::string> listRulePrograms() {
  return listFiles(kFolder, [](llvm::StringRef path) {
    llvm::StringRef name = llvm::sys::path::filename(path);
    return name.ends_with(".pto") && (name.starts_with("bad-") || name.starts_with("ok-"));
  });
}

static llvm::StringRef defaultSubcommand(const RuleInfo &rule) {
  if (rule.phase == RulePhase::Run)
    return "run";
  return rule.severity == Severity::Advice ? "lint" : "check";
}

/// How the tool ends when it has said this: warnings and advice change nothing.
static int defaultExit(const RuleInfo &rule) {
  if (rule.severity != Severity::Error)
    return 0;
  return rule.phase == RulePhase::Run ? 3 : 1;
}

/// The slugs of the findings in an output: lines like `file:1:2: error: text [slug]`.
static std::set<std::string> findSlugs(llvm::StringRef output) {
  std::set<std::string> slugs;
  while (!output.empty()) {
    llvm::StringRef line;
    std::tie(line, output) = output.split('\n');
    if (!line.contains(": error: ") && !line.contains(": warning: ") &&
        !line.contains(": advice: "))
      continue;
    size_t bracket = line.rfind('[');
    if (bracket != llvm::StringRef::npos && line.consume_back("]"))
      slugs.insert(line.substr(bracket + 1).str());
  }
  return slugs;
}

class RuleTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RuleTest);

TEST_P(RuleTest, FindsBadAndOnlyBad) {
  llvm::Expected<Golden> golden = readGolden(inProject(GetParam()));
  ASSERT_TRUE(bool(golden)) << llvm::toString(golden.takeError());
  std::string slug = llvm::sys::path::filename(llvm::StringRef(golden->folder())).str();
  std::optional<Rule> rule = ruleBySlug(slug);
  if (!rule)
    FAIL() << golden->path << ": the folder is not named after a rule";
  if (golden->commands.empty())
    golden->commands.push_back({{"pto", defaultSubcommand(info(*rule)).str(), "%s"}, {}});

  Transcript transcript = runAll(*golden);
  bool isBad = golden->isBad();
  int exit = golden->commands.back().exit.value_or(isBad ? defaultExit(info(*rule)) : 0);
  EXPECT_EQ(transcript.exit, exit) << golden->path << "\n" << transcript.output;
  std::set<std::string> wanted;
  if (isBad)
    wanted.insert(slug);
  EXPECT_EQ(findSlugs(transcript.output), wanted) << golden->path << "\n" << transcript.output;
  if (golden->expectation)
    expectOutput(*golden, transcript.output);
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleTest, ::testing::ValuesIn(listRulePrograms()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
