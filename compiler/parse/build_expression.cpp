// Expressions: the grammar's flat chains become trees here.
#include "parse/build.h"

#include "parse/lex.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace pto {

namespace {
template <typename Op> struct Row {
  Op op;
  llvm::StringLiteral spelling;
};
constexpr Row<ast::BinaryOp> kBinary[] = {
#define PTO_BINARY(Enum, Spelling, ...) {ast::BinaryOp::Enum, Spelling},
#include "base/operator.def"
};
constexpr Row<ast::BinaryOp> kAssign[] = {
#define PTO_ASSIGN(Enum, Spelling) {ast::BinaryOp::Enum, Spelling},
#include "base/operator.def"
};
constexpr Row<ast::UnaryOp> kUnary[] = {
#define PTO_UNARY(Enum, Spelling) {ast::UnaryOp::Enum, Spelling},
#include "base/operator.def"
};

template <typename Op> std::optional<Op> find(llvm::ArrayRef<Row<Op>> rows, size_t token) {
  StringRef spelling = tokenSpelling(token);
  for (const Row<Op> &row : rows)
    if (row.spelling == spelling)
      return row.op;
  return std::nullopt;
}
} // namespace

std::optional<ast::BinaryOp> binaryOp(size_t token) { return find(llvm::ArrayRef(kBinary), token); }
std::optional<ast::BinaryOp> assignOp(size_t token) { return find(llvm::ArrayRef(kAssign), token); }
std::optional<ast::UnaryOp> unaryOp(size_t token) { return find(llvm::ArrayRef(kUnary), token); }

ast::Expr *Builder::value(PtoParser::ValueContext *context) {
  if (!context)
    return nullptr;
  return context->map ? map(*context->map) : expr(context->plain);
}

llvm::ArrayRef<ast::Expr *> Builder::exprs(llvm::ArrayRef<PtoParser::ExprContext *> contexts) {
  llvm::SmallVector<ast::Expr *, 8> nodes;
  for (PtoParser::ExprContext *context : contexts)
    if (ast::Expr *node = expr(context))
      nodes.push_back(node);
  return file_.copy(llvm::ArrayRef<ast::Expr *>(nodes));
}

llvm::ArrayRef<ast::Expr *> Builder::values(llvm::ArrayRef<PtoParser::ValueContext *> contexts) {
  llvm::SmallVector<ast::Expr *, 8> nodes;
  for (PtoParser::ValueContext *context : contexts)
    if (ast::Expr *node = value(context))
      nodes.push_back(node);
  return file_.copy(llvm::ArrayRef<ast::Expr *>(nodes));
}

ast::Expr *Builder::expr(PtoParser::ExprContext *context) {
  if (!context || context->operands.empty())
    return nullptr;
  Descent level = descend(context->operators.size(), *context);
  if (level.isTooDeep())
    return nullptr;
  size_t at = 0;
  return climb(*context, at, 0);
}

/// Precedence climbing: takes the operand at `at` and all operators that bind at least as tightly
/// as `minimum`. Recursion is as deep as there are precedences.
ast::Expr *Builder::climb(PtoParser::ExprContext &chain, size_t &at, unsigned minimum) {
  size_t first = at;
  ast::Expr *left = operand(*chain.operands[at]);
  while (at < chain.operators.size() && at + 1 < chain.operands.size()) {
    std::optional<ast::BinaryOp> op = binaryOp(chain.operators[at]->start->getType());
    PTO_CHECK(op, "an operator of the grammar is missing in operator.def");
    if (ast::precedence(*op) < minimum)
      break;
    ++at;
    ast::Expr *right = climb(chain, at, ast::precedence(*op) + 1);
    auto *node = file_.make<ast::BinaryExpr>(range(*chain.operands[first], *chain.operands[at]));
    node->left = left;
    node->op = *op;
    node->right = right;
    left = node;
  }
  return left;
}

ast::Expr *Builder::operand(PtoParser::OperandContext &context) {
  Descent level = descend(context.prefixes.size() + context.suffixes.size(), context);
  if (level.isTooDeep())
    return nullptr;
  ast::Expr *node = primary(context);
  SourceRange first = context.literal || context.named
                          ? range(context.literal ? *context.literal : *context.named)
                      : context.inner ? range(*context.inner)
                                      : range(context);
  for (PtoParser::SuffixContext *one : context.suffixes)
    node = suffix(node, *one, first.to(range(*one)));
  for (const Token *prefix : llvm::reverse(context.prefixes)) {
    auto *unary = file_.make<ast::UnaryExpr>(range(*prefix).to(range(context)));
    std::optional<ast::UnaryOp> op = unaryOp(prefix->getType());
    PTO_CHECK(op, "an operator of the grammar is missing in operator.def");
    unary->op = *op;
    unary->operand = node;
    node = unary;
  }
  return node;
}

} // namespace pto
