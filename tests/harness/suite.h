//===- suite.h - what the three golden suites share -------------*- C++ -*-===//
#ifndef PTO_TESTS_HARNESS_SUITE_H
#define PTO_TESTS_HARNESS_SUITE_H

#include "harness/golden_file.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace pto::test {

/// Whether expectations are rewritten: `--update`, or PTO_UPDATE=1 in the environment.
[[nodiscard]] bool &isUpdating();

/// Files below a folder of the project that `isWanted` takes, as paths from the project's root.
[[nodiscard]] std::vector<std::string>
listFiles(llvm::StringRef folder, llvm::function_ref<bool(llvm::StringRef path)> isWanted);

/// The absolute path of a file of the project.
[[nodiscard]] std::string inProject(llvm::StringRef path);

/// A path as GoogleTest allows names: letters, digits and underscores.
[[nodiscard]] std::string testName(llvm::StringRef path, llvm::StringRef folder);

/// What all commands of a golden printed, and how the last one ended.
struct Transcript {
  std::string output;
  int exit = 0;
};
/// Runs the commands. All but the last must exit as their EXIT line says, else with 0; where that
/// fails, or no command may be trusted, the current test fails.
[[nodiscard]] Transcript runAll(const Golden &golden);

/// Compares the output; while updating, writes it down instead.
void expectOutput(const Golden &golden, llvm::StringRef output);

} // namespace pto::test

#endif
