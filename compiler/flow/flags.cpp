//===- flags.cpp - a flag is one bit: raised, taken, raised again ---------------------===//
//
// Follows the flags of constant number. What a number that is not known could touch is let go, and
// so is what only some paths raise.
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"

#include "base/inner_flag.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

/// A flag that is up.
struct Raised {
  Pipe from = Pipe::S, to = Pipe::S;
  size_t id = 0;
  const Step *step = nullptr; ///< The set_flag.
  bool isMaybe = false;

  [[nodiscard]] bool isSame(const Raised &other) const {
    return from == other.from && to == other.to && id == other.id;
  }
  void meet(const Raised &other, bool isLoop) {
    isMaybe = isLoop ? isMaybe && other.isMaybe : isMaybe || other.isMaybe;
  }
  bool operator==(const Raised &) const = default;
};

/// The flags that an instruction uses itself.
struct Inner {
  std::optional<InnerFlags> which;
  size_t first = 0, ids = 0;
};

class FlagFlow {
public:
  using State = std::vector<Raised>;

  FlagFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  bool reports = false;

  void step(const Step &step, State &state) {
    if (step.is(Intrinsic::SetFlag))
      return raise(step, state);
    if (step.is(Intrinsic::WaitFlag))
      return take(step, state);
    if (step.kind == StepKind::Instruction && reports)
      use(step, state);
  }
  void join(State &into, const State &from, Join how) { joinEntries(into, from, how); }
  void turn(State &) {}
  void end(const State &state) {
    for (const Raised &flag : state)
      if (!flag.isMaybe)
        context_.sink.report<Rule::FlagNotAwaited>(flag.step->range(), text(flag));
  }

private:
  /// "MTE2 to MTE3, id 0"
  static std::string text(const Raised &flag) {
    return (name(flag.from) + " to " + name(flag.to) + ", id " + llvm::Twine(flag.id)).str();
  }

  static Raised flagOf(const Step &step, size_t id) {
    return {pipeOperand(step, "from"), pipeOperand(step, "to"), id, &step, false};
  }

  /// A number that is not known may be any of the pair: from here on nothing is sure of them.
  static void letGo(const Step &step, State &state) {
    Raised pair = flagOf(step, 0);
    for (Raised &flag : state)
      flag.isMaybe |= flag.from == pair.from && flag.to == pair.to;
  }

  void raise(const Step &step, State &state) {
    std::optional<size_t> id = flagId(step);
    if (!id)
      return letGo(step, state);
    Raised flag = flagOf(step, *id);
    auto had = llvm::find_if(state, [&](const Raised &other) { return other.isSame(flag); });
    if (had != state.end() && reports) {
      if (had->isMaybe)
        context_.unknown("whether the flag (" + text(flag) + ") is still up at " +
                         context_.place(step.range()));
      else
        context_.sink.note(context_.sink.report<Rule::FlagSetTwice>(step.range(), text(flag)),
                           had->step->range(), "it was raised here");
    }
    if (had != state.end())
      state.erase(had);
    state.push_back(flag);
  }

  void take(const Step &step, State &state) {
    std::optional<size_t> id = flagId(step);
    if (!id)
      return letGo(step, state);
    Raised flag = flagOf(step, *id);
    llvm::erase_if(state, [&](const Raised &other) { return other.isSame(flag); });
  }

  [[nodiscard]] Inner innerOf(const Step &step) const {
    size_t tiles = step.operand("pong") ? 2 : 1;
    switch (info(step.expr->intrinsic).pipe) {
    case PipeUse::Staged:
      return {InnerFlags::Staged, 0, tiles + info(InnerFlags::Staged).extraIds};
    case PipeUse::Reduce:
      return {InnerFlags::Reduce, 0, tiles + info(InnerFlags::Reduce).extraIds};
    case PipeUse::Engine:
      return innerOfSession(step);
    default:
      return {};
    }
  }

  /// What all platforms have of it; the rest is for the run.
  [[nodiscard]] Inner innerOfSession(const Step &step) const {
    const Expr *session = graph_.origin(step.frame, step.operand("s")).expr;
    if (!session || session->kind != program::ExprKind::Session)
      return {};
    const Expr *id = session->ops.size() > 1 ? session->ops[1] : nullptr;
    std::optional<int64_t> known = id ? id->value.constant() : 0;
    if (!known || *known < 0)
      return {};
    return {sessionFlags(session->type.engine, false), size_t(*known), 1};
  }

  void use(const Step &step, const State &state) {
    Inner inner = innerOf(step);
    for (const Raised &flag : state) {
      bool isInner = inner.which && flag.id >= inner.first && flag.id - inner.first < inner.ids &&
                     llvm::is_contained(info(*inner.which).pairs, std::pair(flag.from, flag.to));
      if (!isInner || flag.isMaybe)
        continue;
      Finding &finding =
          context_.sink.report<Rule::FlagInUse>(step.range(), nameOf(step), text(flag));
      context_.sink.note(finding, flag.step->range(), "it is raised here");
    }
  }

  const Graph &graph_;
  Context &context_;
};

} // namespace

void followFlags(const Graph &graph, Context &context) {
  FlagFlow analysis(graph, context);
  solve(graph, context, analysis, "its flags");
}

} // namespace pto::flow_detail
