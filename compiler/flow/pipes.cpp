//===- pipes.cpp - work on one pipe that needs the result of another -------------===//

#include "flow/context.h"

namespace pto::flow_detail {

namespace {

class PipeFlow {
public:
  using State = PipeOrder;

  PipeFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  bool reports = false;

  void step(const Step &step, State &state) {
    llvm::SmallVector<Touch, 6> touches = orderedTouches(graph_, step);
    const Step *told = nullptr; // The region of a tile is one thing, whoever reads it.
    for (const PipeOrder::Hazard &hazard : reports ? state.hazards(touches) : Hazards()) {
      if (!step.is(Intrinsic::SetValid) || hazard.earlier->step != told)
        report(step, hazard);
      told = hazard.earlier->step;
    }
    state.apply(graph_, step, touches);
  }
  void join(State &into, const State &from, Join how) { into.join(from, how); }
  void turn(State &state) { state.turn(); }
  void end(const State &) {}

private:
  using Hazards = llvm::SmallVector<PipeOrder::Hazard, 2>;

  static llvm::StringRef verb(bool writes) { return writes ? "writes" : "reads"; }

  /// "on MTE2", or who else does it.
  static std::string where(const Step &step, Pipe pipe) {
    if (pipe != Pipe::S)
      return "on " + name(pipe).str();
    PipeUse use = info(step.expr->intrinsic).pipe;
    return use == PipeUse::Engine || use == PipeUse::Queue ? "by its engine" : "in the scalar unit";
  }

  Finding &say(const Step &step, const PipeOrder::Hazard &hazard) {
    const PipeOrder::Entry &earlier = *hazard.earlier;
    const Touch &touch = *hazard.touch;
    std::string operand = context_.text(touch.operand), there = where(*earlier.step, earlier.pipe);
    if (step.is(Intrinsic::SetValid))
      return context_.sink.report<Rule::ValidSetWhileBusy>(step.range(), nameOf(step), operand,
                                                           nameOf(*earlier.step), there);
    if (touch.region.space == Space::Tile)
      return context_.sink.report<Rule::TileNotOrdered>(
          step.range(), nameOf(step), verb(touch.writes), operand, where(step, touch.pipe),
          nameOf(*earlier.step), verb(earlier.writes), there);
    return context_.sink.report<Rule::StoreNotDrained>(
        step.range(), nameOf(step), verb(touch.writes), operand, where(step, touch.pipe),
        nameOf(*earlier.step), verb(earlier.writes), there);
  }

  void report(const Step &step, const PipeOrder::Hazard &hazard) {
    const PipeOrder::Entry &earlier = *hazard.earlier;
    if (earlier.isMaybe)
      return context_.unknown("whether the `" + nameOf(step) + "` at " +
                              context_.place(step.range()) + " comes after the `" +
                              nameOf(*earlier.step) + "` at " +
                              context_.place(earlier.step->range()));
    Finding &finding = say(step, hazard);
    context_.sink.note(finding, earlier.step->range(),
                       ("the earlier `" + nameOf(*earlier.step) + "`").str());
    fixBefore(context_, finding, step, {"pipe_barrier(ALL);"});
  }

  const Graph &graph_;
  Context &context_;
};

} // namespace

void followPipes(const Graph &graph, Context &context) {
  PipeFlow analysis(graph, context);
  solve(graph, context, analysis, "the order of the pipes");
}

} // namespace pto::flow_detail
