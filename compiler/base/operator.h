//===- operator.h - operators, derived from operator.def --------*- C++ -*-===//
#ifndef PTO_BASE_OPERATOR_H
#define PTO_BASE_OPERATOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace pto {

enum class BinaryOp : uint8_t {
#define PTO_BINARY(Enum, ...) Enum,
#include "base/operator.def"
};
enum class UnaryOp : uint8_t {
#define PTO_UNARY(Enum, Spelling) Enum,
#include "base/operator.def"
};
/// What a binary operator works on.
enum class Takes : uint8_t { None, Bools, Integers, Numbers, Bits, All };
enum class Gives : uint8_t { Operand, Truth };

/// A row of the binary operators.
struct BinaryOpInfo {
  llvm::StringLiteral spelling;
  uint8_t precedence;
  Takes takes;
  Gives gives;
};
[[nodiscard]] const BinaryOpInfo &info(BinaryOp op);
[[nodiscard]] inline llvm::StringRef spelling(BinaryOp op) { return info(op).spelling; }
[[nodiscard]] inline unsigned precedence(BinaryOp op) { return info(op).precedence; }
[[nodiscard]] llvm::StringRef spelling(UnaryOp op);

} // namespace pto

#endif
