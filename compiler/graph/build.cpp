//===- build.cpp - statements to blocks and edges ----------------------------===//

#include "graph/graph.h"

#include "target/topology.h"

namespace pto::graph {

using program::ExprKind;
using program::StmtKind;

namespace {

constexpr size_t kMaxSteps = 8000; ///< A kernel that a person wrote has some hundreds.
/// An analysis keeps a state for each block, and a state at most an entry for each step.
constexpr size_t kMaxStateEntries = 500000;
constexpr size_t kMaxFrames = 2000;

class Builder {
public:
  explicit Builder(const Function &kernel) {
    graph_.kernel = &kernel;
    graph_.frames.push_back({&kernel, nullptr, kNone});
    graph_.exit = 0; // Takes its final number at the end.
    exits_.emplace_back();
    current_ = newBlock();
    statements(kernel.body);
    leave(exits_.back());
  }

  Graph finish() {
    BlockId exit = newBlock();
    for (BlockId from : exits_.back())
      link(from, exit);
    graph_.exit = exit;
    graph_.isComplete &= steps_ * graph_.blocks.size() <= kMaxStateEntries;
    return std::move(graph_);
  }

private:
  using Blocks = llvm::SmallVector<BlockId, 4>;
  struct Loop {
    Blocks breaks, continues;
  };

  //===--- Blocks ---===//

  BlockId newBlock() {
    graph_.blocks.emplace_back();
    return BlockId(graph_.blocks.size() - 1);
  }
  void link(BlockId from, BlockId to, EdgeKind kind = EdgeKind::Forward) {
    graph_.blocks[from].next.push_back({to, kind});
  }
  /// Ends the current path towards a place that is built later.
  void leave(Blocks &towards) {
    if (current_ != kNone)
      towards.push_back(current_);
    current_ = kNone;
  }
  /// A block that all of these lead to; none if there are none.
  BlockId meet(const Blocks &from) {
    if (from.empty())
      return kNone;
    BlockId to = newBlock();
    for (BlockId each : from)
      link(each, to);
    return to;
  }

  void add(Step step) {
    if (current_ == kNone)
      return;
    if (++steps_ > kMaxSteps) {
      graph_.isComplete = false;
      return;
    }
    step.frame = frame_;
    step.stmt = stmt_;
    step.guard = guard_;
    graph_.blocks[current_].steps.push_back(step);
  }

  //===--- Guards ---===//

  uint32_t guarded(const Expr *condition, const Stmt *loop, bool isTrue) {
    graph_.guards.push_back({condition, loop, isTrue, frame_, guard_});
    return uint32_t(graph_.guards.size() - 1);
  }

  //===--- Expressions ---===//

  void expression(const Expr *expr) {
    if (!expr)
      return;
    for (const Expr *op : expr->ops)
      expression(op);
    if (expr->kind == ExprKind::Intrinsic)
      add({StepKind::Instruction, 0, expr});
    else if (expr->kind == ExprKind::Session)
      add({StepKind::Session, 0, expr});
    else if (expr->kind == ExprKind::Call)
      open(*expr);
  }

  void open(const Expr &call) {
    if (current_ == kNone)
      return;
    if (graph_.frames.size() >= kMaxFrames || steps_ > kMaxSteps) {
      graph_.isComplete = false;
      return;
    }
    FrameId callee = FrameId(graph_.frames.size());
    graph_.frames.push_back({call.function, &call, frame_});
    graph_.callees[{frame_, &call}] = callee;
    FrameId caller = frame_;
    const Stmt *stmt = stmt_;
    uint32_t guard = guard_;
    auto loops = std::move(loops_);
    loops_.clear();
    frame_ = callee;
    exits_.emplace_back();
    statements(call.function->body);
    leave(exits_.back());
    Blocks ends = std::move(exits_.back());
    exits_.pop_back();
    current_ = meet(ends);
    loops_ = std::move(loops);
    frame_ = caller;
    stmt_ = stmt;
    guard_ = guard;
  }

  //===--- Statements ---===//

  void statements(llvm::ArrayRef<Stmt *> body) {
    uint32_t guard = guard_;
    for (const Stmt *stmt : body)
      if (current_ != kNone)
        statement(*stmt);
    guard_ = guard;
  }

  void statement(const Stmt &stmt) {
    stmt_ = &stmt;
    if (stmt.kind == StmtKind::While)
      return whileLoop(stmt);
    for (const Expr *op : stmt.ops)
      expression(op);
    expression(stmt.value);
    stmt_ = &stmt;
    switch (stmt.kind) {
    case StmtKind::Block:
      return statements(stmt.body);
    case StmtKind::Define:
      return define(stmt);
    case StmtKind::Tile:
      return add({StepKind::Tile});
    case StmtKind::After:
      return add({StepKind::After});
    case StmtKind::If:
      return branch(stmt);
    case StmtKind::For:
      return forLoop(stmt);
    case StmtKind::Break:
      return loops_.empty() ? void() : leave(loops_.back().breaks);
    case StmtKind::Continue:
      return loops_.empty() ? void() : leave(loops_.back().continues);
    case StmtKind::Return: {
      const Function *function = graph_.frames[frame_].function;
      auto [entry, isNew] = graph_.results.try_emplace(function, stmt.value);
      if (!isNew && entry->second != stmt.value)
        entry->second = nullptr; // Several: which one is not known.
      return leave(exits_.back());
    }
    default:
      return;
    }
  }

