//===- audit_programs_test.cpp - tests/audit/*/*.pto --------------------------===//
//
// What went wrong elsewhere, as programs: each test states what a run must find, under every
// schedule. expected.txt there holds what the tests say. Files with a RUN line are goldens.
//
//===----------------------------------------------------------------------===//
#include "harness/verdicts.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "tests/audit";

static std::vector<std::string> listAuditPrograms() {
  return listFiles(kFolder, [](llvm::StringRef path) {
    return path.ends_with(".pto") && llvm::cantFail(readGolden(inProject(path))).commands.empty();
  });
}

class AuditProgramTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AuditProgramTest);

TEST_P(AuditProgramTest, FindsWhatItStates) { (void)expectVerdicts(kFolder, GetParam()); }

TEST(AuditFolder, ExpectsNothingOfFilesThatAreGone) {
  expectNoFurtherVerdicts(kFolder, listAuditPrograms());
}

INSTANTIATE_TEST_SUITE_P(Audit, AuditProgramTest, ::testing::ValuesIn(listAuditPrograms()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
