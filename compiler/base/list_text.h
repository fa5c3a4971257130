//===- list_text.h - names in a row, as a sentence has them -----*- C++ -*-===//
#ifndef PTO_BASE_LIST_TEXT_H
#define PTO_BASE_LIST_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pto {

/// "a", "a and b", "a, b and c"; `last` is the word before the last one. "nothing" for no names.
[[nodiscard]] std::string listText(llvm::ArrayRef<llvm::StringRef> names,
                                   llvm::StringRef last = "and");

} // namespace pto

#endif
