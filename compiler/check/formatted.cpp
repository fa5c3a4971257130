//===- formatted.cpp - print and assert, which fill the slots of a text -------------===//

#include "check/body.h"

namespace pto::check_detail {

/// One argument of print or assert: the condition, the text, or a value for it; false after a
/// finding.
bool Body::takeFormatArgument(const ast::Expr &written, bool isAssert, Stmt *stmt,
                              llvm::SmallVectorImpl<Expr *> &ops) {
  if (isAssert && !stmt->value) {
    stmt->value = checkAs(&written, Type::of(ScalarType::Bool));
    return true;
  }
  bool hasText = stmt->text.data() != nullptr;
  if (const auto *string = llvm::dyn_cast<ast::StringLiteral>(&written); string && !hasText) {
    stmt->text = checker_.stringValue(*string);
    return true;
  }
  Expr *value = check(&written);
  if (value->type.isError())
    return false;
  if (!hasText || !value->type.isScalar()) {
    sink_.report<Rule::TypeMismatch>(value->range, hasText ? "a scalar" : "a text in quotes",
                                     text(value->type, value->facts));
    return false;
  }
  value->isLiteral = false;
  ops.push_back(value);
  return true;
}

Stmt *Body::checkFormatted(const ast::CallExpr &call, bool isAssert) {
  Stmt *stmt = make(isAssert ? StmtKind::Assert : StmtKind::Print, call.range);
  llvm::SmallVector<Expr *, 4> ops;
  for (const ast::Part *part : call.arguments) {
    const auto *argument = llvm::dyn_cast_or_null<ast::Argument>(part);
    if (!argument || !argument->value || !takeFormatArgument(*argument->value, isAssert, stmt, ops))
      return nullptr;
  }
  bool hasText = stmt->text.data() != nullptr;
  if ((isAssert && !stmt->value) || (!isAssert && !hasText) ||
      stmt->text.count("{}") != ops.size()) {
    sink_.report<Rule::WrongArguments>(
        call.range, isAssert ? "`assert(condition, \"text {}\", x)` takes a condition, "
                               "and a value for each {} of its text"
                             : "`print(\"text {}\", x)` takes a text, and a value for "
                               "each {} in it");
    return nullptr;
  }
  if (isAssert && !hasText && stmt->value->range.valid())
    stmt->text = checker_.sources.text(stmt->value->range);
  stmt->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return stmt;
}

} // namespace pto::check_detail
