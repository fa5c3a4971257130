//===- tool.h - the built pto as a process of its own -----------*- C++ -*-===//
//
// For what a golden cannot hold: inputs that are made, both streams apart, and a time-out.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TESTS_TOOLS_TOOL_H
#define PTO_TESTS_TOOLS_TOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pto::test {

/// What a process left.
struct Ran {
  std::string out;
  std::string err;
  int exit = 0;
  std::string failure; ///< A crash or a time-out; empty if it ended by itself.

  [[nodiscard]] std::string text() const { return err + out; }
};

/// A folder below the system's temporary one, removed at the end. Processes run inside of it, so
/// that no path of a machine gets into what they print.
class Workplace {
public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace &) = delete;
  Workplace &operator=(const Workplace &) = delete;

  void write(llvm::StringRef name, llvm::StringRef bytes) const;
  [[nodiscard]] std::string read(llvm::StringRef name) const;
  [[nodiscard]] std::string path(llvm::StringRef name) const;
  void makeFolder(llvm::StringRef name) const;
  /// `output`: where stdout goes, if not into the result.
  [[nodiscard]] Ran pto(llvm::ArrayRef<std::string> words, llvm::StringRef output = "") const;

private:
  std::string folder_;
};

} // namespace pto::test

#endif
