//===- verdicts.h - what each test of a folder says -------------*- C++ -*-===//
//
// The programs of a folder are run under a few schedules, and one file beside them holds the line
// of each test: whether it passes, and whether that is proved for all schedules.
//
//   4.1-tput.pto
//     test "Vec_float": ok (2 ranks, 1 block, a2), proved for all schedules
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TESTS_HARNESS_VERDICTS_H
#define PTO_TESTS_HARNESS_VERDICTS_H

#include "harness/suite.h"

namespace pto::test {

/// Runs a program under two schedules, or as its RUN lines say, and holds what its tests say
/// against `expected.txt` in the folder; while updating, writes it there.
[[nodiscard]] Transcript expectVerdicts(llvm::StringRef folder, llvm::StringRef path);

/// That no part of `expected.txt` speaks of a file that is not among these.
void expectNoFurtherVerdicts(llvm::StringRef folder, llvm::ArrayRef<std::string> paths);

} // namespace pto::test

#endif
