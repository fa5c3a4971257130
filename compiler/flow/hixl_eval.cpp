// Expressions of host code: each leaves one value on top of every path.

#include "flow/hixl_walk.h"

#include "base/operator.h"
#include "program/walk.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using program::ExprKind;
using program::TypeKind;

/// Without calls, so that it is the same wherever it is asked.
bool HostWalk::isPure(const Expr &expr) {
  auto [known, isNew] = purity_.try_emplace(&expr, true);
  if (!isNew)
    return known->second;
  bool isPure = true;
  program::walkExpressions(&expr, [&](const Expr &part) {
    isPure &= part.kind != ExprKind::Intrinsic && part.kind != ExprKind::Call;
  });
  return purity_[&expr] = isPure;
}

/// What a call makes in this function, called from here, in this turn of the loops that are taken
/// turn by turn.
ThingId HostWalk::nameOf(const Expr &expr) {
  std::vector<std::pair<const void *, int64_t>> key(context_.begin(), context_.end());
  key.emplace_back(&expr, 0);
  return names_.try_emplace(std::move(key), ThingId(names_.size() + 1)).first->second;
}

void HostWalk::push(Paths &paths, Value value) {
  for (Path &path : paths)
    path.stack.push_back(value);
}

void HostWalk::evaluateBranch(const Expr &expr, Paths &paths) {
  Paths yes, no;
  branch(expr, std::move(paths), yes, no);
  push(yes, Value::of(1));
  push(no, Value::of(0));
  paths = std::move(yes);
  add(paths, std::move(no));
}

void HostWalk::evaluate(const Expr &expr, Paths &paths, bool isDropped) {
  if (isPure(expr)) {
    for (Path &path : paths)
      path.stack.push_back(values_.valueOf(expr, path.state));
    return;
  }
  switch (expr.kind) {
  case ExprKind::Unary:
    evaluate(*expr.ops[0], paths);
    for (Path &path : paths)
      path.stack.back() = HostValues::combine(UnaryOp(expr.number), path.stack.back());
    return;
  case ExprKind::Binary: {
    auto op = BinaryOp(expr.number);
    if (op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr)
      return evaluateBranch(expr, paths);
    evaluate(*expr.ops[0], paths);
    evaluate(*expr.ops[1], paths);
    for (Path &path : paths) {
      Value b = path.pop(), a = path.pop();
      path.stack.push_back(HostValues::combine(op, expr.ops[0]->type, a, b, path.state));
    }
    return;
  }
  case ExprKind::Convert:
    evaluate(*expr.ops[0], paths);
    if (!expr.type.isInteger() || !expr.ops[0]->type.isInteger())
      for (Path &path : paths)
        path.stack.back() = {};
    return;
  case ExprKind::Call:
    return evaluateCall(expr, paths);
  case ExprKind::Intrinsic:
    return evaluateIntrinsic(expr, paths, isDropped);
  default:
    push(paths, {});
  }
}

/// Texts, maps and ranges are read where they are used.
static bool hasValue(const Expr *op) { return op && (op->type.isScalar() || op->type.isHixl()); }

void HostWalk::evaluateIntrinsic(const Expr &expr, Paths &paths, bool isDropped) {
  const IntrinsicInfo &row = info(expr.intrinsic);
  int verb = row.param("verb");
  bool isHixl = verb >= 0 && row.params[size_t(verb)].kind == ParamKind::HixlVerb;
  auto which = isHixl ? HixlVerb(row.params[size_t(verb)].fixed) : HixlVerb::Engine;
  for (const Expr *op : expr.ops)
    if (hasValue(op))
      evaluate(*op, paths);
    else
      push(paths, {});
  if (isHixl && which == HixlVerb::Engine)
    return makeEngine(expr, paths);
  if (isHixl && hixlCallOf(which) && which != HixlVerb::GetCapability)
    return makeCall(expr, paths, isDropped);
  for (Path &path : paths) {
    Value value;
    Value engine = expr.ops.empty() ? Value() : path.stack[path.stack.size() - expr.ops.size()];
    auto asked = path.state.engines.find(ThingId(engine.number));
    if (isHixl && which == HixlVerb::Status && engine.kind == Value::Kind::Engine &&
        asked != path.state.engines.end())
      value = asked->second.last;
    path.stack.truncate(path.stack.size() - expr.ops.size());
    path.stack.push_back(value);
  }
}

