//===- mte.cpp - the pipes of a core ----------------------------------------===//
//
// MTE2 loads into UB, MTE3 stores from it; each takes its operations in order, and nothing orders
// one against the other or against the scalar pipe but barriers and tokens. Inside tput and tget
// the two are coupled: a chunk is stored after it was loaded, and a staging tile is loaded again
// after its last chunk was stored. Two tiles let a load run beside a store.
//
//===----------------------------------------------------------------------===//

#include "engine/parts.h"

#include "memory/walk.h"
#include "port/checks.h"

#include <algorithm>

namespace pto {

static constexpr size_t kMaxQueued =
    64; ///< Operations of a core before the scalar pipe has to wait.
static constexpr int64_t kStepsOfTile = 4; ///< Steps in which tload and tstore move.

static std::optional<Trap> tileTrap(const View &tile, const View &data, llvm::StringRef name) {
  if (tile.space != Space::Ub)
    return makeTrap<Rule::LayoutMismatch>("`" + name.str() + "` needs a tile, and this is GM");
  if (auto trap = checkSameType(tile, data, name))
    return trap;
  if (elements(validPart(tile)) == 0 && elements(data) != 0)
    return makeTrap<Rule::LayoutMismatch>("the tile of `" + name.str() + "` has no valid elements");
  return std::nullopt;
}

/// Sets `into` to the part that the operation writes, or says why it cannot.
static std::optional<Trap> narrow(View &into, const View &from, llvm::StringRef name) {
  std::optional<View> part = conform(into, from);
  if (!part)
    return makeTrap<Rule::LayoutMismatch>("`" + name.str() + "` moves a shape of " +
                                          shapeText(from) + " into " + shapeText(into));
  into = *part;
  return std::nullopt;
}

static std::optional<Trap> addTrap(const PipeOp &op) {
  using enum ScalarType;
  static constexpr ScalarType kAdds[] = {I8, I16, I32, F16, BF16, F32};
  if (!op.adds || std::find(std::begin(kAdds), std::end(kAdds), op.to.type) != std::end(kAdds))
    return std::nullopt;
  return makeTrap<Rule::AtomicAddDtype>(info(op.to.type).name);
}

/// tput, tget: through one or two staging tiles.
static std::optional<Trap> readStaged(PipeOp &op, const Request &request) {
  llvm::StringRef name = info(request.opcode).mnemonic;
  op.to = request.views[0];
  op.from = request.views[1];
  op.loads = op.stores = true;
  op.adds =
      request.opcode == Opcode::Tput && AtomicType(request.values[0]) == AtomicType::AtomicAdd;
  op.tileCount = request.views[3].space == Space::None || request.viewCount < 4 ? 1 : 2;
  if (auto trap = checkSameType(op.to, op.from, name))
    return trap;
  op.chunk = std::numeric_limits<int64_t>::max();
  for (uint32_t i = 0; i != op.tileCount; ++i) {
    if (auto trap = tileTrap(request.views[2 + i], op.from, name))
      return trap;
    op.tiles[i] = validPart(request.views[2 + i]);
    op.chunk = std::min(op.chunk, elements(op.tiles[i]));
  }
  op.total = elements(op.from);
  if (auto trap = narrow(op.to, op.from, name))
    return trap;
  return addTrap(op);
}

/// tload, tstore: the tile is one side.
static std::optional<Trap> readDirect(PipeOp &op, const Request &request) {
  llvm::StringRef name = info(request.opcode).mnemonic;
  op.loads = request.opcode == Opcode::Tload;
  op.stores = !op.loads;
  const View &tile = request.views[op.loads ? 0 : 1], &data = request.views[op.loads ? 1 : 0];
  if (auto trap = tileTrap(tile, data, name))
    return trap;
  op.to = op.loads ? validPart(tile) : data;
  op.from = op.loads ? data : validPart(tile);
  op.total = elements(op.from);
  op.chunk = std::max((op.total + kStepsOfTile - 1) / kStepsOfTile, 512 / op.from.elementBytes());
  return narrow(op.to, op.from, name);
}

static std::deque<uint64_t> &queueOf(CorePipes &pipes, PipeId pipe) {
  return pipes.queues[size_t(pipe)];
}

static PipeOp &opOf(CorePipes &pipes, uint64_t token) {
  return pipes.ops[size_t(token - pipes.firstToken)];
}

/// Whether the head operation can move its next chunk on this pipe.
static bool canStart(const PipeOp &op, PipeId pipe) {
  if (pipe == PipeId::Load)
    return op.loaded < op.chunks() && (op.tileCount == 0 || op.loaded - op.stored < op.tileCount);
  return op.stored < op.chunks() && (op.tileCount == 0 || op.stored < op.loaded);
}

static int64_t chunkSize(const PipeOp &op, int64_t chunk) {
  return std::min(op.chunk, op.total - chunk * op.chunk);
}

/// Starts the next chunk of a pipe's head operation if nothing holds it back.
static void tryStart(EngineState &state, uint32_t id, PipeId pipe, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  std::deque<uint64_t> &queue = queueOf(*core.pipes, pipe);
  if (queue.empty() || core.pipes->busy[size_t(pipe)])
    return;
  PipeOp &op = opOf(*core.pipes, queue.front());
  if (!canStart(op, pipe))
    return;
  const View &far = pipe == PipeId::Load ? op.from : op.to;
  int64_t rate = cost(far.rank == core.rank ? Cost::PipeBytesPerUs : Cost::LinkBytesPerUs);
  int64_t bytes = chunkSize(op, pipe == PipeId::Load ? op.loaded : op.stored) * far.elementBytes();
  if (op.startPs < 0)
    op.startPs = nowPs;
  core.pipes->busy[size_t(pipe)] = true;
  state.context.agenda.add(
      nowPs + core.jitter.spread(cost(Cost::PipeStart) + transferPs(bytes, rate)) + 1,
      ActionKind::StepPipe, id, uint32_t(pipe));
}

static uint8_t *baseOf(EngineState &state, CoreState &core, const View &view) {
  return view.space == Space::Ub ? core.pipes->ub.data() : state.context.gm.of(view.rank);
}

/// Moves one chunk between its GM side and a tile.
static void moveChunk(EngineState &state, CoreState &core, const PipeOp &op, PipeId pipe,
                      int64_t chunk) {
  bool isStaged = op.tileCount != 0;
  const View &tile = op.tiles[isStaged ? chunk % op.tileCount : 0];
  int64_t first = chunk * op.chunk;
  ElementCopy copy;
  copy.to = isStaged && pipe == PipeId::Load ? tile : op.to;
  copy.from = isStaged && pipe == PipeId::Store ? tile : op.from;
  copy.toFirst = isStaged && pipe == PipeId::Load ? 0 : first;
  copy.fromFirst = isStaged && pipe == PipeId::Store ? 0 : first;
  copy.count = chunkSize(op, chunk);
  copy.adds = op.adds && pipe == PipeId::Store;
  copyElements(copy, baseOf(state, core, copy.to), baseOf(state, core, copy.from));
}

static bool isFinished(const PipeOp &op) {
  return (!op.loads || op.loaded == op.chunks()) && (!op.stores || op.stored == op.chunks());
}

/// Takes a finished operation out of its pipes.
static void retire(EngineState &state, uint32_t id, uint64_t token, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  PipeOp &op = opOf(*core.pipes, token);
  op.done = true;
  for (std::deque<uint64_t> &queue : core.pipes->queues)
    if (!queue.empty() && queue.front() == token)
      queue.pop_front();
  if (state.context.trace.isOn())
    state.context.trace.add({.kind = EventKind::Complete,
                             .lane = op.stores ? Lane::MTE3 : Lane::MTE2,
                             .opcode = op.opcode,
                             .rank = core.rank,
                             .index = core.block,
                             .timePs = nowPs,
                             .startPs = op.startPs,
                             .operation = op.writer.operation,
                             .place = op.writer.place});
  while (!core.pipes->ops.empty() && core.pipes->ops.front().done) {
    core.pipes->ops.pop_front();
    ++core.pipes->firstToken;
  }
}

Effect stepPipe(EngineState &state, const Action &action) {
  uint32_t id = action.subject;
  CoreState &core = *state.cores[id];
  PipeId pipe = PipeId(action.part);
  uint64_t token = queueOf(*core.pipes, pipe).front();
  PipeOp &op = opOf(*core.pipes, token);
  int64_t &counter = pipe == PipeId::Load ? op.loaded : op.stored;
  moveChunk(state, core, op, pipe, counter);
  Effect effect;
  if (pipe == PipeId::Store) {
    effect.rank = op.to.rank;
    effect.wrote = byteRange(op.to);
    effect.writer = op.writer;
  }
  ++counter;
  core.pipes->busy[size_t(pipe)] = false;
  if (isFinished(op)) {
    retire(state, id, token, action.timePs);
    effect.wakes.push_back(id);
  }
  for (PipeId each : {PipeId::Load, PipeId::Store})
    tryStart(state, id, each, action.timePs);
  return effect;
}

static CorePipes &pipesOf(EngineState &state, CoreState &core) {
  if (!core.pipes) {
    core.pipes = std::make_unique<CorePipes>();
    core.pipes->ub.resize(size_t(info(state.context.target.platform).ubBytes));
  }
  return *core.pipes;
}

Completion queuePipeOp(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  CorePipes &pipes = pipesOf(state, core);
  if (pipes.ops.size() >= kMaxQueued)
    return Completion::blocked();
  PipeOp op;
  op.opcode = request.opcode;
  bool isStaged = request.opcode == Opcode::Tput || request.opcode == Opcode::Tget;
  if (auto trap = isStaged ? readStaged(op, request) : readDirect(op, request))
    return Completion::trapped(std::move(*trap));
  op.writer = {request.opcode, core.rank, core.block, request.place, ++state.operations};
  uint64_t token = pipes.firstToken + pipes.ops.size();
  int64_t after = nowPs + core.jitter.spread(cost(Cost::PipeIssue));
  if (state.context.trace.isOn())
    state.context.trace.add(
        {.kind = EventKind::Issue,
         .lane = Lane::Scalar,
         .opcode = request.opcode,
         .rank = core.rank,
         .index = core.block,
         .timePs = after,
         .startPs = nowPs,
         .operation = op.writer.operation,
         .peer = isStaged && request.opcode == Opcode::Tget ? op.from.rank : op.to.rank,
         .bytes = op.total * op.from.elementBytes(),
         .place = request.place});
  if (op.total == 0)
    return Completion::done(after, 0); // No access at all; token 0 is always done.
  pipes.ops.push_back(op);
  if (op.loads)
    queueOf(pipes, PipeId::Load).push_back(token);
  if (op.stores)
    queueOf(pipes, PipeId::Store).push_back(token);
  for (PipeId each : {PipeId::Load, PipeId::Store})
    tryStart(state, id, each, after);
  return Completion::done(after, token);
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
    return pipes.queues[size_t(PipeId::Vector)].empty();
  case Pipe::MTE2:
    return pipes.queues[size_t(PipeId::Load)].empty();
  case Pipe::MTE3:
    return pipes.queues[size_t(PipeId::Store)].empty();
  }
  return true;
}

Completion pipeBarrier(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  if (!isDrained(*state.cores[id], Pipe(request.values[0])))
    return Completion::blocked();
  return Completion::done(nowPs);
}

Completion waitToken(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  const CorePipes *pipes = state.cores[id]->pipes.get();
  if (pipes && !pipes->isDone(request.values[0]))
    return Completion::blocked();
  return Completion::done(nowPs);
}

} // namespace pto
