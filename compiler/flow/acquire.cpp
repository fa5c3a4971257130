//===- acquire.cpp - a scalar read that may see what was there before ------------===//
//
// A wait says that another rank's data has arrived in memory. The scalar unit reads through a cache
// that nobody keeps coherent, so a load after the wait needs `dcci` in between.
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

/// Some objects, or all but some.
class ObjectSet {
public:
  static ObjectSet all() {
    ObjectSet set;
    set.isAllBut_ = true;
    return set;
  }
  [[nodiscard]] bool contains(int32_t object) const {
    return llvm::is_contained(listed_, object) != isAllBut_;
  }
  void insert(int32_t object) { isAllBut_ ? unlist(object) : list(object); }
  void erase(int32_t object) { isAllBut_ ? list(object) : unlist(object); }
  void intersect(const ObjectSet &other) {
    if (!isAllBut_) {
      llvm::erase_if(listed_, [&](int32_t object) { return !other.contains(object); });
    } else if (other.isAllBut_) {
      for (int32_t object : other.listed_)
        list(object);
    } else {
      ObjectSet both = other;
      both.intersect(*this);
      *this = std::move(both);
    }
  }
  bool operator==(const ObjectSet &) const = default;

private:
  void list(int32_t object) {
    if (!llvm::is_contained(listed_, object))
      listed_.insert(llvm::lower_bound(listed_, object), object);
  }
  void unlist(int32_t object) { llvm::erase(listed_, object); }

  bool isAllBut_ = false;
  llvm::SmallVector<int32_t, 4> listed_; ///< Sorted.
};

class AcquireFlow {
public:
  struct State {
    const Step *wait = nullptr; ///< The last wait.
    bool isMaybe = false;       ///< On some paths, or not alike on all.
    ObjectSet clean;            ///< What the cache held no line of at the wait or since.
    ObjectSet absent;           ///< What it was told to drop, and has not fetched since.
    bool operator==(const State &) const = default;
  };

  AcquireFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  bool reports = false;

  void step(const Step &step, State &state) {
    if (step.kind != StepKind::Instruction)
      return;
    switch (step.expr->intrinsic) {
    case Intrinsic::Twait:
      state = {&step, false, state.absent, state.absent};
      return;
    case Intrinsic::Dcci:
      return drop(step, state);
    case Intrinsic::Load:
      if (reports)
        read(step, state);
      return fetch(step, state);
    case Intrinsic::Store:
      return fetch(step, state);
    default:
      return;
    }
  }

  void join(State &into, const State &from, Join how) {
    if (how == Join::Skip || into == from)
      return;
    into.absent.intersect(from.absent);
    bool isLoop = how == Join::Loop;
    if (isLoop && !from.wait)
      return;
    if (isLoop && !into.wait) {
      ObjectSet absent = into.absent;
      into = from;
      into.absent = std::move(absent);
      return;
    }
    into.isMaybe |= from.isMaybe || !isLoop;
    if (!into.wait)
      into.wait = from.wait;
    into.clean.intersect(from.clean);
  }
  void turn(State &) {}
  void end(const State &) {}

private:
  void drop(const Step &step, State &state) {
    Region lines = regionOf(graph_, step.frame, step.operand("x"));
    if (lines.space == Space::None) {
      state.clean = state.absent = ObjectSet::all();
    } else {
      state.clean.insert(lines.object);
      state.absent.insert(lines.object);
    }
  }

  void fetch(const Step &step, State &state) const {
    Region region = regionOf(graph_, step.frame, step.operand("x"));
    if (region.object < 0)
      state.absent = ObjectSet(); // It may be any.
    else
      state.absent.erase(region.object);
  }

  void read(const Step &step, const State &state) {
    Region region = regionOf(graph_, step.frame, step.operand("x"));
    if (!state.wait || region.space != Space::Own || region.object < 0 ||
        state.clean.contains(region.object) || !context_.use(region).isWrittenRemotely)
      return;
    if (state.isMaybe)
      return context_.unknown("whether the `load` at " + context_.place(step.range()) +
                              " can see an old cache line");
    std::string object = context_.program.objects[size_t(region.object)].name;
    Finding &finding = context_.sink.report<Rule::LoadBeforeInvalidate>(
        step.range(), context_.text(step.operand("x")), object);
    context_.sink.note(finding, state.wait->range(), "the data is waited for here");
    fixBefore(context_, finding, step, {"dcci(" + object + ");", "dsb();"});
  }

  const Graph &graph_;
  Context &context_;
};

} // namespace

void followAcquire(const Graph &graph, Context &context) {
  AcquireFlow analysis(graph, context);
  solve(graph, context, analysis, "what its loads can see");
}

} // namespace pto::flow_detail
