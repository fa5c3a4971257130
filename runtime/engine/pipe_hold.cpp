// What a pipe has moved is seen as late as the machine allows: the last step of the last operation
// on a pipe is held back until the core asks how far its pipes are, or gives one of the
// operation's pipes more to do. So a load that nobody waited for shows the old tile, and a store
// that no barrier precedes shows the old memory, whatever the seed. A hold ends by time too, as the
// chip would store one day.

#include "engine/parts.h"
#include "engine/pipe_ops.h"

namespace pto {

static uint32_t holdPart(PipeId pipe, const PipeOp &op) {
  return uint32_t(op.writer.operation) << 2 | uint32_t(pipe);
}

static PipeId pipeOfPart(uint32_t part) { return PipeId(part & 3u); }

/// Whether the head's next step on the pipe is its last one, and nothing stands behind it.
static bool isLastOfAll(const CorePipes &pipes, const PipeOp &op, PipeId pipe) {
  for (PipeId other : kAllPipes) {
    bool takesPart = op.stepsOn(other) != 0;
    if (takesPart && pipes.queues[size_t(other)].size() > 1 && (other == pipe || op.holdsLoads))
      return false;
    if (op.doneOn(other) + (other == pipe ? 1 : 0) != op.stepsOn(other))
      return false;
  }
  return true;
}

bool holdBack(EngineState &state, const Action &action) {
  auto pipe = PipeId(action.part);
  CorePipes &pipes = *state.cores[action.subject]->pipes;
  PipeHold &hold = pipes.holds[size_t(pipe)];
  if (hold == PipeHold::Released) {
    hold = PipeHold::None;
    return false;
  }
  const PipeOp &op = pipes.op(pipes.queue(pipe).front());
  if (pipes.isAwaited || op.awaited() || op.raised() || !isLastOfAll(pipes, op, pipe))
    return false;
  hold = PipeHold::Held;
  state.context.agenda.add(action.timePs + kLongestHoldPs, ActionKind::EndPipeHold, action.subject,
                           holdPart(pipe, op));
  return true;
}

static void release(EngineState &state, uint32_t core, PipeId pipe, int64_t nowPs) {
  PipeHold &hold = state.cores[core]->pipes->holds[size_t(pipe)];
  if (hold != PipeHold::Held)
    return;
  hold = PipeHold::Released;
  state.context.agenda.add(nowPs, ActionKind::StepPipe, core, uint32_t(pipe));
}

void awaitPipes(EngineState &state, uint32_t core, int64_t nowPs) {
  CorePipes &pipes = *state.cores[core]->pipes;
  pipes.isAwaited = true;
  for (PipeId pipe : kAllPipes)
    release(state, core, pipe, nowPs);
}

void releaseBefore(EngineState &state, uint32_t core, const PipeOp &next, int64_t nowPs) {
  CorePipes &pipes = *state.cores[core]->pipes;
  pipes.isAwaited = false;
  for (PipeId pipe : kAllPipes) {
    if (pipes.holds[size_t(pipe)] != PipeHold::Held)
      continue;
    const PipeOp &held = pipes.op(pipes.queue(pipe).front());
    for (PipeId shared : kAllPipes)
      if (held.stepsOn(shared) != 0 && next.stepsOn(shared) != 0)
        release(state, core, pipe, nowPs);
  }
}

bool isPipeHeld(const EngineState &state, const Action &action) {
  const CoreState *core =
      action.subject < state.cores.size() ? state.cores[action.subject].get() : nullptr;
  PipeId pipe = pipeOfPart(action.part);
  if (!core || !core->pipes || core->pipes->holds[size_t(pipe)] != PipeHold::Held)
    return false;
  CorePipes &pipes = *core->pipes;
  return holdPart(pipe, pipes.op(pipes.queue(pipe).front())) == action.part;
}

Effect endPipeHold(EngineState &state, const Action &action) {
  release(state, action.subject, pipeOfPart(action.part), action.timePs);
  return {};
}

} // namespace pto
