#include "base/operator.h"

namespace pto {

llvm::StringRef spelling(BinaryOp op) {
  static constexpr llvm::StringLiteral kSpellings[] = {
#define PTO_BINARY(Enum, Spelling, Precedence) Spelling,
#include "base/operator.def"
  };
  return kSpellings[size_t(op)];
}

llvm::StringRef spelling(UnaryOp op) {
  static constexpr llvm::StringLiteral kSpellings[] = {
#define PTO_UNARY(Enum, Spelling) Spelling,
#include "base/operator.def"
  };
  return kSpellings[size_t(op)];
}

unsigned precedence(BinaryOp op) {
  static constexpr uint8_t kPrecedences[] = {
#define PTO_BINARY(Enum, Spelling, Precedence) Precedence,
#include "base/operator.def"
  };
  return kPrecedences[size_t(op)];
}

} // namespace pto
