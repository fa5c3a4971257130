//===- rule_test.cpp - tests/golden/rules/<slug>/{bad,ok}-*.pto --------------===//
//
// A bad program must be found, by that rule and by no other; an ok program must not be found at
// all. The command follows from the rule's row unless the file has a RUN line.
//
//===----------------------------------------------------------------------===//
#include "harness/process.h"
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

static bool isFinding(llvm::StringRef line) {
  return line.contains(": error: ") || line.contains(": warning: ") || line.contains(": advice: ");
}

static size_t findFindings(llvm::StringRef output) {
  llvm::SmallVector<llvm::StringRef> lines;
  output.split(lines, '\n');
  return size_t(llvm::count_if(lines, isFinding));
}

/// The slugs of the findings in an output: lines like `file:1:2: error: text [slug]`.
static std::set<std::string> findSlugs(llvm::StringRef output) {
  std::set<std::string> slugs;
  while (!output.empty()) {
    llvm::StringRef line;
    std::tie(line, output) = output.split('\n');
    if (!isFinding(line))
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

/// The command, on a copy of the file and with another option.
static Command onCopy(Command command, llvm::StringRef option) {
  for (std::string &word : command.words)
    if (word == "%s")
      word = "%i";
  command.words.push_back(option.str());
  return command;
}

/// Where every finding has a fix, `--fix` leaves a program of which nothing is said. Text that
/// cannot be read is never touched, and what imports the files beside it cannot be copied alone.
TEST_P(RuleTest, FixesMendIt) {
  llvm::Expected<Golden> golden = readGolden(inProject(GetParam()));
  ASSERT_TRUE(bool(golden)) << llvm::toString(golden.takeError());
  std::optional<Rule> rule =
      ruleBySlug(llvm::sys::path::filename(llvm::StringRef(golden->folder())));
  if (!golden->isBad() || !rule || info(*rule).phase != RulePhase::Check ||
      llvm::StringRef(golden->body).contains("import \""))
    return;
  Command command{{"pto", defaultSubcommand(info(*rule)).str(), "%s"}, {}};
  if (golden->commands.size() == 1)
    command = golden->commands.front();
  if (command.words[1] != "check" && command.words[1] != "lint")
    return;
  ScratchFolder scratch;
  std::string said = run(*golden, onCopy(command, "--unknown"), scratch).output;
  size_t fixes = llvm::StringRef(said).count("\n   fix: ");
  if (fixes == 0 || fixes < findFindings(said))
    return;
  Outcome fixed = run(*golden, onCopy(command, "--fix"), scratch);
  EXPECT_EQ(fixed.exit, 0) << golden->path << "\n" << fixed.output;
  EXPECT_EQ(findFindings(fixed.output), 0u) << golden->path << "\n" << fixed.output;
  EXPECT_TRUE(llvm::StringRef(fixed.output).contains(": fixed: ")) << golden->path;
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleTest, ::testing::ValuesIn(listRulePrograms()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