  void define(const Stmt &stmt) {
    if (stmt.variable && stmt.value)
      graph_.values.try_emplace(stmt.variable, stmt.value);
    if (stmt.otherwise.empty())
      return;
    // `let s = … else { … }` leaves in its block, or goes on after it.
    BlockId good = current_;
    BlockId bad = newBlock();
    link(good, bad);
    current_ = bad;
    statements(stmt.otherwise);
    Blocks ends{good};
    leave(ends);
    current_ = meet(ends);
  }

  /// `if goes_by(x, route, by)` where `by` is what the route tries first: a call that goes another
  /// way does the same for the analyses, so only this way is walked.
  static bool isFirstWay(const Expr *condition) {
    if (!condition || condition->kind != ExprKind::Intrinsic ||
        condition->intrinsic != Intrinsic::GoesBy)
      return false;
    const IntrinsicInfo &row = info(Intrinsic::GoesBy);
    const Expr *route = condition->ops[size_t(row.param("route"))],
               *by = condition->ops[size_t(row.param("by"))];
    return info(Route(route->bits)).order.front() == Transport(by->bits);
  }

  void branch(const Stmt &stmt) {
    if (isFirstWay(stmt.value))
      return statements(stmt.body);
    BlockId from = current_;
    Blocks ends;
    uint32_t outer = guard_;
    uint32_t then = guarded(stmt.value, nullptr, true), other = guarded(stmt.value, nullptr, false);
    bool falls[2];
    for (bool isTrue : {true, false}) {
      current_ = newBlock();
      link(from, current_);
      guard_ = isTrue ? then : other;
      statements(isTrue ? stmt.body : stmt.otherwise);
      falls[isTrue] = current_ != kNone;
      leave(ends);
    }
    current_ = meet(ends);
    // `if rank != 0 { return; }` guards all that follows.
    guard_ = falls[0] == falls[1] ? outer : falls[1] ? then : other;
  }

  /// How many turns a loop runs, where its bounds are constants.
  static std::optional<int64_t> turnsOf(const Stmt &stmt) {
    std::optional<int64_t> low = stmt.ops[0]->value.constant(),
                           high = stmt.ops[1]->value.constant(), step = 1;
    if (stmt.ops.size() > 2 && stmt.ops[2])
      step = stmt.ops[2]->value.constant();
    if (!low || !high || !step || *step == 0)
      return std::nullopt;
    int64_t span = *step > 0 ? *high - *low : *low - *high, each = std::abs(*step);
    return span <= 0 ? 0 : (span + each - 1) / each;
  }

  void forLoop(const Stmt &stmt) {
    std::optional<int64_t> turns = turnsOf(stmt);
    if (turns && *turns == 0)
      return;
    body(stmt, nullptr, turns && *turns > 0, !turns || *turns > 1);
  }

  void whileLoop(const Stmt &stmt) {
    expression(stmt.value);
    bool isEndless = !stmt.value;
    body(stmt, stmt.value, isEndless, true);
  }

  /// The turns of a loop. `condition` is evaluated again after each.
  void body(const Stmt &stmt, const Expr *condition, bool runsOnce, bool repeats) {
    BlockId before = current_, head = newBlock();
    graph_.blocks[head].isLoopHead = true;
    link(before, head);
    loops_.emplace_back();
    uint32_t outer = guard_;
    guard_ = guarded(condition, &stmt, true);
    current_ = head;
    statements(stmt.body);
    leave(loops_.back().continues);
    current_ = meet(loops_.back().continues);
    stmt_ = &stmt;
    if (current_ != kNone) {
      expression(condition);
      if (repeats)
        link(current_, head, EdgeKind::Back);
    }
    bool isEndless = stmt.kind == StmtKind::While && !condition;
    Blocks ends = std::move(loops_.back().breaks);
    loops_.pop_back();
    guard_ = outer;
    if (current_ != kNone && !isEndless)
      ends.push_back(current_);
    current_ = kNone;
    if (!runsOnce && ends.empty())
      ends.push_back(before); // Only a loop that is left out ends at all.
    else if (!runsOnce) {
      BlockId after = meet(ends);
      link(before, after, EdgeKind::Skip);
      current_ = after;
      return;
    }
    current_ = meet(ends);
  }

  Graph graph_;
  std::vector<Blocks> exits_; ///< Of each open frame.
  std::vector<Loop> loops_;   ///< Of the current frame.
  BlockId current_ = kNone;   ///< kNone: no path leads here.
  FrameId frame_ = 0;
  const Stmt *stmt_ = nullptr;
  uint32_t guard_ = kNone;
  size_t steps_ = 0;
};

} // namespace

Graph build(const Function &kernel) { return Builder(kernel).finish(); }

} // namespace pto::graph
