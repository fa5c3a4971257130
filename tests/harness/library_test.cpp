//===- library_test.cpp - tests/stdlib, tests/shmem and tests/hixl --------------===//
//
// The library: its collectives under every number of members, element type and engine that they say
// they take, and what the tests and the reference of SHMEM hold. Each file runs under several
// schedules; expected.txt in its folder holds what its tests say.
//
//===----------------------------------------------------------------------===//
#include "harness/verdicts.h"

#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kFolders[] = {"tests/stdlib", "tests/shmem", "tests/hixl"};

static std::vector<std::string> listPrograms(llvm::StringRef folder) {
  return listFiles(folder, [](llvm::StringRef path) { return path.ends_with(".pto"); });
}

static std::vector<std::string> listAll() {
  std::vector<std::string> all;
  for (llvm::StringRef folder : kFolders)
    for (std::string &path : listPrograms(folder))
      all.push_back(std::move(path));
  return all;
}

class LibraryTest : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LibraryTest);

TEST_P(LibraryTest, SaysWhatStandsBeside) {
  (void)expectVerdicts(llvm::sys::path::parent_path(GetParam()), GetParam());
}

TEST(LibraryFolders, ExpectNothingOfFilesThatAreGone) {
  for (llvm::StringRef folder : kFolders)
    expectNoFurtherVerdicts(folder, listPrograms(folder));
}

INSTANTIATE_TEST_SUITE_P(Library, LibraryTest, ::testing::ValuesIn(listAll()),
                         [](const auto &test) { return testName(test.param, "tests"); });

} // namespace pto::test
