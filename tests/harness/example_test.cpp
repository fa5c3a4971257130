//===- example_test.cpp - examples/*/*.pto against expected.txt --------------===//
//
// expected.txt starts with `exit N`; the rest is the exact output of `pto run`, or of the example's
// own RUN line.
//
//===----------------------------------------------------------------------===//
#include "harness/diff.h"
#include "harness/suite.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "examples";

/// The real kernels have a folder of folders of their own.
static constexpr llvm::StringLiteral kKernels = "examples/kernels/";

/// Programs right inside an example's folder; deeper ones are parts that an example imports.
static std::vector<std::string> listExamples() {
  return listFiles(kFolder, [](llvm::StringRef path) {
    return path.ends_with(".pto") && path.count('/') == (path.starts_with(kKernels) ? 3 : 2);
  });
}

class ExampleTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExampleTest);

#ifdef __SANITIZE_ADDRESS__
/// Kernels that move tens of megabytes, element by element; the others run the same code, and the
/// plain build runs these.
static constexpr llvm::StringLiteral kLarge[] = {"/k01-", "/k09-", "/k13-"};
#endif

TEST_P(ExampleTest, ReportsWhatStandsBeside) {
#ifdef __SANITIZE_ADDRESS__
  for (llvm::StringRef folder : kLarge)
    if (llvm::StringRef(GetParam()).contains(folder))
      GTEST_SKIP() << "tens of megabytes, element by element under a sanitizer";
#endif
  llvm::Expected<Golden> golden = readGolden(inProject(GetParam()));
  ASSERT_TRUE(bool(golden)) << llvm::toString(golden.takeError());
  if (golden->commands.empty())
    golden->commands.push_back({{"pto", "run", "%s"}, {}});
  Transcript transcript = runAll(*golden);
  std::string got = "exit " + std::to_string(transcript.exit) + "\n" + transcript.output;

  std::string file = golden->folder() + "/expected.txt";
  llvm::Expected<std::string> expected = readText(file);
  if (expected && *expected == got)
    return;
  std::string old = expected ? *expected : "";
  llvm::consumeError(expected.takeError());
  if (!isUpdating() || HasFailure()) {
    ADD_FAILURE() << file << ": other output (- expected, + got)\n" << unifiedDiff(old, got);
  } else if (llvm::Error error = writeText(file, got)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ExampleTest, ::testing::ValuesIn(listExamples()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
