#include "flow/hixl_walk.h"

#include "base/operator.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using program::ExpectOp;
using program::ExprKind;
using program::StmtKind;

void HostWalk::add(Paths &into, Paths from) {
  for (Path &path : from)
    if (!llvm::is_contained(into, path))
      into.push_back(std::move(path));
}

/// What may be on one path alone is then a possibility of the one that is left.
void HostWalk::settle(Paths &paths) {
  Paths few;
  add(few, std::move(paths));
  paths = std::move(few);
  if (paths.size() <= kMostPaths)
    return;
  for (const Path &path : llvm::drop_begin(paths)) {
    paths.front().state.join(path.state);
    for (auto [mine, other] : llvm::zip(paths.front().stack, path.stack))
      if (!(mine == other))
        mine = {};
  }
  paths.resize(1);
}

bool HostWalk::spend(size_t steps) {
  steps_ += steps;
  return steps_ < kMostSteps;
}

bool HostWalk::run() {
  Exits exits;
  Paths ends = follow(entry_.function->body, Paths(1), exits);
  add(ends, std::move(exits.returns));
  if (steps_ >= kMostSteps)
    return false;
  std::vector<const HostState *> states;
  for (const Path &path : ends)
    states.push_back(&path.state);
  reports_.end(states, world_, entry_.function->end);
  return true;
}

Paths HostWalk::follow(llvm::ArrayRef<Stmt *> body, Paths paths, Exits &exits) {
  for (const Stmt *stmt : body) {
    if (paths.empty() || !spend(paths.size()))
      return {};
    paths = follow(*stmt, std::move(paths), exits);
    settle(paths);
  }
  return paths;
}

void HostWalk::define(const Variable *variable, Paths &paths) {
  for (Path &path : paths)
    path.state.values[variable] = path.pop();
}

/// For what the expression calls; nobody looks at its value.
void HostWalk::drop(const Expr *expr, Paths &paths) {
  if (!expr)
    return;
  evaluate(*expr, paths, true);
  for (Path &path : paths)
    path.pop();
}

/// A statement behind which every path goes on with the next one.
void HostWalk::followPlain(const Stmt &stmt, Paths &paths) {
  switch (stmt.kind) {
  case StmtKind::Define:
  case StmtKind::Assign:
    evaluate(*stmt.value, paths);
    return define(stmt.variable, paths);
  case StmtKind::Evaluate:
    return drop(stmt.value, paths);
  case StmtKind::Expect:
    return followExpect(stmt, paths);
  case StmtKind::Assert: {
    Paths yes, no;
    branch(*stmt.value, std::move(paths), yes, no);
    paths = std::move(yes);
    return;
  }
  case StmtKind::Print:
    for (const Expr *op : stmt.ops)
      drop(op, paths);
    return;
  default: // Of windows and kernels, which know nothing of engines.
    return;
  }
}

Paths HostWalk::follow(const Stmt &stmt, Paths paths, Exits &exits) {
  switch (stmt.kind) {
  case StmtKind::Block:
    return follow(stmt.body, std::move(paths), exits);
  case StmtKind::If:
    return followIf(stmt, std::move(paths), exits);
  case StmtKind::While:
    return followWhile(stmt, std::move(paths), exits);
  case StmtKind::For:
    return followFor(stmt, std::move(paths), exits);
  case StmtKind::Break:
    add(exits.breaks, std::move(paths));
    return {};
  case StmtKind::Continue:
    add(exits.continues, std::move(paths));
    return {};
  case StmtKind::Return:
    if (stmt.value) {
      evaluate(*stmt.value, paths);
      for (Path &path : paths)
        path.result = path.pop();
    }
    add(exits.returns, std::move(paths));
    return {};
  default:
    followPlain(stmt, paths);
    return paths;
  }
}

/// What an expectation says holds behind it: the run says so where it does not.
void HostWalk::followExpect(const Stmt &stmt, Paths &paths) {
  bool isCompared =
      stmt.indices.empty() && !stmt.where && stmt.value && !stmt.ops.empty() && stmt.ops[0] &&
      (stmt.number == unsigned(ExpectOp::Equal) || stmt.number == unsigned(ExpectOp::NotEqual));
  if (!isCompared)
    return;
  evaluate(*stmt.value, paths);
  evaluate(*stmt.ops[0], paths);
  bool wantsEqual = stmt.number == unsigned(ExpectOp::Equal);
  llvm::erase_if(paths, [&](Path &path) {
    Value wanted = path.pop(), got = path.pop();
    std::optional<bool> equal = areEqual(got, wanted, path.state);
    if (equal)
      return *equal != wantsEqual;
    if (!wanted.isNumber())
      return false;
    Value is = wantsEqual ? wanted : Value::anyBut(wanted.number);
    return !assume(*stmt.value, is, path.state);
  });
}

Paths HostWalk::followIf(const Stmt &stmt, Paths paths, Exits &exits) {
  Paths yes, no;
  branch(*stmt.value, std::move(paths), yes, no);
  Paths after = follow(stmt.body, std::move(yes), exits);
  add(after, follow(stmt.otherwise, std::move(no), exits));
  return after;
}

void HostWalk::branch(const Expr &condition, Paths paths, Paths &yes, Paths &no) {
  bool isBinary = condition.kind == ExprKind::Binary;
  if (condition.kind == ExprKind::Unary && UnaryOp(condition.number) == UnaryOp::LogicalNot)
    return branch(*condition.ops[0], std::move(paths), no, yes);
  if (isBinary && BinaryOp(condition.number) == BinaryOp::LogicalAnd) {
    Paths left;
    branch(*condition.ops[0], std::move(paths), left, no);
    return branch(*condition.ops[1], std::move(left), yes, no);
  }
  if (isBinary && BinaryOp(condition.number) == BinaryOp::LogicalOr) {
    Paths left;
    branch(*condition.ops[0], std::move(paths), yes, left);
    return branch(*condition.ops[1], std::move(left), yes, no);
  }
  compare(condition, std::move(paths), yes, no);
}

