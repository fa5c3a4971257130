// Statements of device code and of both worlds; those of hosts alone are in build_host.cpp.
#include "parse/build.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace pto {

ast::Stmt *Builder::block(PtoParser::BlockContext *context) {
  if (!context)
    return nullptr;
  Descent level = descend(1, *context);
  if (level.isTooDeep())
    return nullptr;
  auto *node = file_.make<ast::Block>(range(*context));
  node->statements = list<ast::Stmt>(
      context->statements, [this](PtoParser::StatementContext &one) { return statement(one); });
  return node;
}

ast::Stmt *Builder::statement(PtoParser::StatementContext &context) {
  Descent level = descend(1, context);
  ast::Stmt *node = level.isTooDeep() ? nullptr : statementKind(context);
  if (context.stray)
    straySemicolon(*context.stray);
  if (!node)
    return nullptr;
  node->range = range(context);
  node->allows = allows(context.attributes);
  return node;
}

ast::Stmt *Builder::statementKind(PtoParser::StatementContext &context) {
  if (auto *loop = context.loop) {
    auto *node = file_.make<ast::LoopStmt>(range(*loop));
    node->body = block(loop->body);
    return node;
  }
  if (auto *result = context.return_) {
    auto *node = file_.make<ast::ReturnStmt>(range(*result));
    node->value = value(result->result);
    node->after = after(result->clauses);
    node->from = from(result->clauses, true);
    return node;
  }
  return context.operation ? operationStatement(*context.operation)
         : context.let     ? letStatement(*context.let)
         : context.inner   ? block(context.inner)
         : context.tile    ? tileStatement(*context.tile)
         : context.if_     ? ifStatement(*context.if_)
         : context.for_    ? forStatement(*context.for_)
         : context.while_  ? whileStatement(*context.while_)
         : context.word_   ? wordStatement(*context.word_)
         : context.fill    ? fillStatement(*context.fill)
         : context.save    ? saveStatement(*context.save)
         : context.launch  ? launchStatement(*context.launch)
         : context.expect  ? expectStatement(*context.expect)
                           : nullptr;
}

ast::Stmt *Builder::letStatement(PtoParser::LetStatementContext &context) {
  auto *node = file_.make<ast::LetStmt>(range(context));
  node->isVar = context.kind->getType() == PtoParser::VAR;
  node->name = text(context.bound);
  node->type = type(context.of);
  node->value = value(context.initial);
  node->after = after(context.clauses);
  node->from = from(context.clauses, true);
  node->otherwise = block(context.otherwise);
  if (!context.initial)
    badForm(range(context), llvm::formatv("`{0}` has no value: write `{1} {0} = ...;`", node->name,
                                          text(context.kind))
                                .str());
  return node;
}

ast::Stmt *Builder::tileStatement(PtoParser::TileStatementContext &context) {
  auto *node = file_.make<ast::TileStmt>(range(context));
  node->name = text(context.bound);
  node->type = type(context.of);
  node->at = expr(context.offset);
  node->valid = exprs(context.valid);
  return node;
}

/// The tree nests to the right, so a chain is built from its end. A branch without a condition
/// must be the last; the grammar cannot say so on one token.
ast::Stmt *Builder::ifStatement(PtoParser::IfStatementContext &context) {
  Descent level = descend(context.branches.size(), context);
  if (level.isTooDeep())
    return nullptr;
  SourceRange end = range(context);
  ast::Stmt *otherwise = nullptr;
  for (size_t i = context.branches.size(); i-- != 0;) {
    PtoParser::ElseBranchContext &branch = *context.branches[i];
    if (!branch.if_) {
      if (i + 1 != context.branches.size())
        badForm(range(*context.branches[i + 1]->start),
                "an `else` without a condition is the last branch");
      otherwise = block(branch.body);
      continue;
    }
    auto *node = file_.make<ast::IfStmt>(range(*branch.if_).to(end));
    node->condition = expr(branch.condition);
    node->then = block(branch.body);
    node->otherwise = otherwise;
    otherwise = node;
  }
  auto *node = file_.make<ast::IfStmt>(end);
  node->condition = expr(context.condition);
  node->then = block(context.then);
  node->otherwise = otherwise;
  return node;
}

ast::Stmt *Builder::forStatement(PtoParser::ForStatementContext &context) {
  auto *node = file_.make<ast::ForStmt>(range(context));
  node->name = text(context.bound);
  node->low = expr(context.low);
  node->high = expr(context.high);
  node->step = expr(context.stride);
  node->body = block(context.body);
  return node;
}

ast::Stmt *Builder::whileStatement(PtoParser::WhileStatementContext &context) {
  auto *node = file_.make<ast::WhileStmt>(range(context));
  node->condition = expr(context.condition);
  node->body = block(context.body);
  return node;
}

ast::Stmt *Builder::wordStatement(PtoParser::WordStatementContext &context) {
  SourceRange at = range(context);
  switch (context.kind->getType()) {
  case PtoParser::BREAK:
    return file_.make<ast::BreakStmt>(at);
  case PtoParser::CONTINUE:
    return file_.make<ast::ContinueStmt>(at);
  case PtoParser::SYNC:
    return file_.make<ast::SyncStmt>(at);
  default:
    return file_.make<ast::YieldStmt>(at);
  }
}

ast::Stmt *Builder::operationStatement(PtoParser::OperationStatementContext &context) {
  if (!context.op) {
    auto *node = file_.make<ast::ExprStmt>(range(context));
    node->value = expr(context.target);
    node->after = after(context.clauses);
    node->from = from(context.clauses, true);
    return node;
  }
  auto *node = file_.make<ast::AssignStmt>(range(context));
  std::optional<ast::BinaryOp> op = assignOp(context.op->start->getType());
  node->target = expr(context.target);
  node->isCompound = op.has_value();
  node->op = op.value_or(ast::BinaryOp(0));
  node->value = value(context.given);
  node->after = after(context.clauses);
  (void)from(context.clauses, false);
  return node;
}

llvm::ArrayRef<ast::Expr *> Builder::after(llvm::ArrayRef<PtoParser::ClauseContext *> clauses) {
  llvm::SmallVector<ast::Expr *, 4> tokens;
  for (PtoParser::ClauseContext *clause : clauses)
    for (PtoParser::ExprContext *token : clause->tokens_)
      if (ast::Expr *node = expr(token))
        tokens.push_back(node);
  return file_.copy(llvm::ArrayRef<ast::Expr *>(tokens));
}

ast::Expr *Builder::from(llvm::ArrayRef<PtoParser::ClauseContext *> clauses, bool isAllowed) {
  ast::Expr *peer = nullptr;
  for (PtoParser::ClauseContext *clause : clauses) {
    if (!clause->from)
      continue;
    if (!isAllowed)
      badForm(range(*clause), "an assignment awaits nobody, so it takes no `from`");
    else if (peer)
      badForm(range(*clause), "a wait is for one rank: there is a `from` already");
    else
      peer = expr(clause->peer);
  }
  return peer;
}

} // namespace pto
