//===- needs.cpp - follows a kernel and notes what it lacks ------------------------===//
//
// The flow rules report what is surely wrong. Here whatever may be wrong is mended, so a maybe and
// an overlap that is not known count as well.
//
//===----------------------------------------------------------------------===//

#include "sync/needs.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::sync_detail {

namespace {

class SyncFlow {
public:
  struct State {
    PipeOrder order;
    bool hasUnflushed = false;           ///< Stores that are in the data cache alone.
    bool isStale = false;                ///< A wait since the last `dcci()`.
    llvm::SmallVector<int32_t, 4> fresh; ///< Objects that were dropped since; sorted.
    bool operator==(const State &) const = default;
  };

  explicit SyncFlow(const Graph &graph) : graph_(graph) {}

  bool reports = false;
  std::vector<Need> needs;

  void step(const Step &step, State &state) {
    llvm::SmallVector<Touch, 6> touches = touchesOf(graph_, step);
    if (reports)
      note(step, touches, state);
    state.order.apply(graph_, step, touches);
    if (step.kind != StepKind::Instruction)
      return;
    switch (step.expr->intrinsic) {
    case Intrinsic::Store:
      state.hasUnflushed = true;
      return;
    case Intrinsic::Twait:
    case Intrinsic::Ttest:
      state.isStale = true;
      state.fresh.clear();
      return;
    case Intrinsic::Dcci:
      return drop(step.frame, step.operand("x"), state);
    default:
      return;
    }
  }

  void join(State &into, const State &from, Join how) {
    into.order.join(from.order, how);
    into.hasUnflushed |= from.hasUnflushed;
    if (!from.isStale)
      return;
    if (!into.isStale)
      into.fresh = from.fresh;
    into.isStale = true;
    llvm::erase_if(into.fresh,
                   [&](int32_t object) { return !llvm::is_contained(from.fresh, object); });
  }
  void turn(State &state) { state.order.turn(); }
  void end(const State &) {}

private:
  void drop(FrameId frame, const Expr *view, State &state) {
    int32_t object = regionOf(graph_, frame, view).object;
    if (!view) {
      state.hasUnflushed = state.isStale = false;
      state.fresh.clear();
    } else if (object >= 0 && !llvm::is_contained(state.fresh, object)) {
      state.fresh.insert(llvm::lower_bound(state.fresh, object), object);
    }
  }

  void add(const Step &step, NeedKind kind, Pipe pipe = Pipe::ALL, const Expr *view = nullptr) {
    needs.push_back({kind, step.stmt, pipe, view, step.range()});
  }

  void note(const Step &step, llvm::ArrayRef<Touch> touches, State &state) {
    noteOrder(step, touches, state);
    if (step.kind != StepKind::Instruction)
      return;
    bool publishes = step.is(Intrinsic::Tnotify) || step.is(Intrinsic::Syncall);
    bool handsOver = info(step.expr->intrinsic).pipe == PipeUse::Engine;
    if (publishes && holdsMemory(state.order)) {
      add(step, NeedKind::Barrier);
      add(step, NeedKind::Fence);
      state.order.drain(Pipe::ALL);
    }
    if ((publishes || handsOver) && state.hasUnflushed) {
      add(step, NeedKind::Invalidate);
      add(step, NeedKind::Fence);
      drop(step.frame, nullptr, state);
    }
    if (step.is(Intrinsic::Load))
      noteLoad(step, state);
  }

  /// One barrier on the earlier pipe for each that is run into; the state goes on as if it stood
  /// there.
  void noteOrder(const Step &step, llvm::ArrayRef<Touch> touches, State &state) {
    for (const Touch &touch : touches)
      for (size_t i = 0; i < state.order.entries.size(); ++i) {
        const PipeOrder::Entry &entry = state.order.entries[i];
        if (!(touch.writes || entry.writes) || entry.known & bit(touch.pipe) ||
            relate(entry.region, touch.region) == Relation::Apart)
          continue;
        add(step, NeedKind::Barrier, entry.pipe);
        state.order.drain(entry.pipe);
        i = size_t(-1);
      }
  }

  static bool holdsMemory(const PipeOrder &order) {
    return llvm::any_of(order.entries, [](const PipeOrder::Entry &entry) {
      return entry.region.space != Space::Tile;
    });
  }

  void noteLoad(const Step &step, State &state) {
    const Expr *view = step.operand("x");
    Region region = regionOf(graph_, step.frame, view);
    if (!state.isStale || (region.object >= 0 && llvm::is_contained(state.fresh, region.object)))
      return;
    add(step, NeedKind::Invalidate, Pipe::ALL, view);
    add(step, NeedKind::Fence);
    drop(step.frame, view, state);
  }

  const Graph &graph_;
};

} // namespace

std::vector<Need> needsOf(const Graph &graph) {
  SyncFlow analysis(graph);
  if (!Solver<SyncFlow>(graph, analysis).run())
    return {};
  return std::move(analysis.needs);
}

} // namespace pto::sync_detail
