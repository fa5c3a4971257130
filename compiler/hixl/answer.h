//===- answer.h - the enumerations that calls of HIXL answer with -*- C++ -*-===//
#ifndef PTO_HIXL_ANSWER_H
#define PTO_HIXL_ANSWER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace pto {

enum class HixlEnum : uint8_t { Status, Transfer, Connect };
inline constexpr unsigned kHixlEnumCount = 3;

/// "transfer status of HIXL"
[[nodiscard]] llvm::StringRef name(HixlEnum which);
/// The names of its values, in the order of their numbers.
[[nodiscard]] llvm::SmallVector<llvm::StringRef, 10> names(HixlEnum which);

} // namespace pto

#endif
