// Transfers under way. The signal of a notifying put follows its bytes, and completion follows
// both.
//
// Who reads too early gets the oldest bytes that the machine allows, and who changes a source too
// early sends the new ones: bytes move as late as they can. Those of a notifying put move just
// before its signal. Those of another post are held back after the time of its transfer, until the
// core waits for it or tests it, or the queue comes to a later post. Nothing else is ordered behind
// them, but a chip would move them some day, and a reader may poll the data itself: a hold ends by
// time too, and the bytes then come in pieces and in any order.

#include "engine/parts.h"
#include "engine/prefetch.h"

#include "memory/amo.h"

#include <algorithm>
#include <cstring>

namespace pto {

static constexpr int64_t kMaxFragments = 8;
static constexpr int64_t kLeastFragmentBytes = 512;
static constexpr int64_t kScatterPs = 1'000'000;

/// What orders writes: a session's channels, or the queue of all that its rank sends a peer.
static SendOrder &orderOf(EngineState &state, CoreState &core, uint32_t sessionIndex,
                          uint32_t queue) {
  Session &session = core.sessions[sessionIndex];
  return session.engine == DmaEngine::SDMA ? session.order : state.queues[queue].order;
}

static SendOrder &orderOf(EngineState &state, CoreState &core, const Post &post) {
  return orderOf(state, core, post.session, post.queue);
}

/// The bytes move at that time, in one piece, and completion follows.
static void moveAt(EngineState &state, uint32_t index, int64_t timePs) {
  const Transfer &transfer = state.transfers[index];
  state.context.agenda.add(timePs, ActionKind::MoveBytes, index);
  state.context.agenda.add(std::max(transfer.completePs, timePs + 1), ActionKind::CompletePost,
                           index);
}

static Transfer *heldIn(EngineState &state, const SendOrder &order) {
  Transfer *held = order.heldOperation == 0 ? nullptr : &state.transfers[order.held];
  return held && held->writer.operation == order.heldOperation ? held : nullptr;
}

static void release(EngineState &state, SendOrder &order, int64_t timePs) {
  if (const Transfer *held = heldIn(state, order))
    moveAt(state, order.held, std::max(held->endPs, timePs));
  order.heldOperation = 0;
}

void releaseFor(EngineState &state, uint32_t id, const Post &post, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  SendOrder &order = orderOf(state, core, post);
  const Transfer *held = heldIn(state, order);
  if (held && held->core == id && core.posts[held->post].domain == post.domain &&
      core.posts[held->post].sequence <= post.sequence)
    release(state, order, nowPs);
}

void releaseDomain(EngineState &state, uint32_t id, const Domain &domain, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  SendOrder &order = orderOf(state, core, domain.session, domain.queue);
  const Transfer *held = heldIn(state, order);
  if (held && held->core == id && &core.domains[core.posts[held->post].domain] == &domain)
    release(state, order, nowPs);
}

/// The time at which the engine can have written the completion: posts complete in order.
static int64_t completionPs(EngineState &state, CoreState &core, const Post &post, int64_t lastPs) {
  const Session &session = core.sessions[post.session];
  Domain &domain = core.domains[post.domain];
  int64_t timePs = std::max(lastPs + 1 + core.jitter.spread(session.row->latencyPs + post.linkPs),
                            domain.lastCompletePs + 1);
  if (session.engine != DmaEngine::SDMA) {
    int64_t &ofQueue = state.queues[post.queue].lastCompletePs;
    ofQueue = timePs = std::max(timePs, ofQueue + 1);
  }
  domain.lastCompletePs = timePs;
  return timePs;
}

void scheduleTransfer(EngineState &state, uint32_t index, const PostPlan &plan) {
  Transfer &transfer = state.transfers[index];
  CoreState &core = *state.cores[transfer.core];
  const Post &post = core.posts[transfer.post];
  const Session &session = core.sessions[post.session];
  SendOrder &order = orderOf(state, core, post);
  release(state, order, plan.startPs);
  transfer.startPs = plan.startPs;
  transfer.endPs = plan.endPs;
  int64_t lastPs = plan.endPs;
  if (transfer.notifies) {
    lastPs = plan.endPs + 1 + core.jitter.spread(session.row->gapPs);
    state.context.agenda.add(lastPs, ActionKind::RaiseSignal, index);
  }
  // The next post of the queue starts after this one's signal.
  order.freePs = std::max(order.freePs, lastPs);
  transfer.completePs = completionPs(state, core, post, lastPs);
  if (transfer.prefetches) {
    bringIn(state, transfer);
    state.context.agenda.add(transfer.completePs, ActionKind::CompletePost, index);
    return;
  }
  if (transfer.notifies || post.isSync)
    return moveAt(state, index, lastPs - (transfer.notifies ? 1 : 0));
  order.held = index;
  order.heldOperation = transfer.writer.operation;
  state.context.agenda.add(std::max(transfer.completePs, plan.endPs + kLongestHoldPs),
                           ActionKind::EndHold, index, uint32_t(transfer.writer.operation));
}

bool isPostHeld(EngineState &state, const Action &action) {
  // The place of a transfer that is done serves another one, with another operation.
  const Transfer &transfer = state.transfers[action.subject];
  if (transfer.isFree || uint32_t(transfer.writer.operation) != action.part)
    return false;
  CoreState &core = *state.cores[transfer.core];
  return heldIn(state, orderOf(state, core, core.posts[transfer.post])) == &transfer;
}

Effect endHold(EngineState &state, const Action &action) {
  Transfer &transfer = state.transfers[action.subject];
  CoreState &core = *state.cores[transfer.core];
  const Post &post = core.posts[transfer.post];
  SendOrder &order = orderOf(state, core, post);
  order.heldOperation = 0;
  transfer.fragments =
      uint32_t(std::clamp<int64_t>(transfer.bytes / kLeastFragmentBytes, 1, kMaxFragments));
  int64_t lastPs = action.timePs;
  for (uint32_t i = 0; i != transfer.fragments; ++i) {
    int64_t timePs = action.timePs + 1 + core.jitter.below(kScatterPs);
    state.context.agenda.add(timePs, ActionKind::MoveBytes, action.subject, i);
    lastPs = std::max(lastPs, timePs);
  }
  order.freePs = std::max(order.freePs, lastPs);
  state.context.agenda.add(completionPs(state, core, post, lastPs), ActionKind::CompletePost,
                           action.subject);
  return {};
}

/// The engine's own arithmetic, in one step.
static Effect changeElement(EngineState &state, const Transfer &transfer) {
  const EngineContext &context = state.context;
  uint8_t *at = context.gm.of(transfer.dstRank) + transfer.dstOffset;
  ScalarBits held = loadScalar(transfer.type, at);
  storeScalar(transfer.type, at,
              amoResult(*transfer.amo, transfer.type, held, transfer.operand, 0));
  Effect effect;
  effect.rank = transfer.dstRank;
  effect.wrote = {transfer.dstOffset, transfer.dstOffset + transfer.bytes};
  effect.writer = transfer.writer;
  return effect;
}

Effect moveFragment(EngineState &state, const Action &action) {
  const Transfer &transfer = state.transfers[action.subject];
  int64_t begin = int64_t(__int128(transfer.bytes) * action.part / transfer.fragments);
  int64_t end = int64_t(__int128(transfer.bytes) * (action.part + 1) / transfer.fragments);
  const EngineContext &context = state.context;
  if (transfer.amo)
    return changeElement(state, transfer);
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
  state.transfers[action.subject].isFree = true;
  state.freeTransfers.push_back(action.subject);
  --core.inFlight;
  state.dropCoreIfIdle(id);
  return effect;
}

} // namespace pto
