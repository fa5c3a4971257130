#include "check/trial.h"

#include "check/fold.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

using namespace program;

void Trial::run(const Function &function, llvm::ArrayRef<Known> args,
                llvm::ArrayRef<TrialView> views) {
  for (size_t i = 0; i != function.params.size() && i != args.size(); ++i) {
    values_[function.params[i]] = args[i];
    if (i < views.size() && function.params[i]->type.isSignal)
      views_[function.params[i]] = views[i];
    if (function.params[i]->type.isView())
      ranks_[function.params[i]] = agent.rank; // A host passes views of its own rank.
  }
  (void)body(function.body);
}

Known Trial::peek(const Expr *expr) {
  bool wasQuiet = std::exchange(isQuiet_, true);
  Known result = value(expr);
  isQuiet_ = wasQuiet;
  return result;
}

std::optional<int64_t> Trial::number(const Expr *expr) {
  Known known = expr && expr->type.isInteger() ? peek(expr) : std::nullopt;
  return known ? std::optional(int64_t(*known)) : std::nullopt;
}

std::optional<int64_t> Trial::rankOf(const Expr *view) {
  switch (view->kind) {
  case ExprKind::Object:
    return agent.rank;
  case ExprKind::Peer:
    return number(view->ops[1]);
  case ExprKind::Variable:
    return ranks_.lookup(view->variable);
  case ExprKind::Index:
  case ExprKind::Slice:
  case ExprKind::Reshape:
  case ExprKind::Strided:
    return rankOf(view->ops[0]);
  default:
    return std::nullopt;
  }
}

Known Trial::world(WorldValue which) const {
  const std::optional<int32_t> values[] = {agent.rank, agent.ranks, agent.block, agent.blocks};
  std::optional<int32_t> value = values[size_t(which)];
  return value ? Known(ScalarBits(int64_t(*value))) : std::nullopt;
}

/// Whether more than a value may come of it.
static bool acts(const Expr *expr) {
  return expr && (expr->kind == ExprKind::Intrinsic || expr->kind == ExprKind::Call ||
                  llvm::any_of(expr->ops, acts));
}

/// The right side of `&&` and `||` is executed only where the left one asks for it.
Known Trial::binary(const Expr &expr) {
  auto op = BinaryOp(expr.number);
  Known left = value(expr.ops[0]);
  if (op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr) {
    bool isDecided = left && (*left != 0) == (op == BinaryOp::LogicalOr);
    if (isDecided)
      return left;
    if (!left && !isQuiet_ && acts(expr.ops[1]))
      observer_.passedOver();
    return left ? value(expr.ops[1]) : std::nullopt;
  }
  Known right = value(expr.ops[1]);
  ScalarType type = expr.ops[0]->type.scalar;
  bool divides = op == BinaryOp::Divide || op == BinaryOp::Remainder;
  if (!left || !right || (divides && !info(type).isFloat() && *right == 0))
    return std::nullopt;
  return normalise(expr.type.scalar, foldBinary(op, type, *left, *right));
}

Known Trial::call(const Expr &expr) {
  const Function &function = *expr.function;
  llvm::SmallVector<Known, 4> args;
  llvm::SmallVector<std::optional<int64_t>, 4> ranks;
  llvm::SmallVector<TrialView, 4> views;
  for (const Expr *arg : expr.ops) {
    args.push_back(value(arg));
    ranks.push_back(arg->type.isView() ? rankOf(arg) : std::nullopt);
    views.push_back(arg->type.isSignal && !isQuiet_ ? view(arg) : TrialView());
  }
  if (isQuiet_)
    return std::nullopt; // It has been executed, or is not to be.
  for (size_t i = 0; i != function.params.size() && i != args.size(); ++i) {
    values_[function.params[i]] = args[i];
    ranks_[function.params[i]] = ranks[i];
    if (function.params[i]->type.isSignal)
      views_[function.params[i]] = views[i];
  }
  result_ = std::nullopt;
  (void)body(function.body);
  return isLost_ ? std::nullopt : std::exchange(result_, std::nullopt);
}

Known Trial::unary(const Expr &expr) {
  Known of = value(expr.ops[0]);
  if (!of || info(expr.type.scalar).isFloat())
    return std::nullopt;
  auto op = UnaryOp(expr.number);
  return normalise(expr.type.scalar, op == UnaryOp::Negate   ? 0 - *of
                                     : op == UnaryOp::BitNot ? ~*of
                                                             : ScalarBits(*of == 0));
}

Known Trial::value(const Expr *expr) {
  if (!expr || isLost_)
    return std::nullopt;
  if (budget_ == 0) {
    isLost_ = true;
    return std::nullopt;
  }
  --budget_;
  switch (expr->kind) {
  case ExprKind::Constant:
    return expr->bits;
  case ExprKind::World:
    return world(WorldValue(expr->number));
  case ExprKind::Variable:
    return values_.lookup(expr->variable);
  case ExprKind::Binary:
    return binary(*expr);
  case ExprKind::Call:
    return call(*expr);
  case ExprKind::Unary:
    return unary(*expr);
  case ExprKind::Extent:
    return extent(*expr);
  case ExprKind::Convert:
    if (Known of = value(expr->ops[0]))
      return convert(expr->type.scalar, expr->ops[0]->type.scalar, *of);
    return std::nullopt;
  default:
    for (const Expr *op : expr->ops)
      (void)value(op);
  }
  bool acts = expr->kind == ExprKind::Intrinsic || expr->kind == ExprKind::Session ||
              expr->kind == ExprKind::Peer;
  if (acts && !isQuiet_ && !isLost_)
    observer_.operation(*expr, *this);
  return std::nullopt;
}

