// Runs the pipes of a core: operations enter the queues of their pipes, the head of each queue
// takes its next step when what the step needs is done, barriers and tokens ask how far it came.

#include "engine/parts.h"
#include "engine/pipe_ops.h"
#include "engine/prefetch.h"

#include "base/check.h"
#include "port/reach.h"

#include <algorithm>

namespace pto {

/// Operations of a core before the scalar pipe has to wait.
static constexpr size_t kMaxQueued = 64;

namespace {
struct MakerRow {
  Opcode opcode;
  MakePipeOp make;
};
} // namespace

static constexpr MakerRow kMakers[] = {
    {Opcode::Tput, makeStagedMove},
    {Opcode::Tget, makeStagedMove},
    {Opcode::MtePut, makeStagedMove},
    {Opcode::MteGet, makeStagedMove},
    {Opcode::Tload, makeTileMove},
    {Opcode::Tstore, makeTileMove},
    {Opcode::Tgather, makeCollective},
    {Opcode::Tscatter, makeCollective},
    {Opcode::Tbroadcast, makeCollective},
    {Opcode::Treduce, makeReduction},
    {Opcode::SetFlag, makeFlagOp},
    {Opcode::WaitFlag, makeFlagOp},
    {Opcode::Amo, makeAmo},
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source) {Opcode::Enum, makeTileArithmetic},
#include "base/tile_op.def"
};

PipeOp::~PipeOp() = default;
bool PipeOp::isHeld(const CorePipes &, PipeId) const { return false; }
void PipeOp::act(CorePipes &, PipeId, int64_t) {}

void PipeOp::touch(const PipeStep &step, PipeId, int64_t,
                   llvm::SmallVectorImpl<Touch> &touches) const {
  const ElementCopy &copy = step.copy;
  if (copy.count == 0)
    return;
  touches.push_back({copy.from, AccessMode::Read, copy.fromFirst, copy.count});
  touches.push_back(
      {copy.to, copy.adds ? AccessMode::Add : AccessMode::Write, copy.toFirst, copy.count});
}

bool PipeOp::isFinished() const {
  return std::equal(std::begin(steps), std::end(steps), std::begin(done));
}

/// Whether the operation's next step on the pipe may begin.
static bool canStart(const CorePipes &pipes, const PipeOp &op, PipeId pipe, const PipeStep &step) {
  for (PipeId other : kAllPipes)
    if (op.doneOn(other) < step.needs[size_t(other)])
      return false;
  return !op.isHeld(pipes, pipe);
}

/// How much longer a step takes over a link that is slower than the core's own pipes are.
static int64_t lossOfLink(const EngineState &state, const CoreState &core,
                          const ElementCopy &copy) {
  const View &far = copy.from.space == Space::Gm ? copy.from : copy.to;
  if (!state.context.topology.given || copy.count == 0 || far.space != Space::Gm ||
      far.rank == core.rank)
    return 0;
  const LinkInfo &link = state.context.topology.linkBetween(core.rank, far.rank);
  return link.extraLatencyPs(cost(Cost::PipeStart)) +
         link.extraBytesPs(copy.count * far.elementBytes(), cost(Cost::LinkBytesPerUs));
}

/// Starts the next step of a pipe's head operation if nothing holds it back.
static void tryStart(EngineState &state, uint32_t id, PipeId pipe, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  CorePipes &pipes = *core.pipes;
  if (pipes.isIdle(pipe) || pipes.busy[size_t(pipe)])
    return;
  PipeOp &op = pipes.op(pipes.queue(pipe).front());
  if (op.doneOn(pipe) == op.stepsOn(pipe))
    return;
  PipeStep step = op.step(pipe, op.doneOn(pipe));
  if (!canStart(pipes, op, pipe, step))
    return;
  step.copy.adds |= op.addsAlways && step.copy.to.space == Space::Gm;
  step.ps += lossOfLink(state, core, step.copy) - gainOfL2(state, core, step.copy, nowPs);
  if (op.startPs < 0) {
    op.startPs = nowPs;
    claimFlags(pipes, op);
  }
  pipes.busy[size_t(pipe)] = true;
  pipes.current[size_t(pipe)] = step;
  state.context.agenda.add(nowPs + core.jitter.spread(step.ps) + 1, ActionKind::StepPipe, id,
                           uint32_t(pipe));
}

void startPipes(EngineState &state, uint32_t id, int64_t nowPs) {
  for (PipeId pipe : kAllPipes)
    tryStart(state, id, pipe, nowPs);
}

/// Takes an operation out of the pipes that are done with it; true if it left any.
static bool leavePipes(CorePipes &pipes, const PipeOp &op, uint64_t token) {
  bool left = false;
  for (PipeId pipe : kAllPipes) {
    bool isHolding = op.holdsLoads && pipe == PipeId::MTE2 && !op.isFinished();
    if (pipes.isIdle(pipe) || pipes.queue(pipe).front() != token || isHolding ||
        op.doneOn(pipe) != op.stepsOn(pipe))
      continue;
    pipes.queue(pipe).pop_front();
    left = true;
  }
  return left;
}

