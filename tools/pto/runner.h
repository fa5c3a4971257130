//===- runner.h - run entries of a module, for `run` and `test` --*- C++ -*-===//
#ifndef PTO_TOOLS_RUNNER_H
#define PTO_TOOLS_RUNNER_H

#include "pto/load.h"

#include "world/world.h"

namespace pto {

/// Runs one entry under the seeds that the options ask for; stops at the first that finds
/// something.
[[nodiscard]] llvm::Expected<TestResult> runEntry(const Module &module, const Entry &entry,
                                                  const Options &options, llvm::StringRef path,
                                                  llvm::raw_ostream &out);

/// An entry that was refused before running; clean if that is all that it expects.
[[nodiscard]] TestResult refusedEntry(const Refusal &refusal, const Options &options,
                                      const Sources &sources, llvm::StringRef path);

/// What the command line states wins over the entry, and the entry over the defaults.
[[nodiscard]] llvm::Expected<RunOptions> runOptions(const Entry &entry, const Options &options,
                                                    llvm::StringRef path);

/// Prints findings and tests as the options say, and gives the exit code.
Exit report(const Options &options, const Sources &sources, const Result &result);

} // namespace pto

#endif
