//===- stdlib_test.cpp - tests/stdlib/*.pto -----------------------------------===//
//
// The library under every number of members, element type and engine that it says it takes. Each
// file runs clean under several schedules; expected.txt there holds what its tests say.
//
//===----------------------------------------------------------------------===//
#include "harness/verdicts.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "tests/stdlib";

static std::vector<std::string> listStdlib() {
  return listFiles(kFolder, [](llvm::StringRef path) { return path.ends_with(".pto"); });
}

class StdlibTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StdlibTest);

TEST_P(StdlibTest, RunsCleanUnderSeveralSchedules) { (void)expectVerdicts(kFolder, GetParam()); }

TEST(StdlibFolder, ExpectsNothingOfFilesThatAreGone) {
  expectNoFurtherVerdicts(kFolder, listStdlib());
}

INSTANTIATE_TEST_SUITE_P(Stdlib, StdlibTest, ::testing::ValuesIn(listStdlib()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
