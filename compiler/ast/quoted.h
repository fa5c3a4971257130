//===- quoted.h - the inside of a text as it was written --------*- C++ -*-===//
#ifndef PTO_AST_QUOTED_H
#define PTO_AST_QUOTED_H

#include "llvm/ADT/StringRef.h"

namespace pto::ast {

struct Quoted {
  llvm::StringRef inside;
  bool isRaw = false; ///< `"""…"""`: a backslash is only a backslash.
  uint32_t begin = 1; ///< Bytes before the inside.
};

/// `written` has its quotes; those at its end may be missing where it was never closed.
[[nodiscard]] inline Quoted quoted(llvm::StringRef written) {
  llvm::StringRef inside = written;
  if (inside.consume_front("\"\"\"")) {
    inside.consume_back("\"\"\"");
    return {inside, true, 3};
  }
  inside.consume_front("\"");
  inside.consume_back("\"");
  return {inside, false, 1};
}

} // namespace pto::ast

#endif
