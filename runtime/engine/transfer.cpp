// Transfers under way: bytes move in fragments at seeded moments, the signal follows the last of
// them, and completion follows both.

#include "engine/parts.h"

#include <algorithm>
#include <cstring>

namespace pto {

static constexpr int64_t kMaxFragments = 8;
static constexpr int64_t kLeastFragmentBytes = 512;

/// When each fragment moves: inside (start, end], the last one at the end. Every other transfer
/// moves all of them then: who reads its destination too early gets old bytes, and who changes its
/// source too early sends new ones.
static llvm::SmallVector<int64_t, kMaxFragments> moments(Jitter &jitter, const PostPlan &plan,
                                                         uint32_t count) {
  llvm::SmallVector<int64_t, kMaxFragments> times;
  bool isLate = jitter.below(2) != 0;
  for (uint32_t i = 0; i != count; ++i)
    times.push_back(isLate ? plan.endPs
                           : plan.startPs + 1 + jitter.below(plan.endPs - plan.startPs));
  if (plan.isOrdered)
    std::sort(times.begin(), times.end());
  return times;
}

void scheduleTransfer(EngineState &state, uint32_t index, const PostPlan &plan) {
  Transfer &transfer = state.transfers[index];
  CoreState &core = *state.cores[transfer.core];
  const Post &post = core.posts[transfer.post];
  const Session &session = core.sessions[post.session];
  Agenda &agenda = state.context.agenda;
  transfer.startPs = plan.startPs;
  transfer.fragments =
      uint32_t(std::clamp<int64_t>(transfer.bytes / kLeastFragmentBytes, 1, kMaxFragments));
  auto times = moments(core.jitter, plan, transfer.fragments);
  for (uint32_t i = 0; i != transfer.fragments; ++i)
    agenda.add(times[i], ActionKind::MoveBytes, index, i);
  int64_t lastPs = plan.endPs;
  if (transfer.notifies) {
    lastPs = plan.endPs + 1 + core.jitter.spread(session.row->gapPs);
    agenda.add(lastPs, ActionKind::RaiseSignal, index);
  }
  bool isSdma = session.engine == DmaEngine::SDMA;
  // The next post of the queue starts after this one's signal.
  int64_t &freePs = isSdma ? core.sessions[post.session].freePs : state.queues[post.queue].freePs;
  freePs = std::max(freePs, lastPs);
  Domain &domain = core.domains[post.domain];
  int64_t completePs =
      std::max(lastPs + 1 + core.jitter.spread(session.row->latencyPs), domain.lastCompletePs + 1);
  if (!isSdma) {
    completePs = std::max(completePs, state.queues[post.queue].lastCompletePs + 1);
    state.queues[post.queue].lastCompletePs = completePs;
  }
  domain.lastCompletePs = completePs;
  agenda.add(completePs, ActionKind::CompletePost, index);
}

Effect moveFragment(EngineState &state, const Action &action) {
  const Transfer &transfer = state.transfers[action.subject];
  int64_t begin = int64_t(__int128(transfer.bytes) * action.part / transfer.fragments);
  int64_t end = int64_t(__int128(transfer.bytes) * (action.part + 1) / transfer.fragments);
  const EngineContext &context = state.context;
  std::memmove(context.gm.of(transfer.dstRank) + transfer.dstOffset + begin,
               context.gm.of(transfer.srcRank) + transfer.srcOffset + begin, size_t(end - begin));
  Effect effect;
  effect.rank = transfer.dstRank;
  effect.wrote = {transfer.dstOffset + begin, transfer.dstOffset + end};
  effect.writer = transfer.writer;
  if (context.trace.isOn())
    context.trace.add({.kind = EventKind::Moved,
                       .lane = transfer.lane,
                       .opcode = transfer.writer.opcode,
                       .rank = transfer.writer.rank,
                       .index = transfer.laneIndex,
                       .timePs = action.timePs,
                       .operation = transfer.writer.operation,
                       .peer = transfer.dstRank,
                       .bytes = end - begin,
                       .word = elementName(context.module, context.layout, effect.wrote.begin)});
  return effect;
}

Effect raiseSignal(EngineState &state, const Action &action) {
  Effect effect;
  effect.signal = state.transfers[action.subject].signal;
  return effect;
}

Effect completePost(EngineState &state, const Action &action) {
  const Transfer &transfer = state.transfers[action.subject];
  uint32_t id = transfer.core;
  CoreState &core = *state.cores[id];
  Post &post = core.posts[transfer.post];
  post.state = PostState::Done;
  ++core.domains[post.domain].completed;
  Effect effect;
  if (!core.ended)
    effect.wakes.push_back(id);
  if (core.sessions[post.session].engine != DmaEngine::SDMA) {
    PeerQueue &queue = state.queues[post.queue];
    ++queue.completed;
    effect.wakes.append(queue.blocked.begin(), queue.blocked.end());
    queue.blocked.clear();
  }
  if (state.context.trace.isOn())
    state.context.trace.add({.kind = EventKind::Complete,
                             .lane = transfer.lane,
                             .opcode = transfer.writer.opcode,
                             .rank = transfer.writer.rank,
                             .index = transfer.laneIndex,
                             .timePs = action.timePs,
                             .startPs = transfer.startPs,
                             .operation = transfer.writer.operation,
                             .place = transfer.writer.place});
  if (state.context.deeds.isOn())
    state.context.deeds.add(DeedKind::Complete, id).writer = transfer.writer;
  state.freeTransfers.push_back(action.subject);
  --core.inFlight;
  state.dropCoreIfIdle(id);
  return effect;
}

} // namespace pto
