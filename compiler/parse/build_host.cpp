// Statements that only hosts and tests have.
#include "parse/build.h"

namespace pto {

ast::Stmt *Builder::fillStatement(PtoParser::FillStatementContext &context) {
  auto *node = file_.make<ast::FillStmt>(range(context));
  node->name = joined(context.bound);
  node->indices = exprs(context.indices);
  node->value = expr(context.with);
  node->file = unquoted(context.filePath);
  node->where = expr(context.where);
  if (context.filePath && !context.indices.empty())
    badForm(range(*context.indices.front()), "a file fills the whole window, so there is no index");
  return node;
}

ast::Stmt *Builder::saveStatement(PtoParser::SaveStatementContext &context) {
  auto *node = file_.make<ast::SaveStmt>(range(context));
  node->name = joined(context.bound);
  node->file = unquoted(context.filePath);
  return node;
}

ast::Stmt *Builder::launchStatement(PtoParser::LaunchStatementContext &context) {
  auto *node = file_.make<ast::LaunchStmt>(range(context));
  node->name = joined(context.callee);
  node->arguments = arguments(context.given);
  for (PtoParser::LaunchClauseContext *clause : context.clauses) {
    ast::Expr *&slot = clause->blocks ? node->blocks : node->stream;
    if (slot)
      badForm(range(*clause), clause->blocks ? "the number of blocks is given already"
                                             : "the stream is given already");
    slot = expr(clause->count);
  }
  return node;
}

ast::Stmt *Builder::expectStatement(PtoParser::ExpectStatementContext &context) {
  if (context.rule_) {
    auto *node = file_.make<ast::ExpectViolationStmt>(range(context));
    node->slug = joined(context.rule_);
    return node;
  }
  auto *node = file_.make<ast::ExpectStmt>(range(context));
  node->condition = expr(context.condition);
  node->within = expr(context.tolerance);
  node->where = expr(context.where);
  return node;
}

} // namespace pto