/// Whether control may go elsewhere than to the end of the statements.
static bool mayLeave(llvm::ArrayRef<Stmt *> statements, bool isLoop) {
  for (const Stmt *stmt : statements) {
    bool leaves = stmt->kind == StmtKind::Return ||
                  (!isLoop && (stmt->kind == StmtKind::Break || stmt->kind == StmtKind::Continue));
    bool isInner = isLoop || stmt->kind == StmtKind::For || stmt->kind == StmtKind::While;
    if (leaves || mayLeave(stmt->body, isInner) || mayLeave(stmt->otherwise, isInner))
      return true;
  }
  return false;
}

/// Forgets what the statements may change.
void Trial::passOver(llvm::ArrayRef<Stmt *> statements, bool isLoop) {
  observer_.passedOver();
  isLost_ |= mayLeave(statements, isLoop);
  auto forget = [&](auto &self, llvm::ArrayRef<Stmt *> body) -> void {
    for (const Stmt *stmt : body) {
      if (stmt->variable) {
        values_[stmt->variable] = std::nullopt;
        ranks_[stmt->variable] = std::nullopt;
        views_.erase(stmt->variable);
      }
      self(self, stmt->body);
      self(self, stmt->otherwise);
    }
  };
  forget(forget, statements);
}

Trial::Flow Trial::body(llvm::ArrayRef<Stmt *> statements) {
  for (const Stmt *stmt : statements) {
    if (isLost_)
      return Flow::Return;
    if (Flow flow = statement(*stmt); flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

void Trial::define(const Stmt &stmt) {
  // Which way an `else` goes is for the run to say, and what fails there is handled.
  if (!stmt.otherwise.empty()) {
    isLost_ = true;
    return;
  }
  Known known = value(stmt.value);
  values_[stmt.variable] = known;
  if (stmt.value && stmt.value->type.isView())
    ranks_[stmt.variable] = rankOf(stmt.value);
  if (stmt.value && stmt.value->type.isSignal)
    views_[stmt.variable] = view(stmt.value);
}

Trial::Flow Trial::statement(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Block:
    return body(stmt.body);
  case StmtKind::Define:
  case StmtKind::Assign:
    define(stmt);
    return Flow::Next;
  case StmtKind::Evaluate:
  case StmtKind::Assert:
    (void)value(stmt.value);
    return Flow::Next;
  case StmtKind::If:
    return branch(stmt);
  case StmtKind::While:
    return whileLoop(stmt);
  case StmtKind::For:
    return forLoop(stmt);
  case StmtKind::Break:
    return Flow::Break;
  case StmtKind::Continue:
    return Flow::Continue;
  case StmtKind::Return: {
    Known known = value(stmt.value);
    result_ = known;
    return Flow::Return;
  }
  case StmtKind::Print:
    for (const Expr *op : stmt.ops)
      (void)value(op);
    return Flow::Next;
  default:
    observer_.statement(stmt, *this);
    return Flow::Next;
  }
}

Trial::Flow Trial::branch(const Stmt &stmt) {
  Known condition = value(stmt.value);
  if (condition)
    return body(*condition != 0 ? stmt.body : stmt.otherwise);
  passOver(stmt.body, false);
  passOver(stmt.otherwise, false);
  return Flow::Next;
}

Trial::Flow Trial::whileLoop(const Stmt &stmt) {
  while (!isLost_) {
    Known condition = stmt.value ? value(stmt.value) : Known(1);
    if (!condition) {
      passOver(stmt.body, true);
      return Flow::Next;
    }
    if (*condition == 0)
      return Flow::Next;
    Flow flow = body(stmt.body);
    if (flow == Flow::Break)
      return Flow::Next;
    if (flow == Flow::Return)
      return flow;
    budget_ -= budget_ == 0 ? 0 : 1;
    isLost_ |= budget_ == 0;
  }
  return Flow::Return;
}

Trial::Flow Trial::forLoop(const Stmt &stmt) {
  (void)value(stmt.ops[0]);
  (void)value(stmt.ops[1]);
  std::optional<int64_t> low = number(stmt.ops[0]), high = number(stmt.ops[1]),
                         step = stmt.ops[2] ? number(stmt.ops[2]) : 1;
  if (!low || !high || !step || *step < 1) {
    passOver(stmt.body, true);
    return Flow::Next;
  }
  for (int64_t i = *low; i < *high && !isLost_;) {
    values_[stmt.variable] = ScalarBits(i);
    Flow flow = body(stmt.body);
    if (flow == Flow::Break)
      break;
    if (flow == Flow::Return)
      return flow;
    budget_ -= budget_ == 0 ? 0 : 1;
    isLost_ |= budget_ == 0;
    if (__builtin_add_overflow(i, *step, &i))
      break;
  }
  return isLost_ ? Flow::Return : Flow::Next;
}

} // namespace pto::check_detail
