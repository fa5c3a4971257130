//===- lint.cpp - the facts behind the advisory rules ------------------------------===//

#include "flow/lint.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using program::ExprKind;
using program::StmtKind;

//===--- Launches ---===//

namespace {

/// Walks the host code of one entry in order.
class HostWalk {
public:
  HostWalk(const program::Entry &entry, llvm::DenseMap<const Function *, LaunchFacts> &launches)
      : entry_(entry), launches_(launches) {}

  void run() {
    statements(entry_.function->body);
    for (auto &[kernel, seen] : seen_) {
      LaunchFacts &facts = launches_[kernel];
      facts.mostBlocks = std::max(facts.mostBlocks, seen.blocks);
      facts.mostRanks = std::max<int64_t>(facts.mostRanks, std::max(entry_.ranks, 2));
      facts.filled.insert(filled_.begin(), filled_.end());
      if (seen.count < 2)
        continue;
      facts.again = seen.last;
      facts.resets.insert(seen.resets.begin(), seen.resets.end());
    }
  }

private:
  struct Seen {
    unsigned count = 0;
    const Stmt *last = nullptr;
    int64_t blocks = 0;
    llvm::DenseSet<int32_t> resets;
  };

  void statements(llvm::ArrayRef<Stmt *> body) {
    for (const Stmt *stmt : body)
      statement(*stmt);
  }

  void statement(const Stmt &stmt) {
    bool isLoop = stmt.kind == StmtKind::While || stmt.kind == StmtKind::For;
    std::optional<int64_t> turns = isLoop ? Lint::turnsOf(stmt) : std::optional<int64_t>(1);
    repeats_ += isLoop && turns != 1;
    if (stmt.kind == StmtKind::Launch && stmt.function)
      launch(stmt);
    else if (stmt.kind == StmtKind::Fill && stmt.value && stmt.value->facts)
      reset(stmt.value->facts->object);
    else if (stmt.kind == StmtKind::FillFile)
      reset(int32_t(stmt.number));
    expression(stmt.value);
    if (stmt.kind == StmtKind::If)
      branches(stmt);
    else
      statements(stmt.body);
    repeats_ -= isLoop && turns != 1;
  }

  /// Of two branches only one runs.
  void branches(const Stmt &stmt) {
    auto before = seen_;
    statements(stmt.body);
    auto then = seen_;
    for (auto &[kernel, seen] : seen_)
      seen.count = before.lookup(kernel).count;
    statements(stmt.otherwise);
    for (auto &[kernel, seen] : seen_)
      seen.count = std::max(seen.count, then.lookup(kernel).count);
  }

  void launch(const Stmt &stmt) {
    Seen &seen = seen_[stmt.function];
    seen.count += repeats_ ? 2 : 1;
    seen.last = &stmt;
    std::optional<int64_t> blocks =
        stmt.blocks ? stmt.blocks->value.constant() : std::max<int64_t>(entry_.blocks, 1);
    seen.blocks = std::max(seen.blocks, blocks.value_or(1));
    // What stands before it in a loop comes between it and its next turn.
    if (repeats_)
      seen.resets.insert(resets_.begin(), resets_.end());
  }

  void reset(int32_t object) {
    filled_.insert(object);
    if (repeats_)
      resets_.insert(object);
    for (auto &[kernel, seen] : seen_)
      seen.resets.insert(object);
  }

  void expression(const Expr *expr) {
    if (!expr)
      return;
    for (const Expr *op : expr->ops)
      expression(op);
    if (expr->kind == ExprKind::Call && expr->function)
      statements(expr->function->body);
    else if (expr->kind == ExprKind::Intrinsic && expr->intrinsic == Intrinsic::Store &&
             expr->ops[0]->facts)
      reset(expr->ops[0]->facts->object);
  }

  const program::Entry &entry_;
  llvm::DenseMap<const Function *, LaunchFacts> &launches_;
  llvm::MapVector<const Function *, Seen> seen_;
  llvm::DenseSet<int32_t> filled_;
  llvm::DenseSet<int32_t> resets_; ///< In a loop, so before and after each launch of it.
  unsigned repeats_ = 0;
};

} // namespace

Lint::Lint(llvm::ArrayRef<Graph> all, Context &in) : context(in), graphs(all) {
  // A test that expects a violation is about the mistake.
  for (const program::Entry &entry : in.program.entries)
    if (entry.expectedViolations.empty())
      HostWalk(entry, launches_).run();
}

const LaunchFacts &Lint::launches(const Graph &graph) const {
  auto found = launches_.find(graph.kernel);
  return found == launches_.end() ? never_ : found->second;
}

//===--- Causes ---===//

namespace {

class CauseWalk {
public:
  CauseWalk(const Graph &graph, Cause &cause) : graph_(graph), cause_(cause) {
    for (const Guard &guard : graph.guards)
      if (guard.loop && guard.loop->kind == StmtKind::For)
        loops_.try_emplace(guard.loop->variable, guard.loop);
  }

  void value(FrameId frame, const Expr *expr) {
    if (!expr)
      return;
    if (++steps_ > kMaxSteps) {
      cause_.isUnknown = true;
      return;
    }
    switch (expr->kind) {
    case ExprKind::World:
      cause_.hasRank |= program::WorldValue(expr->number) == program::WorldValue::Rank;
      cause_.hasBlock |= program::WorldValue(expr->number) == program::WorldValue::Block;
      return;
    case ExprKind::Variable:
      return variable(frame, *expr->variable);
    case ExprKind::Call:
      return call(frame, *expr);
    case ExprKind::Intrinsic:
    case ExprKind::Session:
      cause_.isUnknown = true;
      return;
    case ExprKind::Peer: // The place in the other rank's memory; its rank is asked for apart.
      return value(frame, expr->ops[0]);
    case ExprKind::Extent:
      return;
    default:
      break;
    }
    bool multiplies =
        expr->kind == ExprKind::Binary && BinaryOp(expr->number) == BinaryOp::Multiply;
    factors_ += multiplies;
    for (const Expr *op : expr->ops)
      value(frame, op);
    factors_ -= multiplies;
  }

