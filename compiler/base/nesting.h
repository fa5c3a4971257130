//===- nesting.h - JSON from anywhere, before it is parsed ------*- C++ -*-===//
#ifndef PTO_BASE_NESTING_H
#define PTO_BASE_NESTING_H

#include "llvm/ADT/StringRef.h"

namespace pto {

/// Whether the brackets of a text of JSON stand inside each other deeper than that. LLVM's reader
/// recurses, so a text that does would exhaust the stack.
[[nodiscard]] bool isNestedDeeper(llvm::StringRef text, size_t most);

} // namespace pto

#endif
