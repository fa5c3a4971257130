//===- golden_test.cpp - every file with a RUN line --------------------------===//
//
// In tests/golden and tests/audit. The rules have a suite of their own, rule_test.cpp, and so have
// the programs of tests/audit that run: audit_programs_test.cpp.
//
//===----------------------------------------------------------------------===//
#include "harness/suite.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "tests/golden";

static bool hasCommands(llvm::StringRef path) {
  llvm::Expected<Golden> golden = readGolden(inProject(path));
  if (golden)
    return !golden->commands.empty();
  llvm::consumeError(golden.takeError());
  return false;
}

static std::vector<std::string> listGoldens() {
  std::vector<std::string> goldens = listFiles(kFolder, [](llvm::StringRef path) {
    return !path.starts_with("tests/golden/rules/") && hasCommands(path);
  });
  llvm::append_range(goldens, listFiles("tests/audit", hasCommands));
  return goldens;
}

class GoldenTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenTest);

TEST_P(GoldenTest, PrintsWhatItHolds) {
  llvm::Expected<Golden> golden = readGolden(inProject(GetParam()));
  ASSERT_TRUE(bool(golden)) << llvm::toString(golden.takeError());
  Transcript transcript = runAll(*golden);
  int exit = golden->commands.back().exit.value_or(golden->isBad() ? 1 : 0);
  EXPECT_EQ(transcript.exit, exit) << golden->path << "\n" << transcript.output;
  expectOutput(*golden, transcript.output);
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenTest, ::testing::ValuesIn(listGoldens()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
