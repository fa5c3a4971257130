//===- publish.cpp - a signal that says more than is true -------------------------===//
//
// A kernel publishes data by a notify (or, inside a rank, by syncall). What it moved may still be
// under way on a pipe, in a queue or in the data cache; then the signal overtakes it. A transfer
// that a later signal publishes in order was not what the early one spoke of, so it stays silent.
//
//===----------------------------------------------------------------------===//

#include "flow/payload.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

class PublishFlow {
public:
  using State = Payloads;

  PublishFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {
    for (const Block &block : graph.blocks)
      for (const Step &step : block.steps)
        for (const Touch &touch : touchesOf(graph, step))
          if (!touch.writes && touch.region.space == Space::Remote && touch.region.object >= 0)
            readRemotely_.insert(touch.region.object);
  }

  bool reports = false;

  void step(const Step &step, State &state) {
    if (settle(graph_, step, state))
      return;
    if (!step.tells())
      return add(step, state);
    signal(step, state);
    if (step.is(Intrinsic::Tnotify)) // Ends with a barrier of its own.
      drainPipes(state);
  }
  void join(State &into, const State &from, Join how) {
    if (how != Join::Skip)
      return joinEntries(into, from, how);
    State left = from; // What the turns of a loop did to a payload counts as done.
    llvm::erase_if(left, [&](const Payload &payload) {
      return llvm::any_of(into, [&](const Payload &had) { return had.isSame(payload); });
    });
    joinEntries(into, left, how);
  }
  void turn(State &state) { forgetTurn(state); }
  /// What no later signal published: the early one was meant for it.
  void end(const State &state) {
    for (const Payload &payload : state)
      if (payload.signal && !payload.isTold)
        report(payload);
  }

private:
  void add(const Step &step, State &state) {
    if (step.operand("sig")) // Its own signal comes after it.
      return;
    for (const Touch &touch : touchesOf(graph_, step)) {
      bool isFar = touch.region.space == Space::Remote;
      bool isShown =
          touch.region.space == Space::Own && readRemotely_.contains(touch.region.object);
      if (touch.writes && (isFar || isShown))
        record(step, touch, state);
    }
  }

  /// Whether a signal may have been what an early one was meant for. What went to a group is told
  /// to each member: a later signal to another one does not make good the first.
  [[nodiscard]] bool tellsTheSame(const Payload &payload, const Step &step,
                                  const Region &word) const {
    if (payload.region.reach == Reach::One || !payload.signal)
      return true;
    Region first = regionOf(graph_, payload.signal->frame, payload.signal->operand("sig"));
    bool isFixed = word.peer && word.peer->constant();
    // In a loop the same text is another rank.
    return (payload.signal != &step || isFixed) && isSamePeer(first, word);
  }

  void signal(const Step &step, State &state) {
    Region word = regionOf(graph_, step.frame, step.operand("sig"));
    if (word.space != Space::Remote)
      return;
    auto concerns = [&](const Payload &payload) {
      return payload.region.space == Space::Own || isSamePeer(payload.region, word);
    };
    for (Payload &payload : state) {
      if (payload.isTold || !concerns(payload))
        continue;
      if (payload.isDrained) {
        payload.isTold = tellsTheSame(payload, step, word);
      } else if (!payload.signal) {
        payload.signal = &step;
        payload.isSure = !payload.isMaybe;
      }
    }
  }

  void report(const Payload &payload) {
    const Step &signal = *payload.signal;
    if (!payload.isSure)
      return context_.unknown("whether the `" + nameOf(*payload.step) + "` at " +
                              context_.place(payload.step->range()) +
                              " is complete when the signal at " + context_.place(signal.range()) +
                              " is given");
    Finding &finding =
        payload.held == Held::Queue
            ? context_.sink.report<Rule::NotifyBeforeWait>(signal.range(), nameOf(signal),
                                                           nameOf(*payload.step))
            : context_.sink.report<Rule::NotifyBeforeDrain>(signal.range(), nameOf(signal),
                                                            nameOf(*payload.step), placeOf(payload),
                                                            drainOf(payload, context_) + " dsb();");
    context_.sink.note(finding, payload.step->range(), "the data that it speaks of");
    if (payload.held != Held::Queue)
      fixBefore(context_, finding, signal, {drainOf(payload, context_), "dsb();"});
  }

  const Graph &graph_;
  Context &context_;
  llvm::DenseSet<int32_t> readRemotely_; ///< Objects that this kernel reads on other ranks.
};

} // namespace

void followPublish(const Graph &graph, Context &context) {
  PublishFlow analysis(graph, context);
  solve(graph, context, analysis, "what its signals say");
}

} // namespace pto::flow_detail
