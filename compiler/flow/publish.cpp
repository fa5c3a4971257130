//===- publish.cpp - a signal that says more than is true -------------------------===//
//
// A kernel publishes data by a notify (or, inside a rank, by syncall). What it moved may still be
// under way on a pipe, in a queue or in the data cache; then the signal overtakes it. A transfer
// that a later signal publishes in order was not what the early one spoke of, so it stays silent.
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

enum class Held : uint8_t { Pipe, Queue, Cache }; ///< What still has it.

/// Data on its way to whom a signal may tell of it.
struct Payload {
  const Step *step = nullptr;
  const Expr *operand = nullptr;
  Held held = Held::Pipe;
  bool isMaybe = false;
  bool isDrained = false;
  const Step *signal = nullptr; ///< The first one that came while it was under way.
  Region region;

  [[nodiscard]] bool isSame(const Payload &other) const {
    return step == other.step && operand == other.operand;
  }
  void meet(const Payload &other, bool isLoop) {
    bool differs = isDrained != other.isDrained || signal != other.signal;
    isMaybe = isLoop ? isMaybe && other.isMaybe : isMaybe || other.isMaybe || differs;
    isDrained &= other.isDrained;
    if (!signal)
      signal = other.signal;
    if (!(region == other.region))
      forgetTurn(region);
  }
  bool operator==(const Payload &) const = default;
};

class PublishFlow {
public:
  using State = std::vector<Payload>;

  PublishFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {
    for (const Block &block : graph.blocks)
      for (const Step &step : block.steps)
        for (const Touch &touch : touchesOf(graph, step))
          if (!touch.writes && touch.region.space == Space::Remote && touch.region.object >= 0)
            readRemotely_.insert(touch.region.object);
  }

  bool reports = false;

  void step(const Step &step, State &state) {
    if (step.kind == StepKind::After)
      for (const Expr *token : step.stmt->ops)
        finish(step.frame, token, state, Held::Pipe);
    if (step.kind != StepKind::Instruction)
      return;
    switch (step.expr->intrinsic) {
    case Intrinsic::PipeBarrier:
      return drain(pipeOperand(step, "pipe"), state);
    case Intrinsic::Tsync:
      for (const Expr *token : step.expr->ops)
        if (token)
          finish(step.frame, token, state, Held::Pipe);
      return;
    case Intrinsic::Wait:
    case Intrinsic::Test:
      return finish(step.frame, step.expr->ops[0], state, Held::Queue);
    case Intrinsic::Dcci:
      return flush(step, state);
    case Intrinsic::Tnotify:
      signal(step, state);
      return drain(Pipe::ALL, state);
    default:
      return add(step, state);
    }
  }
  void join(State &into, const State &from, Join how) { joinEntries(into, from, how); }
  void turn(State &state) {
    for (Payload &payload : state)
      forgetTurn(payload.region);
  }
  /// What no later signal published: the early one was meant for it.
  void end(const State &state) {
    for (const Payload &payload : state)
      if (payload.signal)
        report(payload);
  }

private:
  static void drain(Pipe pipe, State &state) {
    for (Payload &payload : state)
      if (payload.held == Held::Pipe && (pipe == Pipe::ALL || pipe == Pipe::MTE3))
        payload.isDrained = true;
  }

  /// A token, or an event: of which step, and what that covers.
  void finish(FrameId frame, const Expr *handle, State &state, Held held) {
    Origin made = graph_.origin(frame, handle);
    auto issued = llvm::find_if(state, [&](const Payload &payload) {
      return made && payload.step->expr == made.expr && payload.step->frame == made.frame;
    });
    for (auto each = state.begin(); each != state.end(); ++each) {
      bool isCovered = issued == state.end() || each <= issued;
      if (each->held == held && isCovered &&
          (held == Held::Pipe || isOneQueue(*each, issued, state)))
        each->isDrained = true;
    }
  }

  /// An event covers the earlier posts of its session, and on URMA and RDMA of its peer.
  [[nodiscard]] bool isOneQueue(const Payload &payload, State::iterator issued,
                                const State &state) const {
    if (issued == state.end())
      return true;
    const Expr *one = payload.step->operand("s"), *other = issued->step->operand("s");
    if (!one || !other)
      return true;
    return graph_.origin(payload.step->frame, one) == graph_.origin(issued->step->frame, other);
  }

  void flush(const Step &step, State &state) {
    Region lines = regionOf(graph_, step.frame, step.operand("x"));
    for (Payload &payload : state)
      if (payload.held == Held::Cache &&
          (lines.space == Space::None || lines.object == payload.region.object))
        payload.isDrained = true;
  }

  void add(const Step &step, State &state) {
    const IntrinsicInfo &row = info(step.expr->intrinsic);
    if (step.operand("sig")) // Its own signal comes after it.
      return;
    for (const Touch &touch : touchesOf(graph_, step)) {
      bool isFar = touch.region.space == Space::Remote;
      bool isShown =
          touch.region.space == Space::Own && readRemotely_.contains(touch.region.object);
      if (!touch.writes || !(isFar || isShown))
        continue;
      Held held = row.pipe == PipeUse::Engine ? Held::Queue
                  : touch.pipe == Pipe::S     ? Held::Cache
                                              : Held::Pipe;
      Payload payload{&step, touch.operand, held, false, false, nullptr, touch.region};
      llvm::erase_if(state, [&](const Payload &had) { return had.isSame(payload); });
      state.push_back(payload);
    }
  }

  void signal(const Step &step, State &state) {
    Region word = regionOf(graph_, step.frame, step.operand("sig"));
    if (word.space != Space::Remote)
      return;
    auto concerns = [&](const Payload &payload) {
      return payload.region.space == Space::Own || isSamePeer(payload.region, word);
    };
    llvm::erase_if(state,
                   [&](const Payload &payload) { return payload.isDrained && concerns(payload); });
    for (Payload &payload : state)
      if (!payload.signal && !payload.isDrained && concerns(payload))
        payload.signal = &step;
  }

  [[nodiscard]] std::string drainOf(const Payload &payload) const {
    return payload.held == Held::Cache ? "dcci(" + context_.text(payload.operand) + ");"
                                       : "pipe_barrier(ALL);";
  }

  void report(const Payload &payload) {
    const Step &signal = *payload.signal;
    if (payload.isMaybe)
      return context_.unknown("whether the `" + nameOf(*payload.step) + "` at " +
                              context_.place(payload.step->range()) +
                              " is complete when the signal at " + context_.place(signal.range()) +
                              " is given");
    Finding &finding = payload.held == Held::Queue
                           ? context_.sink.report<Rule::NotifyBeforeWait>(
                                 signal.range(), nameOf(signal), nameOf(*payload.step))
                           : context_.sink.report<Rule::NotifyBeforeDrain>(
                                 signal.range(), nameOf(signal), nameOf(*payload.step),
                                 payload.held == Held::Cache ? "in the data cache" : "on MTE3",
                                 drainOf(payload) + " dsb();");
    context_.sink.note(finding, payload.step->range(), "the data that it speaks of");
    if (payload.held != Held::Queue)
      fixBefore(context_, finding, signal, {drainOf(payload), "dsb();"});
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
