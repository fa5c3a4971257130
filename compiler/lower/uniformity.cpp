#include "lower/uniformity.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::lower_detail {

using namespace program;

Uniformity::Uniformity(const Function &function) {
  // What a loop writes is read again at its head, so repeat until nothing changes; each round marks
  // at least one more variable.
  do {
    changed_ = false;
    visit(function.body, true);
  } while (changed_);
}

bool Uniformity::isUniform(const Expr *expr) const {
  if (!expr)
    return true;
  bool differs = (expr->kind == ExprKind::World && WorldValue(expr->number) != WorldValue::Ranks) ||
                 expr->kind == ExprKind::Intrinsic || expr->kind == ExprKind::Call ||
                 (expr->kind == ExprKind::Variable && differing_.contains(expr->variable));
  return !differs && llvm::all_of(expr->ops, [&](const Expr *op) { return isUniform(op); });
}

bool Uniformity::isUniform(const Stmt &stmt) const {
  return isUniform(stmt.value) &&
         llvm::all_of(stmt.ops, [&](const Expr *op) { return isUniform(op); });
}

void Uniformity::mark(const Variable *variable) {
  if (variable)
    changed_ |= differing_.insert(variable).second;
}

void Uniformity::visit(llvm::ArrayRef<Stmt *> body, bool together) {
  for (const Stmt *stmt : body) {
    bool isSame = isUniform(*stmt);
    if (stmt->variable && (!isSame || !together))
      mark(stmt->variable);
    visit(stmt->body, together && isSame);
    visit(stmt->otherwise, together && isSame);
  }
}

} // namespace pto::lower_detail
