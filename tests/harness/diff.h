//===- diff.h - where two texts differ --------------------------*- C++ -*-===//
#ifndef PTO_TESTS_HARNESS_DIFF_H
#define PTO_TESTS_HARNESS_DIFF_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace pto::test {

/// The lines of both texts: `-` only expected, `+` only got, and some equal ones around them.
[[nodiscard]] std::string unifiedDiff(llvm::StringRef expected, llvm::StringRef got);

} // namespace pto::test

#endif
