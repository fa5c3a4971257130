//===- operator.h - operators, derived from operator.def --------*- C++ -*-===//
#ifndef PTO_BASE_OPERATOR_H
#define PTO_BASE_OPERATOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace pto {

enum class BinaryOp : uint8_t {
#define PTO_BINARY(Enum, Spelling, Precedence) Enum,
#include "base/operator.def"
};
enum class UnaryOp : uint8_t {
#define PTO_UNARY(Enum, Spelling) Enum,
#include "base/operator.def"
};
[[nodiscard]] llvm::StringRef spelling(BinaryOp op);
[[nodiscard]] llvm::StringRef spelling(UnaryOp op);
[[nodiscard]] unsigned precedence(BinaryOp op);

} // namespace pto

#endif