/// The pipe whose track shows an operation: the last one that works on it.
static Lane laneOf(const PipeOp &op) {
  static constexpr Lane kLanes[kPipes] = {Lane::MTE2, Lane::V, Lane::MTE3};
  Lane lane = Lane::Scalar;
  for (PipeId pipe : kAllPipes)
    if (op.stepsOn(pipe) != 0)
      lane = kLanes[size_t(pipe)];
  return lane;
}

static void retire(EngineState &state, const CoreState &core, uint64_t token, int64_t nowPs) {
  CorePipes &pipes = *core.pipes;
  std::unique_ptr<PipeOp> op = std::move(pipes.ops[size_t(token - pipes.firstToken)]);
  if (state.context.trace.isOn())
    state.context.trace.add({.kind = EventKind::Complete,
                             .lane = laneOf(*op),
                             .opcode = op->writer.opcode,
                             .rank = core.rank,
                             .index = core.block,
                             .timePs = nowPs,
                             .startPs = op->startPs,
                             .operation = op->writer.operation,
                             .place = op->writer.place});
  while (!pipes.ops.empty() && !pipes.ops.front()) {
    pipes.ops.pop_front();
    ++pipes.firstToken;
  }
}

/// Moves what a step moves; says what that changed in GM.
static Effect moveStep(EngineState &state, CoreState &core, const ElementCopy &copy,
                       const Writer &writer) {
  Effect effect;
  auto base = [&](const View &view) {
    return view.space == Space::Ub ? core.pipes->ub.data() : state.context.gm.of(view.rank);
  };
  copyElements(copy, base(copy.to), base(copy.from));
  if (copy.count != 0 && copy.to.space == Space::Gm) {
    effect.rank = copy.to.rank;
    effect.wrote = byteRange(copy.to);
    effect.writer = writer;
  }
  return effect;
}

static Pipe pipeOf(PipeId pipe) {
  static constexpr Pipe kPipeOf[kPipes] = {Pipe::MTE2, Pipe::V, Pipe::MTE3};
  return kPipeOf[size_t(pipe)];
}

/// What the signal words hold that a step is about to store to; none: it stores to others.
static llvm::SmallVector<int32_t, 0> wordsBefore(const EngineState &state,
                                                 const ElementCopy &copy) {
  llvm::SmallVector<int32_t, 0> words;
  if (!copy.to.isSignal)
    return words;
  ElementWalk walk(copy.to, copy.toFirst);
  for (int64_t i = 0; i != copy.count; ++i) {
    if (i != 0)
      walk.advance(1);
    words.push_back(
        int32_t(loadScalar(ScalarType::I32, state.context.gm.of(copy.to.rank) + walk.offset())));
  }
  return words;
}

/// Begins the entry of a step with what only shows before it is done.
static Deed beginDeed(const EngineState &state, const CoreState &core, const ElementCopy &copy) {
  Deed deed;
  if (copy.count == 0 || copy.to.space != Space::Gm)
    return deed;
  deed.wordsBefore = wordsBefore(state, copy);
  if (copy.adds)
    deed.overflow = findOverflow(copy, state.context.gm.of(copy.to.rank), core.pipes->ub.data());
  return deed;
}

/// The entry of a step that has just been done.
static void noteStep(DeedLog &deeds, uint32_t id, const CorePipes &pipes, const PipeOp &op,
                     PipeId pipe, uint64_t token, Deed begun) {
  Deed &deed = deeds.add(DeedKind::PipeStep, id);
  deed.wordsBefore = std::move(begun.wordsBefore);
  deed.overflow = begun.overflow;
  deed.pipe = pipeOf(pipe);
  deed.token = token;
  deed.isLast = op.isFinished();
  deed.holdsLoads = op.holdsLoads;
  deed.writer = op.writer;
  deed.peer = op.peer;
  deed.takes = op.awaited() != nullptr;
  deed.raises = op.raised() != nullptr;
  if (const FlagId *flag = deed.takes ? op.awaited() : op.raised())
    deed.flag = flagKey(flag->from, flag->to, flag->id);
  op.touch(pipes.current[size_t(pipe)], pipe, op.doneOn(pipe) - 1, deed.touches);
}

Effect stepPipe(EngineState &state, const Action &action) {
  if (holdBack(state, action))
    return {};
  CoreState &core = *state.cores[action.subject];
  CorePipes &pipes = *core.pipes;
  auto pipe = PipeId(action.part);
  uint64_t token = pipes.queue(pipe).front();
  PipeOp &op = pipes.op(token);
  const ElementCopy &copy = pipes.current[size_t(pipe)].copy;
  bool isLogged = state.context.deeds.isOn();
  Deed deed = isLogged ? beginDeed(state, core, copy) : Deed();
  Effect effect = moveStep(state, core, copy, op.writer);
  op.act(pipes, pipe, op.doneOn(pipe));
  ++op.done[size_t(pipe)];
  pipes.busy[size_t(pipe)] = false;
  if (isLogged)
    noteStep(state.context.deeds, action.subject, pipes, op, pipe, token, std::move(deed));
  if (leavePipes(pipes, op, token))
    effect.wakes.push_back(action.subject);
  if (op.isFinished())
    retire(state, core, token, action.timePs);
  startPipes(state, action.subject, action.timePs);
  effect.fault = std::move(pipes.flags.fault ? pipes.flags.fault : pipes.fault);
  return effect;
}

