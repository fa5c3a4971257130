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

class AcquireFlow {
public:
  struct State {
    const Step *wait = nullptr;          ///< The last wait.
    bool isMaybe = false;                ///< On some paths, or not alike on all.
    bool isAllClean = false;             ///< Everything was dropped from the cache since.
    llvm::SmallVector<int32_t, 4> clean; ///< Objects that were, sorted.
    bool operator==(const State &) const = default;
  };

  AcquireFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  bool reports = false;

  void step(const Step &step, State &state) {
    if (step.kind != StepKind::Instruction)
      return;
    switch (step.expr->intrinsic) {
    case Intrinsic::Twait:
      state = {&step, false, false, {}};
      return;
    case Intrinsic::Dcci:
      return drop(step, state);
    case Intrinsic::Load:
      if (reports)
        read(step, state);
      return;
    default:
      return;
    }
  }

  void join(State &into, const State &from, Join how) {
    if (how == Join::Skip || into == from)
      return;
    bool isLoop = how == Join::Loop;
    if (isLoop && !from.wait)
      return;
    if (isLoop && !into.wait) {
      into = from;
      return;
    }
    into.isMaybe |= from.isMaybe || !isLoop;
    into.isAllClean &= from.isAllClean;
    if (!into.wait)
      into.wait = from.wait;
    llvm::erase_if(into.clean,
                   [&](int32_t object) { return !llvm::is_contained(from.clean, object); });
  }
  void turn(State &) {}
  void end(const State &) {}

private:
  void drop(const Step &step, State &state) {
    Region lines = regionOf(graph_, step.frame, step.operand("x"));
    if (lines.space == Space::None)
      state.isAllClean = true;
    else if (!llvm::is_contained(state.clean, lines.object))
      state.clean.insert(llvm::lower_bound(state.clean, lines.object), lines.object);
  }

  void read(const Step &step, const State &state) {
    Region region = regionOf(graph_, step.frame, step.operand("x"));
    if (!state.wait || state.isAllClean || region.space != Space::Own || region.object < 0 ||
        llvm::is_contained(state.clean, region.object) || !context_.use(region).isWrittenRemotely)
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
