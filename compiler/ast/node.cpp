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

} // namespace pto::ast
