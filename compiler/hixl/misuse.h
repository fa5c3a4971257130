//===- misuse.h - the rule of a misuse, by misuse.def -----------*- C++ -*-===//
#ifndef PTO_HIXL_MISUSE_H
#define PTO_HIXL_MISUSE_H

#include "diag/rule.h"

#include "llvm/ADT/StringRef.h"

namespace pto {

/// The rule that is reported for "HX-CON-06"; options without an account are HixlOption.
[[nodiscard]] Rule hixlRule(llvm::StringRef account, bool isOfOptions, bool isRefused = false);

} // namespace pto

#endif
