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
    llvm::SmallVector<Touch, 6> touches = touchesOf(graph_, step);
    if (reports)
      for (const PipeOrder::Hazard &hazard : state.hazards(touches))
        report(step, hazard);
    state.apply(graph_, step, touches);
  }
  void join(State &into, const State &from, Join how) { into.join(from, how); }
  void turn(State &state) { state.turn(); }
  void end(const State &) {}

private:
  static llvm::StringRef verb(bool writes) { return writes ? "writes" : "reads"; }

  /// "on MTE2", or who else does it.
  static std::string where(const Step &step, Pipe pipe) {
    if (pipe != Pipe::S)
      return "on " + name(pipe).str();
    return info(step.expr->intrinsic).pipe == PipeUse::Engine ? "by its engine"
                                                              : "in the scalar unit";
  }

  void report(const Step &step, const PipeOrder::Hazard &hazard) {
    const PipeOrder::Entry &earlier = *hazard.earlier;
    const Touch &touch = *hazard.touch;
    if (earlier.isMaybe)
      return context_.unknown("whether the `" + nameOf(step) + "` at " +
                              context_.place(step.range()) + " comes after the `" +
                              nameOf(*earlier.step) + "` at " +
                              context_.place(earlier.step->range()));
    bool isTile = touch.region.space == Space::Tile;
    Finding &finding =
        isTile ? context_.sink.report<Rule::TileNotOrdered>(
                     step.range(), nameOf(step), verb(touch.writes), context_.text(touch.operand),
                     where(step, touch.pipe), nameOf(*earlier.step), verb(earlier.writes),
                     where(*earlier.step, earlier.pipe))
               : context_.sink.report<Rule::StoreNotDrained>(
                     step.range(), nameOf(step), verb(touch.writes), context_.text(touch.operand),
                     where(step, touch.pipe), nameOf(*earlier.step), verb(earlier.writes),
                     where(*earlier.step, earlier.pipe));
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
