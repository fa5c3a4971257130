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

  SyncFlow(const Graph &graph, FlagIds *ids) : graph_(graph), places_(*graph.kernel), ids_(ids) {}

  bool reports = false;
  Lacks found;

  void step(const Step &step, State &state) {
    llvm::SmallVector<Touch, 6> touches = orderedTouches(graph_, step);
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
    case Intrinsic::Syncall: // The other blocks have written.
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
    found.needs.push_back({kind, step.stmt, pipe, view, step.range(), {}, {}});
  }

  void note(const Step &step, llvm::ArrayRef<Touch> touches, State &state) {
    noteOrder(step, touches, state);
    if (step.kind != StepKind::Instruction)
      return;
    bool publishes = step.tells() || step.is(Intrinsic::Syncall);
    PipeUse use = info(step.expr->intrinsic).pipe;
    bool handsOver = use == PipeUse::Engine || use == PipeUse::Queue;
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
    if (step.is(Intrinsic::SetFlag) && step.stmt->isInserted)
      noteEarly(step, state);
  }

  /// An earlier access that a step runs into, and the pipe that runs into it.
  struct Clash {
    size_t entry = 0;
    Pipe to = Pipe::S;
  };

  /// The last one of each two pipes: a pipe works in order, so what orders this orders the others.
  static llvm::SmallVector<Clash, 2> clashes(llvm::ArrayRef<Touch> touches,
                                             const PipeOrder &order) {
    llvm::SmallVector<Clash, 2> last;
    for (const Touch &touch : touches)
      for (size_t i = 0; i != order.entries.size(); ++i) {
        const PipeOrder::Entry &entry = order.entries[i];
        if (!(touch.writes || entry.writes) || entry.known & bit(touch.pipe) ||
            relate(entry.region, touch.region) == Relation::Apart)
          continue;
        auto had = llvm::find_if(last, [&](const Clash &clash) {
          return clash.to == touch.pipe && order.entries[clash.entry].pipe == entry.pipe;
        });
        if (had == last.end())
          last.push_back({i, touch.pipe});
        else
          had->entry = std::max(had->entry, i);
      }
    return last;
  }

  /// What no flag can order gets a barrier on the earlier pipe, which may order the rest as well.
  /// The state goes on as if all of it stood there.
  void noteOrder(const Step &step, llvm::ArrayRef<Touch> touches, State &state) {
    for (bool useFlags : {false, true})
      for (bool changes = true; changes;) {
        changes = false;
        for (const Clash &clash : clashes(touches, state.order)) {
          std::optional<Flag> flag = siteOf(step, clash, state.order);
          if (flag && !useFlags)
            continue;
          if (!flag || !addFlag(step, *flag, clash, state.order)) {
            Pipe pipe = state.order.entries[clash.entry].pipe;
            add(step, NeedKind::Barrier, pipe);
            state.order.drain(pipe);
          }
          changes = true;
          break;
        }
      }
  }

  [[nodiscard]] std::optional<Flag> siteOf(const Step &step, const Clash &clash,
                                           const PipeOrder &order) const {
    const PipeOrder::Entry &entry = order.entries[clash.entry];
    if (!ids_ || clash.to == Pipe::S || entry.pipe == clash.to)
      return std::nullopt;
    std::optional<Flag> flag = places_.siteOf(*entry.step, step);
    if (!flag)
      return std::nullopt;
    flag->from = entry.pipe;
    flag->to = clash.to;
    return flag;
  }

  bool addFlag(const Step &step, Flag flag, const Clash &clash, PipeOrder &order) {
    std::optional<size_t> id = ids_->take(flag, places_);
    if (!id)
      return false;
    flag.id = *id;
    found.needs.push_back({NeedKind::Flag, flag.before, Pipe::ALL, nullptr, step.range(), flag,
                           order.entries[clash.entry].step->range()});
    for (size_t i = 0; i <= clash.entry; ++i)
      if (order.entries[i].known & bit(flag.from))
        order.entries[i].known |= bit(flag.to);
    return true;
  }

  /// A flag that is raised in each turn of a loop, or a second time, must have been taken by then.
  void noteEarly(const Step &step, const State &state) {
    Pipe from = pipeOperand(step, "from");
    for (const PipeOrder::Entry &entry : state.order.entries)
      if (entry.step->is(Intrinsic::WaitFlag) && pipeOperand(*entry.step, "from") == from &&
          pipeOperand(*entry.step, "to") == pipeOperand(step, "to") &&
          flagId(*entry.step) == flagId(step) && !(entry.known & bit(from)) &&
          !llvm::is_contained(found.early, step.stmt))
        found.early.push_back(step.stmt);
  }

  static bool holdsMemory(const PipeOrder &order) {
    return llvm::any_of(order.entries, [](const PipeOrder::Entry &entry) {
      return entry.region.space == Space::Own || entry.region.space == Space::Remote;
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
  const Places places_;
  FlagIds *ids_;
};

} // namespace

Lacks lacksOf(const Graph &graph, FlagIds *ids) {
  SyncFlow analysis(graph, ids);
  analysis.found.isFollowed = Solver<SyncFlow>(graph, analysis).run();
  return std::move(analysis.found);
}

} // namespace pto::sync_detail
