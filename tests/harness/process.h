//===- process.h - runs the built pto as a user would -----------*- C++ -*-===//
#ifndef PTO_TESTS_HARNESS_PROCESS_H
#define PTO_TESTS_HARNESS_PROCESS_H

#include "harness/golden_file.h"

namespace pto::test {

/// What a command left: both of its streams in one text, and its exit code.
struct Outcome {
  std::string output;
  int exit = 0;
  std::string failure; ///< Why there is no exit code (a crash, a time-out); empty if there is one.
};

/// A folder of its own below the system's temporary one, removed at the end.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  [[nodiscard]] std::string file(llvm::StringRef name) const;
  /// Takes the folder out of a text, so that no machine's path is in it.
  [[nodiscard]] std::string hide(llvm::StringRef text) const;

private:
  std::string path_;
};

/// Runs one command of a golden in the golden's folder. The word `pto` is the built binary.
[[nodiscard]] Outcome run(const Golden &golden, const Command &command,
                          const ScratchFolder &scratch);

} // namespace pto::test

#endif