CorePipes &pipesOf(EngineState &state, CoreState &core) {
  if (!core.pipes) {
    core.pipes = std::make_unique<CorePipes>();
    core.pipes->ub.resize(size_t(info(state.context.target.platform).ubBytes) + kAmoWordBytes);
  }
  return *core.pipes;
}

static MakePipeOp makerOf(Opcode opcode) {
  for (const MakerRow &row : kMakers)
    if (row.opcode == opcode)
      return row.make;
  PTO_UNREACHABLE("a request that no pipe serves");
}

static void traceIssue(EngineState &state, const CoreState &core, const PipeOp *op,
                       const Request &request, int64_t nowPs, int64_t afterPs) {
  if (state.context.trace.isOn())
    state.context.trace.add({.kind = EventKind::Issue,
                             .lane = Lane::Scalar,
                             .opcode = request.opcode,
                             .rank = core.rank,
                             .index = core.block,
                             .timePs = afterPs,
                             .startPs = nowPs,
                             .operation = state.operations,
                             .peer = op ? op->peer : core.rank,
                             .bytes = op ? op->bytes : 0,
                             .place = request.place});
}

/// Pipes reach the memory of other ranks where a link carries MTE.
static std::optional<Trap> checkReach(const EngineState &state, const CoreState &core,
                                      const Request &request) {
  for (unsigned i = 0; i != request.viewCount; ++i)
    if (request.views[i].space == Space::Gm)
      if (auto trap = checkLink(state.context.topology, Transport::MTE, core.rank,
                                request.views[i].rank, info(request.opcode).mnemonic))
        return trap;
  return std::nullopt;
}

Completion queuePipeOp(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  CorePipes &pipes = pipesOf(state, core);
  if (pipes.ops.size() >= kMaxQueued) {
    awaitPipes(state, id, nowPs);
    return Completion::blocked();
  }
  if (auto trap = checkReach(state, core, request))
    return Completion::trapped(std::move(*trap));
  std::unique_ptr<PipeOp> op;
  if (auto trap = makerOf(request.opcode)({state, core, request}, op))
    return Completion::trapped(std::move(*trap));
  ++state.operations;
  int64_t afterPs = nowPs + core.jitter.spread(cost(Cost::PipeIssue));
  traceIssue(state, core, op.get(), request, nowPs, afterPs);
  if (!op)
    return Completion::done(afterPs, 0);
  if (auto trap = takeStoreMode(core, request, *op))
    return Completion::trapped(std::move(*trap));
  op->writer = {request.opcode, core.rank,        core.block,
                request.place,  state.operations, request.call};
  releaseBefore(state, id, *op, nowPs);
  uint64_t token = pipes.firstToken + pipes.ops.size();
  for (PipeId pipe : kAllPipes)
    if (op->stepsOn(pipe) != 0)
      pipes.queue(pipe).push_back(token);
  if (state.context.deeds.isOn()) {
    Deed &deed = state.context.deeds.add(DeedKind::PipeIssue, id);
    deed.token = token;
    deed.writer = op->writer;
    deed.stores = op->stepsOn(PipeId::MTE3) != 0;
    if (request.opcode == Opcode::Amo)
      deed.operand = request.values[0];
  }
  pipes.ops.push_back(std::move(op));
  startPipes(state, id, afterPs);
  if (pipes.flags.fault)
    return Completion::trapped(std::move(pipes.flags.fault->trap));
  return Completion::done(afterPs, token);
}

bool pipesAreIdle(const CoreState &core) { return !core.pipes || core.pipes->ops.empty(); }

static bool isDrained(const CoreState &core, Pipe pipe) {
  if (pipesAreIdle(core))
    return true;
  const CorePipes &pipes = *core.pipes;
  switch (pipe) {
  case Pipe::ALL:
    return false;
  case Pipe::S:
    return true;
  case Pipe::V:
    return pipes.isIdle(PipeId::V);
  case Pipe::MTE2:
    return pipes.isIdle(PipeId::MTE2);
  case Pipe::MTE3:
    return pipes.isIdle(PipeId::MTE3);
  }
  return true;
}

Completion pipeBarrier(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  if (isDrained(*state.cores[id], Pipe(request.values[0])))
    return Completion::done(nowPs);
  awaitPipes(state, id, nowPs);
  return Completion::blocked();
}

Completion waitToken(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  const CorePipes *pipes = state.cores[id]->pipes.get();
  for (unsigned i = 0; pipes && i != request.valueCount; ++i)
    if (request.has(i) && !pipes->isDone(request.values[i])) {
      awaitPipes(state, id, nowPs);
      return Completion::blocked();
    }
  return Completion::done(nowPs);
}

} // namespace pto
