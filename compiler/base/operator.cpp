#include "base/operator.h"

#include "base/check.h"

namespace pto {

const BinaryOpInfo &info(BinaryOp op) {
  static constexpr BinaryOpInfo kRows[] = {
#define PTO_BINARY(Enum, Spelling, Precedence, TakesWhat, GivesWhat, OpcodeOf, Order)              \
  {llvm::StringLiteral(Spelling), Precedence, Takes::TakesWhat, Gives::GivesWhat},
#include "base/operator.def"
  };
  PTO_CHECK(size_t(op) < std::size(kRows), "operator out of its table");
  return kRows[size_t(op)];
}

llvm::StringRef spelling(UnaryOp op) {
  static constexpr llvm::StringLiteral kSpellings[] = {
#define PTO_UNARY(Enum, Spelling) Spelling,
#include "base/operator.def"
  };
  return kSpellings[size_t(op)];
}

} // namespace pto
