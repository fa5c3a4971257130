// set_flag and wait_flag: entries in the queues of the pipes, or deeds of the core itself where the
// pipe is S; and what the operations of the engines use of the same flags.

#include "engine/parts.h"
#include "engine/pipe_ops.h"

namespace pto {

std::string text(const FlagId &flag) {
  return (name(flag.from) + " to " + name(flag.to) + ", id " + llvm::Twine(unsigned(flag.id)))
      .str();
}

Flags::State Flags::state(const FlagId &flag) const {
  auto found = states_.find(flag);
  return found == states_.end() ? State() : found->second;
}

bool Flags::isUp(const FlagId &flag) const { return state(flag).isUp; }

void Flags::raise(const FlagId &flag, const Writer &writer) {
  State &state = states_[flag];
  if (state.isUp && !fault) {
    fault = PipeFault{makeTrap<Rule::FlagSetTwice>(text(flag)), writer};
    fault->trap.sites.push_back(
        {state.lastRaised, "it was raised here", writer.rank, writer.block, -1});
  }
  state.isUp = true;
  ++state.raised;
  state.lastRaised = writer.place;
}

void Flags::take(const FlagId &flag) { states_[flag].isUp = false; }

void Flags::claim(llvm::ArrayRef<std::pair<Pipe, Pipe>> pairs, uint8_t firstId, uint8_t ids,
                  const Writer &writer) {
  for (auto [from, to] : pairs)
    for (uint8_t id = firstId; id != firstId + ids; ++id) {
      FlagId flag{from, to, id};
      if (fault || !isUp(flag))
        continue;
      fault =
          PipeFault{makeTrap<Rule::FlagInUse>(info(writer.opcode).mnemonic, text(flag)), writer};
      fault->trap.sites.push_back(
          {state(flag).lastRaised, "it was raised here", writer.rank, writer.block, -1});
    }
}

namespace {
/// One half of a flag, in the queue of its pipe.
class FlagOp : public PipeOp {
public:
  FlagId flag;
  bool raises = false;