  /// The rank of a remote view.
  void peer(FrameId frame, const Expr *view) {
    for (unsigned depth = 0; view && depth != kMaxSteps; ++depth) {
      if (view->kind == ExprKind::Peer)
        return value(frame, view->ops[1]);
      if (view->kind != ExprKind::Variable) {
        view = view->ops.empty() || view->kind == ExprKind::Call ? nullptr : view->ops[0];
        continue;
      }
      auto [from, given] = source(frame, *view->variable);
      frame = from;
      view = given;
    }
    cause_.isUnknown = true;
  }

private:
  static constexpr unsigned kMaxSteps = 2000;

  /// What a variable got: the argument of a parameter, or the value of a `let`.
  std::pair<FrameId, const Expr *> source(FrameId frame, const Variable &variable) const {
    if (variable.isMutable)
      return {frame, nullptr};
    if (!variable.isParam)
      return {frame, graph_.values.lookup(&variable)};
    const Frame &in = graph_.frames[frame];
    for (size_t i = 0; in.call && i != in.function->params.size(); ++i)
      if (in.function->params[i] == &variable && i < in.call->ops.size())
        return {in.caller, in.call->ops[i]};
    return {frame, nullptr};
  }

  void variable(FrameId frame, const Variable &variable) {
    auto [from, given] = source(frame, variable);
    if (given)
      return value(from, given);
    auto loop = loops_.find(&variable);
    if (loop != loops_.end()) {
      cause_.loops.insert(&variable);
      if (factors_ == 0)
        cause_.ones.insert(&variable);
      for (const Expr *bound : loop->second->ops)
        value(frame, bound);
    } else if (variable.isParam && graph_.frames[frame].caller == kNone) {
      cause_.hasParam = true;
    } else {
      cause_.isUnknown = true;
    }
  }

  void call(FrameId frame, const Expr &call) {
    auto callee = graph_.callees.find({frame, &call});
    auto result = graph_.results.find(call.function);
    if (callee == graph_.callees.end() || result == graph_.results.end() || !result->second)
      cause_.isUnknown = true;
    else
      value(callee->second, result->second);
  }

  const Graph &graph_;
  Cause &cause_;
  llvm::DenseMap<const Variable *, const Stmt *> loops_;
  unsigned steps_ = 0;
  unsigned factors_ = 0; ///< Products around what is looked at.
};

} // namespace

Cause Lint::causeOf(At at, const Expr *expr) const {
  Cause cause;
  CauseWalk(*at.graph, cause).value(at.step->frame, expr);
  return cause;
}

Cause Lint::causeOfPeer(At at, const Expr *view) const {
  Cause cause;
  CauseWalk(*at.graph, cause).peer(at.step->frame, view);
  return cause;
}

Cause Lint::causeOfGuards(At at) const {
  Cause cause;
  CauseWalk walk(*at.graph, cause);
  for (uint32_t i = at.step->guard; i != kNone; i = at.graph->guards[i].outer) {
    const Guard &guard = at.graph->guards[i];
    walk.value(guard.frame, guard.condition);
    if (guard.loop && guard.loop->kind == StmtKind::For)
      for (const Expr *bound : guard.loop->ops)
        walk.value(guard.frame, bound);
  }
  return cause;
}

//===--- Loops and sizes ---===//

uint32_t Lint::loopGuard(At at) {
  uint32_t i = at.step->guard;
  while (i != kNone && !at.graph->guards[i].loop)
    i = at.graph->guards[i].outer;
  return i;
}

const Stmt *Lint::loopAround(At at) {
  uint32_t guard = loopGuard(at);
  return guard == kNone ? nullptr : at.graph->guards[guard].loop;
}

std::optional<int64_t> Lint::turnsOf(const Stmt &loop) {
  if (loop.kind != StmtKind::For)
    return std::nullopt;
  std::optional<int64_t> low = loop.ops[0]->value.constant(), high = loop.ops[1]->value.constant(),
                         step = 1;
  if (loop.ops.size() > 2 && loop.ops[2])
    step = loop.ops[2]->value.constant();
  if (!low || !high || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*high - *low + *step - 1) / *step);
}

std::optional<int64_t> Lint::bytesOf(const Expr *operand) {
  if (!operand || !operand->facts)
    return std::nullopt;
  std::optional<program::Affine> elements = operand->facts->elements();
  std::optional<int64_t> count = elements ? elements->constant() : std::nullopt;
  int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, info(operand->type.scalar).bytes(), &bytes))
    return std::nullopt;
  return bytes;
}

std::string Lint::size(int64_t bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
    return std::to_string(bytes >> 20) + " MiB";
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0)
    return std::to_string(bytes >> 10) + " KiB";
  return std::to_string(bytes) + " bytes";
}

void advise(llvm::ArrayRef<Graph> graphs, Context &context) {
  adviseResults(context);
  auto isWanted = [&](const RuleInfo &row) {
    return row.severity == Severity::Advice && context.sink.isOn(Rule(&row - rules().begin()));
  };
  if (llvm::none_of(rules(), isWanted))
    return;
  Lint lint(graphs, context);
  adviseWords(lint);
  adviseWaits(lint);
  adviseTransfers(lint);
  adviseTiles(lint);
  adviseSums(lint);
  adviseShmem(lint);
}

} // namespace pto::flow_detail
