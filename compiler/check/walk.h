//===- walk.h - visits what a body is made of -------------------*- C++ -*-===//
#ifndef PTO_CHECK_WALK_H
#define PTO_CHECK_WALK_H

#include "program/program.h"

namespace pto::check_detail {

/// Calls `onExpr` for every expression and `onStmt` for every statement, outer ones first, in the
/// order of the text.
template <typename OnExpr, typename OnStmt> struct Walker {
  OnExpr onExpr;
  OnStmt onStmt;
  void expr(const program::Expr *expr) {
    if (!expr)
      return;
    onExpr(*expr);
    for (const program::Expr *op : expr->ops)
      this->expr(op);
  }
  void body(llvm::ArrayRef<program::Stmt *> statements) {
    for (const program::Stmt *stmt : statements) {
      onStmt(*stmt);
      expr(stmt->value);
      expr(stmt->where);
      expr(stmt->blocks);
      expr(stmt->stream);
      for (const program::Expr *op : stmt->ops)
        expr(op);
      body(stmt->body);
      body(stmt->otherwise);
    }
  }
};
template <typename OnExpr, typename OnStmt>
void walk(const program::Function &function, OnExpr onExpr, OnStmt onStmt) {
  Walker<OnExpr, OnStmt>{onExpr, onStmt}.body(function.body);
}

} // namespace pto::check_detail

#endif