/// A comparison tells each side something of the value that was compared.
void HostWalk::compare(const Expr &condition, Paths paths, Paths &yes, Paths &no) {
  bool isEqual =
      condition.kind == ExprKind::Binary && (BinaryOp(condition.number) == BinaryOp::Equal ||
                                             BinaryOp(condition.number) == BinaryOp::NotEqual);
  if (!isEqual) {
    evaluate(condition, paths);
    for (Path &path : paths) {
      Value value = path.pop();
      for (bool side : {true, false})
        if (!value.isNumber() || (value.number != 0) == side) {
          Path taken = path;
          (void)assume(condition, Value::of(side), taken.state);
          add(side ? yes : no, {std::move(taken)});
        }
    }
    return;
  }
  bool wantsEqual = BinaryOp(condition.number) == BinaryOp::Equal;
  const Expr &left = *condition.ops[0], &right = *condition.ops[1];
  evaluate(left, paths);
  evaluate(right, paths);
  for (Path &path : paths) {
    Value second = path.pop(), first = path.pop();
    std::optional<bool> equal = areEqual(first, second, path.state);
    for (bool side : {true, false}) {
      if (equal && *equal != side)
        continue;
      Path taken = path;
      auto told = [&](const Expr &expr, Value other) {
        return equal || !other.isNumber() ||
               assume(expr, side ? other : Value::anyBut(other.number), taken.state);
      };
      if (told(left, second) && told(right, first))
        add(side == wantsEqual ? yes : no, {std::move(taken)});
    }
  }
}

//===--- Loops -----------------------------------------------------------------------===//

template <typename Turn> Paths HostWalk::entering(Paths paths, Turn turn) {
  constexpr unsigned kApart = 6, kMost = 40;
  HixlReports::Silence silence(reports_);
  for (unsigned round = 0; round != kMost; ++round) {
    Paths before = paths;
    add(paths, turn(paths));
    settle(paths);
    if (round >= kApart && paths.size() > 1) { // Numbers that grow would go on for ever.
      for (const Path &path : llvm::drop_begin(paths))
        paths.front().state.join(path.state);
      paths.resize(1);
    }
    if (paths == before || !spend(paths.size()))
      return paths;
  }
  steps_ = kMostSteps;
  return paths;
}

Paths HostWalk::followWhile(const Stmt &stmt, Paths paths, Exits &exits) {
  auto turn = [&](Paths in, Paths &out, Exits &inner) {
    Paths yes;
    if (stmt.value)
      branch(*stmt.value, std::move(in), yes, out);
    else
      yes = std::move(in);
    Paths back = follow(stmt.body, std::move(yes), inner);
    add(back, std::exchange(inner.continues, {}));
    return back;
  };
  Paths head = entering(std::move(paths), [&](const Paths &in) {
    Paths out;
    Exits inner;
    return turn(in, out, inner);
  });
  Paths out;
  Exits inner;
  (void)turn(std::move(head), out, inner);
  add(out, std::move(inner.breaks));
  add(exits.returns, std::move(inner.returns));
  return out;
}

/// Few turns are taken one by one, so that each has its own index.
Paths HostWalk::unroll(const Stmt &stmt, Paths paths, std::pair<int64_t, int64_t> bounds,
                       Exits &exits) {
  Paths left;
  for (int64_t i = bounds.first; i < bounds.second && !paths.empty(); ++i) {
    Exits inner;
    for (Path &path : paths)
      path.state.values[stmt.variable] = Value::of(i);
    context_.emplace_back(&stmt, i);
    paths = follow(stmt.body, std::move(paths), inner);
    context_.pop_back();
    add(paths, std::move(inner.continues));
    settle(paths);
    add(left, std::move(inner.breaks));
    add(exits.returns, std::move(inner.returns));
  }
  add(paths, std::move(left));
  return paths;
}

Paths HostWalk::followFor(const Stmt &stmt, Paths paths, Exits &exits) {
  std::optional<std::pair<int64_t, int64_t>> bounds;
  for (const Expr *op : stmt.ops)
    if (op)
      evaluate(*op, paths);
  bool hasStep = stmt.ops.size() > 2 && stmt.ops[2];
  bool isOne = !paths.empty();
  for (Path &path : paths) {
    Value step = hasStep ? path.pop() : Value::of(1), high = path.pop(), low = path.pop();
    bool isKnown = low.isNumber() && high.isNumber() && step == Value::of(1);
    std::pair now{low.number, high.number};
    isOne &= isKnown && (!bounds || *bounds == now);
    bounds = now;
  }
  if (isOne && bounds->second - bounds->first <= kMostTurns)
    return unroll(stmt, std::move(paths), *bounds, exits);
  bool turnsOnce = isOne && bounds->first < bounds->second;
  auto turn = [&](Paths in, Exits &inner) {
    for (Path &path : in)
      path.state.values[stmt.variable] = {};
    Paths back = follow(stmt.body, std::move(in), inner);
    add(back, std::exchange(inner.continues, {}));
    return back;
  };
  Paths head = entering(paths, [&](const Paths &in) {
    Exits inner;
    return turn(in, inner);
  });
  Exits inner;
  Paths out = turn(std::move(head), inner);
  if (!turnsOnce)
    add(out, std::move(paths));
  add(out, std::move(inner.breaks));
  add(exits.returns, std::move(inner.returns));
  return out;
}

} // namespace pto::flow_detail
