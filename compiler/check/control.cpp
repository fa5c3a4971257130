//===- control.cpp - branches, loops, returns ------------------------------------------===//

#include "check/body.h"

namespace pto::check_detail {

Stmt *Body::checkIf(const ast::IfStmt &stmt) {
  Stmt *made = make(StmtKind::If, stmt.range);
  made->value = checkAs(stmt.condition, Type::of(ScalarType::Bool));
  bool isChosen = isChosenByEnumerator(stmt.condition) && made->value->kind == ExprKind::Constant;
  made->body = checkBlock(stmt.then);
  if (stmt.otherwise)
    made->otherwise = checkBlock(stmt.otherwise);
  if (!isChosen)
    return made;
  // This instance is of one enumerator, so the other branch is no part of it.
  Stmt *taken = make(StmtKind::Block, stmt.range);
  taken->body = made->value->bits ? made->body : made->otherwise;
  return taken;
}

Stmt *Body::checkFor(const ast::ForStmt &stmt) {
  Expr *low = check(stmt.low);
  Expr *high = check(stmt.high);
  if (!low->type.isError() && !high->type.isError())
    unify(BinaryOp::Less, low, high, stmt.low->range.to(stmt.high->range));
  Type type = low->type.isInteger()    ? low->type
              : high->type.isInteger() ? high->type
                                       : Type::of(ScalarType::I32);
  for (Expr *bound : {low, high})
    (void)requireInteger(bound);
  Expr *step = stmt.step ? checkAs(stmt.step, type) : nullptr;
  if (step && step->value.constant() && *step->value.constant() < 1 && !step->type.isError())
    sink_.report<Rule::BadShape>(step->range, "a step is at least 1");
  Stmt *made = make(StmtKind::For, stmt.range);
  made->ops = list({low, high, step});
  scopes_.emplace_back();
  ++loops_;
  made->variable = define(stmt.name, type, false, rangeOf(stmt.name, stmt.range));
  made->body = checkBlock(stmt.body);
  --loops_;
  scopes_.pop_back();
  return made;
}

Stmt *Body::checkLoop(const ast::Expr *condition, const ast::Stmt *body, SourceRange range) {
  Stmt *made = make(StmtKind::While, range);
  if (condition)
    made->value = checkAs(condition, Type::of(ScalarType::Bool));
  ++loops_;
  made->body = checkBlock(body);
  --loops_;
  return made;
}

Stmt *Body::checkJump(StmtKind kind, SourceRange range) {
  if (loops_ == 0) {
    sink_.report<Rule::BadForm>(range, kind == StmtKind::Break
                                           ? "`break` stands outside every loop"
                                           : "`continue` stands outside every loop");
    return nullptr;
  }
  return make(kind, range);
}

Stmt *Body::checkReturn(const ast::ReturnStmt &stmt) {
  Stmt *made = make(StmtKind::Return, stmt.range);
  bool wantsValue = function_->result.kind != TypeKind::Void;
  if (stmt.value && !wantsValue)
    sink_.report<Rule::TypeMismatch>(stmt.value->range, "no value, since none is declared", "one");
  else if (!stmt.value && wantsValue)
    sink_.report<Rule::TypeMismatch>(stmt.range, text(function_->result), "no value");
  if (!stmt.value || !wantsValue)
    return made;
  made->value = checkAs(stmt.value, function_->result);
  checkFrom(stmt.from, made->value);
  return made;
}

} // namespace pto::check_detail