  PipeStep step(PipeId, int64_t) const override {
    PipeStep step;
    step.ps = cost(Cost::Flag);
    return step;
  }
  bool isHeld(const CorePipes &pipes, PipeId) const override {
    return !raises && !pipes.flags.isUp(flag);
  }
  void act(CorePipes &pipes, PipeId, int64_t) override {
    if (raises)
      pipes.flags.raise(flag, writer);
    else
      pipes.flags.take(flag);
  }
  const FlagId *awaited() const override { return raises ? nullptr : &flag; }
  const FlagId *raised() const override { return raises ? &flag : nullptr; }
};
} // namespace

static FlagId flagOf(const Request &request) {
  return {Pipe(request.values[0]), Pipe(request.values[1]), uint8_t(request.values[2])};
}

static std::optional<Trap> checkFlag(const Request &request) {
  auto id = int64_t(int32_t(request.values[2]));
  llvm::StringRef name = info(request.opcode).mnemonic;
  if (id < 0 || id >= limit(Limit::EventIds))
    return makeTrap<Rule::EventIdOutOfRange>(name, id, limit(Limit::EventIds) - 1);
  FlagId flag = flagOf(request);
  if (flag.from == Pipe::ALL || flag.to == Pipe::ALL || flag.from == flag.to)
    return makeTrap<Rule::WrongArguments>("`" + name.str() + "` needs two different pipes of " +
                                          "S, V, MTE2, MTE3");
  return std::nullopt;
}

static PipeId queueOf(Pipe pipe) {
  return pipe == Pipe::V ? PipeId::V : pipe == Pipe::MTE2 ? PipeId::MTE2 : PipeId::MTE3;
}

std::optional<Trap> makeFlagOp(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  auto op = std::make_unique<FlagOp>();
  op->flag = flagOf(ask.request);
  op->raises = ask.request.opcode == Opcode::SetFlag;
  op->peer = ask.core.rank;
  op->steps[size_t(queueOf(op->raises ? op->flag.from : op->flag.to))] = 1;
  made = std::move(op);
  return std::nullopt;
}

Completion setFlag(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  if (auto trap = checkFlag(request))
    return Completion::trapped(std::move(*trap));
  FlagId flag = flagOf(request);
  if (flag.from != Pipe::S)
    return queuePipeOp(state, id, request, nowPs);
  CoreState &core = *state.cores[id];
  CorePipes &pipes = pipesOf(state, core);
  pipes.flags.raise(flag, {request.opcode, core.rank, core.block, request.place, 0});
  if (state.context.deeds.isOn())
    state.context.deeds.add(DeedKind::FlagRaise, id).flag = flagKey(flag.from, flag.to, flag.id);
  int64_t afterPs = nowPs + core.jitter.spread(cost(Cost::Flag));
  startPipes(state, id, afterPs);
  if (pipes.flags.fault)
    return Completion::trapped(std::move(pipes.flags.fault->trap));
  return Completion::done(afterPs);
}

Completion waitFlag(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  if (auto trap = checkFlag(request))
    return Completion::trapped(std::move(*trap));
  FlagId flag = flagOf(request);
  if (flag.to != Pipe::S)
    return queuePipeOp(state, id, request, nowPs);
  CoreState &core = *state.cores[id];
  CorePipes &pipes = pipesOf(state, core);
  if (!pipes.flags.isUp(flag))
    return Completion::blocked();
  pipes.flags.take(flag);
  if (state.context.deeds.isOn())
    state.context.deeds.add(DeedKind::FlagTake, id).flag = flagKey(flag.from, flag.to, flag.id);
  return Completion::done(nowPs + core.jitter.spread(cost(Cost::Flag)));
}

std::optional<Trap> sessionFlagTrap(CoreState &core, const Session &session,
                                    const Request &request) {
  if (!core.pipes)
    return std::nullopt;
  Flags &flags = core.pipes->flags;
  bool putsInside = session.row->put == TransferMode::Sync;
  if (std::optional<InnerFlags> inner = sessionFlags(session.engine, putsInside))
    flags.claim(info(*inner).pairs, uint8_t(session.syncId), 1,
                {request.opcode, core.rank, core.block, request.place, 0});
  return flags.fault ? std::optional(flags.fault->trap) : std::nullopt;
}

/// Chunks are handed from pipe to pipe by flags of the operation's own.
void claimFlags(CorePipes &pipes, const PipeOp &op) {
  if (op.inner)
    pipes.flags.claim(info(*op.inner).pairs, 0, op.innerIds, op.writer);
}

std::vector<FlagHold> Engines::flagHolds(uint32_t id, const Request &request) const {
  std::vector<FlagHold> holds;
  const CorePipes *pipes = state_->cores[id]->pipes.get();
  if (!pipes)
    return holds;
  auto add = [&](const FlagId &flag, llvm::StringRef pipe, const CodePlace &place) {
    Flags::State state = pipes->flags.state(flag);
    FlagHold hold{flag.from, flag.to,      text(flag),       pipe.str(),
                  place,     state.raised, state.lastRaised, {}};
    for (const auto &op : pipes->ops)
      if (const FlagId *raised = op ? op->raised() : nullptr; raised && *raised == flag)
        hold.queued.push_back(op->writer.place);
    holds.push_back(std::move(hold));
  };
  for (const std::deque<uint64_t> &queue : pipes->queues) {
    const PipeOp *head =
        queue.empty() ? nullptr : pipes->ops[queue.front() - pipes->firstToken].get();
    const FlagId *flag = head ? head->awaited() : nullptr;
    if (flag)
      add(*flag, name(flag->to), head->writer.place);
  }
  if (request.opcode == Opcode::WaitFlag && flagOf(request).to == Pipe::S)
    add(flagOf(request), "S", request.place);
  return holds;
}

std::vector<Leak> Engines::flagsUp(uint32_t id) const {
  std::vector<Leak> leaks;
  const CorePipes *pipes = state_->cores[id]->pipes.get();
  if (!pipes)
    return leaks;
  for (const auto &[flag, state] : pipes->flags.all())
    if (state.isUp)
      leaks.push_back({state.lastRaised, text(flag)});
  return leaks;
}

} // namespace pto
