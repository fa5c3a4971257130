//===- walk.h - visits what a body is made of -------------------*- C++ -*-===//
#ifndef PTO_PROGRAM_WALK_H
#define PTO_PROGRAM_WALK_H

#include "program/program.h"

namespace pto::program {

/// Calls `visit(stmt, isConditional)` for every statement, outer ones first, in the order of the
/// text; `isConditional`: it stands under an `if`.
template <typename Visit>
void walkStatements(llvm::ArrayRef<Stmt *> body, Visit visit, bool isConditional = false) {
  for (const Stmt *stmt : body) {
    visit(*stmt, isConditional);
    bool isInside = isConditional || stmt->kind == StmtKind::If;
    walkStatements<Visit &>(stmt->body, visit, isInside);
    walkStatements<Visit &>(stmt->otherwise, visit, isInside);
  }
}

/// The same for an expression and its operands.
template <typename Visit> void walkExpressions(const Expr *expr, Visit visit) {
  if (!expr)
    return;
  visit(*expr);
  for (const Expr *op : expr->ops)
    walkExpressions<Visit &>(op, visit);
}

/// Both, of a whole function: a statement before its expressions.
template <typename OnExpr, typename OnStmt>
void walk(const Function &function, OnExpr onExpr, OnStmt onStmt) {
  walkStatements(function.body, [&](const Stmt &stmt, bool) {
    onStmt(stmt);
    for (const Expr *expr : {stmt.value, stmt.where, stmt.blocks, stmt.stream})
      walkExpressions<OnExpr &>(expr, onExpr);
    for (const Expr *op : stmt.ops)
      walkExpressions<OnExpr &>(op, onExpr);
  });
}

} // namespace pto::program

#endif
