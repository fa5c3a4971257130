//===- conformance_test.cpp - tests/conformance/*.pto -------------------------===//
//
// The scenarios that the ISA's own tests hold. Each file runs clean under several schedules, unless
// its RUN line says otherwise; expected.txt there holds what its tests say. How many it has, on all
// of its targets together, stands in README.md, so that none gets lost.
//
//===----------------------------------------------------------------------===//
#include "harness/verdicts.h"

#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kFolder = "tests/conformance";

/// Files right inside the folder; deeper ones are parts that they import.
static std::vector<std::string> listConformance() {
  return listFiles(kFolder, [](llvm::StringRef path) {
    return path.ends_with(".pto") && llvm::sys::path::parent_path(path) == kFolder;
  });
}

/// The number of runs in the row of a file: `| [name.pto](name.pto) | 4 | 16 | …`.
static std::string statedRuns(llvm::StringRef readme, llvm::StringRef file) {
  llvm::SmallVector<llvm::StringRef> lines, cells;
  readme.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.starts_with(("| [" + file + "]").str()))
      continue;
    line.split(cells, '|');
    return cells.size() > 3 ? cells[3].trim().str() : "";
  }
  return "";
}

class ConformanceTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConformanceTest);

#ifdef __SANITIZE_ADDRESS__
/// The same code moves less in the other files; the plain build runs these.
static constexpr llvm::StringLiteral kLong[] = {"-large", "4.4-treduce", "4.5-sdma-512-posts",
                                                "4.5-sdma-concurrent"};
#endif

TEST_P(ConformanceTest, RunsCleanUnderSeveralSchedules) {
#ifdef __SANITIZE_ADDRESS__
  for (llvm::StringRef part : kLong)
    if (llvm::StringRef(GetParam()).contains(part))
      GTEST_SKIP() << "minutes under a sanitizer, byte by byte";
#endif
  Transcript transcript = expectVerdicts(kFolder, GetParam());
  llvm::Expected<std::string> readme = readText(inProject((kFolder + "/README.md").str()));
  ASSERT_TRUE(bool(readme)) << llvm::toString(readme.takeError());
  std::string runs = statedRuns(*readme, llvm::sys::path::filename(GetParam()));
  EXPECT_TRUE(llvm::StringRef(transcript.output).ends_with(": " + runs + " ok, 0 failed\n"))
      << "README.md states " << runs << " runs\n"
      << llvm::StringRef(transcript.output).rsplit('\n').first.rsplit('\n').second.str();
}

TEST(ConformanceFolder, ExpectsNothingOfFilesThatAreGone) {
  expectNoFurtherVerdicts(kFolder, listConformance());
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceTest, ::testing::ValuesIn(listConformance()),
                         [](const auto &test) { return testName(test.param, kFolder); });

} // namespace pto::test
