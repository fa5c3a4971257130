#include "ast/node.h"

namespace pto::ast {

llvm::StringRef name(NodeKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {
#define PTO_NODE(Name, Category, Fields) #Name,
#include "ast/node.def"
  };
  PTO_CHECK(size_t(kind) < std::size(kNames), "node kind out of its table");
  return kNames[size_t(kind)];
}

llvm::StringRef spelling(BinaryOp op) {
  static constexpr llvm::StringLiteral kSpellings[] = {
#define PTO_BINARY(Enum, Spelling, Precedence) Spelling,
#include "ast/operator.def"
  };
  return kSpellings[size_t(op)];
}

llvm::StringRef spelling(UnaryOp op) {
  static constexpr llvm::StringLiteral kSpellings[] = {
#define PTO_UNARY(Enum, Spelling) Spelling,
#include "ast/operator.def"
  };
  return kSpellings[size_t(op)];
}

unsigned precedence(BinaryOp op) {
  static constexpr uint8_t kPrecedences[] = {
#define PTO_BINARY(Enum, Spelling, Precedence) Precedence,
#include "ast/operator.def"
  };
  return kPrecedences[size_t(op)];
}

} // namespace pto::ast