void HostWalk::makeEngine(const Expr &expr, Paths &paths) {
  ThingId id = nameOf(expr);
  for (Path &path : paths) {
    path.stack.truncate(path.stack.size() - expr.ops.size());
    EngineState &engine = path.state.engines[id];
    bool isLost = (engine.life & Life::Ready) != 0; // Of an earlier turn: there are two of it.
    engine = {};
    engine.made = &expr;
    engine.name = values_.textOf(expr.ops.empty() ? nullptr : expr.ops[0], path.state);
    if (isLost)
      engine.life = Life::Any;
    path.stack.push_back(Value::thing(Value::Kind::Engine, id));
  }
}

void HostWalk::makeCall(const Expr &expr, Paths &paths, bool isDropped) {
  const IntrinsicInfo &row = info(expr.intrinsic);
  HixlCallKind kind = *hixlCallOf(HixlVerb(row.params[size_t(row.param("verb"))].fixed));
  size_t operands = expr.ops.size();
  int remoteAt = row.param("remote");
  const Expr *remote = remoteAt >= 0 ? expr.ops[size_t(remoteAt)] : nullptr;
  std::vector<HixlAct> acts;
  for (const Path &path : paths) {
    llvm::ArrayRef<Value> values = llvm::ArrayRef(path.stack).take_back(operands);
    auto engine = path.state.engines.find(ThingId(values[0].number));
    if (values[0].kind != Value::Kind::Engine || engine == path.state.engines.end())
      continue;
    std::optional<std::string> name = values_.textOf(remote, path.state);
    std::string text = name ? *name : remote ? remote->text.str() : "";
    acts.push_back({expr, kind, world_, values_, path.state, engine->first, &engine->second,
                    std::move(name), std::move(text), values});
  }
  bool isWhole = acts.size() == paths.size();
  if (isWhole && !acts.empty())
    judgeCall(expr, acts, reports_);
  Paths after;
  ThingId made = nameOf(expr);
  if (!isWhole) { // Any engine it may be.
    for (Path &path : paths) {
      path.state.blur();
      path.stack.truncate(path.stack.size() - operands);
      path.stack.push_back({});
    }
    return;
  }
  for (auto [path, act] : llvm::zip(paths, acts))
    for (HixlOutcome &outcome : outcomesOf(act, made, isDropped)) {
      Path next{std::move(outcome.state), path.stack, {}};
      next.stack.truncate(next.stack.size() - operands);
      next.stack.push_back(outcome.value);
      add(after, {std::move(next)});
    }
  paths = std::move(after);
}

/// The function is followed as if it stood here.
void HostWalk::evaluateCall(const Expr &expr, Paths &paths) {
  const program::Function *function = expr.function;
  for (const Expr *op : expr.ops)
    if (hasValue(op))
      evaluate(*op, paths);
    else
      push(paths, {});
  for (Path &path : paths) {
    size_t first = path.stack.size() - expr.ops.size();
    for (size_t i = 0; i != expr.ops.size() && function && i < function->params.size(); ++i)
      path.state.values[function->params[i]] = path.stack[first + i];
    path.stack.truncate(first);
  }
  if (!function || depth_ >= kMostCalls) {
    for (Path &path : paths)
      path.state.blur();
    return push(paths, {});
  }
  context_.emplace_back(&expr, 0);
  ++depth_;
  reports_.enter(expr);
  Exits exits;
  Paths after = follow(function->body, std::move(paths), exits);
  add(after, std::move(exits.returns));
  reports_.leave();
  --depth_;
  context_.pop_back();
  for (Path &path : after)
    path.stack.push_back(std::exchange(path.result, {}));
  paths = std::move(after);
}

} // namespace pto::flow_detail
