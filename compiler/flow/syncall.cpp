//===- syncall.cpp - blocks that meet before their data is there ------------------===//
//
// `syncall` orders the arrival of the blocks of a rank, and nothing else. What a block wrote must
// be out of its pipes, queues and cache by then, if another block reads it behind. That another one
// does is sure of what one block writes and all read, and of what each writes at a place of its own
// and is read at all places. What a later meeting tells of in order, the early one did not speak
// of.
//
//===----------------------------------------------------------------------===//

#include "flow/payload.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

using program::ExprKind;
using program::WorldValue;

/// Whose data a read finds, as far as one can see.
enum class Reads : uint8_t { Own, Others, Unknown };

class SyncallFlow {
public:
  using State = Payloads;

  SyncallFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  bool reports = false;

  void step(const Step &step, State &state) {
    if (settle(graph_, step, state))
      return;
    bool meets = step.is(Intrinsic::Syncall), tells = step.tells();
    if (meets || tells)
      llvm::erase_if(state, [](const Payload &payload) { return payload.isDrained; });
    if (meets)
      for (Payload &payload : state)
        if (!payload.signal)
          payload.signal = &step;
    if (tells)
      return step.is(Intrinsic::Tnotify) ? drainPipes(state) : void();
    llvm::SmallVector<Touch, 6> touches = touchesOf(graph_, step);
    for (const Touch &touch : touches)
      if (reports && !touch.writes && touch.region.space == Space::Own)
        read(step, touch, state);
    for (const Touch &touch : touches)
      if (touch.writes && touch.region.space == Space::Own && touch.region.object >= 0)
        record(step, touch, state);
  }
  void join(State &into, const State &from, Join how) { joinEntries(into, from, how); }
  void turn(State &state) { forgetTurn(state); }
  void end(const State &) {}

private:
  //===--- What depends on the block ---===//

  /// Whether all blocks compute the same: of numbers, `ranks`, indices of loops, and values of
  /// such.
  [[nodiscard]] bool isAlikeInAll(const Expr *expr, const Step &step) const {
    if (!expr)
      return true;
    switch (expr->kind) {
    case ExprKind::Intrinsic:
    case ExprKind::Call:
      return false;
    case ExprKind::World:
      return WorldValue(expr->number) != WorldValue::Block;
    case ExprKind::Variable:
      return isAlikeInAll(*expr->variable, step);
    default:
      return llvm::all_of(expr->ops, [&](const Expr *op) { return isAlikeInAll(op, step); });
    }
  }

  [[nodiscard]] bool isAlikeInAll(const Variable &variable, const Step &step) const {
    if (const Stmt *loop = loopOf(variable, step))
      return llvm::all_of(loop->ops, [&](const Expr *op) { return isAlikeInAll(op, step); });
    auto value = graph_.values.find(&variable);
    return !variable.isMutable && !variable.isParam && value != graph_.values.end() &&
           isAlikeInAll(value->second, step);
  }

  /// The loop around the step that counts with the variable.
  [[nodiscard]] const Stmt *loopOf(const Variable &variable, const Step &step) const {
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer)
      if (const Stmt *loop = graph_.guards[at].loop; loop && loop->variable == &variable)
        return loop;
    return nullptr;
  }

  /// Whether an expression names an index of a loop around the step.
  [[nodiscard]] bool namesLoop(const Expr *expr, const Step &step) const {
    if (!expr)
      return false;
    if (expr->kind == ExprKind::Variable && loopOf(*expr->variable, step))
      return true;
    return llvm::any_of(expr->ops, [&](const Expr *op) { return namesLoop(op, step); });
  }

  /// A condition around the step under which only some blocks come by.
  [[nodiscard]] const Guard *blockGuard(const Step &step) const {
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer)
      if (const Guard &guard = graph_.guards[at];
          !guard.loop && readsWorld(graph_, guard.condition, WorldValue::Block))
        return &guard;
    return nullptr;
  }

  [[nodiscard]] bool isUnder(const Step &step, const Guard &guard) const {
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer)
      if (graph_.guards[at].condition == guard.condition && graph_.guards[at].frame == guard.frame)
        return true;
    return false;
  }

  /// Whether the place of a read runs over several parts of what the payload's operand is one of.
  [[nodiscard]] bool readsAllParts(const Payload &payload, const Step &step,
                                   const Touch &touch) const {
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer)
      if (!graph_.guards[at].loop && namesLoop(graph_.guards[at].condition, step))
        return false; // Perhaps it picks its own.
    bool isLarger = touch.region.span && payload.region.span && touch.region.begin &&
                    touch.region.begin->constant() &&
                    *touch.region.span >= 2 * *payload.region.span;
    return isLarger || namesLoop(touch.operand, step);
  }

  [[nodiscard]] Reads whose(const Payload &payload, const Step &step, const Touch &touch) const {
    bool isAlike = isAlikeInAll(touch.operand, step);
    Relation relation = relate(payload.region, touch.region);
    if (const Guard *guard = blockGuard(*payload.step)) {
      bool isOnePlace = isAlike && isAlikeInAll(payload.operand, *payload.step);
      bool isSure = isOnePlace && relation == Relation::Overlap && !isUnder(step, *guard);
      return isSure && !payload.isMixed ? Reads::Others : Reads::Unknown;
    }
    if (!readsWorld(graph_, payload.operand, WorldValue::Block))
      return Reads::Unknown;
    if (!isAlike)
      return relation == Relation::Overlap ? Reads::Own : Reads::Unknown;
    return !payload.isMaybe && readsAllParts(payload, step, touch) ? Reads::Others : Reads::Unknown;
  }

  //===--- Findings ---===//

  void read(const Step &step, const Touch &touch, const State &state) {
    for (const Payload &payload : state) {
      if (!payload.signal || payload.region.object != touch.region.object ||
          relate(payload.region, touch.region) == Relation::Apart)
        continue;
      Reads reads = whose(payload, step, touch);
      if (reads == Reads::Others)
        report(payload, step);
      else if (reads == Reads::Unknown)
        context_.unknown("whether the `" + nameOf(*payload.step) + "` at " +
                         context_.place(payload.step->range()) +
                         " is complete when the blocks meet at " +
                         context_.place(payload.signal->range()));
    }
  }

  void report(const Payload &payload, const Step &reader) {
    const Step &meeting = *payload.signal;
    if (!told_.insert({&meeting, payload.operand}).second)
      return;
    Finding &finding = context_.sink.report<Rule::SyncallBeforeDrain>(
        meeting.range(), nameOf(meeting), nameOf(*payload.step), placeOf(payload),
        drainOf(payload, context_) + (payload.held == Held::Queue ? "" : " dsb();"));
    context_.sink.note(finding, payload.step->range(), "it is written here");
    context_.sink.note(finding, reader.range(), "other blocks read it here");
    if (payload.held != Held::Queue)
      fixBefore(context_, finding, meeting, {drainOf(payload, context_), "dsb();"});
  }

  const Graph &graph_;
  Context &context_;
  llvm::DenseSet<std::pair<const Step *, const Expr *>> told_; ///< Looked up, never walked.
};

} // namespace

void followSyncall(const Graph &graph, Context &context) {
  SyncallFlow analysis(graph, context);
  solve(graph, context, analysis, "what its blocks have done when they meet");
}

} // namespace pto::flow_detail
