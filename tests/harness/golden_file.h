//===- golden_file.h - a test that is one file ------------------*- C++ -*-===//
//
// A golden names its commands and holds what they print:
//
//   // RUN: pto check %s          one or several; %s is the file, %t a scratch path, %i a copy of
//   // EXIT: 1                    the file without its expectation. EXIT is about the RUN above it.
//   // RUN: pto fmt - < %i        the last two words may say what stands on its input.
//   …the program…
//
//   //> the output, a line each, at the end of the file
//
// Files in which `//` is no comment write `#` in all three places.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TESTS_HARNESS_GOLDEN_FILE_H
#define PTO_TESTS_HARNESS_GOLDEN_FILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace pto::test {

/// One RUN line, split at blanks; a word in "…" or '…' may hold blanks.
struct Command {
  std::vector<std::string> words;
  std::optional<int> exit; ///< As an EXIT line has it.
};

struct Golden {
  std::string path;
  std::string leader = "//"; ///< What starts a comment.
  std::string body;          ///< The file without its expectation, ended by one newline.
  std::vector<Command> commands;
  std::optional<std::string> expectation; ///< None if the file has no such block.

  [[nodiscard]] llvm::StringRef fileName() const;
  [[nodiscard]] std::string folder() const;
  /// Whether the name says that the program must be refused.
  [[nodiscard]] bool isBad() const { return fileName().starts_with("bad-"); }
};

[[nodiscard]] llvm::Expected<std::string> readText(llvm::StringRef path);
[[nodiscard]] llvm::Error writeText(llvm::StringRef path, llvm::StringRef text);

[[nodiscard]] llvm::Expected<Golden> readGolden(llvm::StringRef path);
/// Writes the file with another expectation; an empty one leaves no block.
[[nodiscard]] llvm::Error writeGolden(const Golden &golden, llvm::StringRef expectation);

[[nodiscard]] std::vector<std::string> splitWords(llvm::StringRef line);

} // namespace pto::test

#endif
