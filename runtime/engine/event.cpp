// Events: wait, test, and what a wait covers.

#include "engine/parts.h"

#include <algorithm>

namespace pto {

/// Null: the event was never posted. It is asked only of those that are still kept.
static Post *postOf(CoreState &core, ScalarBits event) {
  uint64_t count = Posts::countOf(event);
  return count == 0 || count > core.posts.size() ? nullptr : &core.posts[size_t(count - 1)];
}

/// A wait or test of an event whose post is no longer kept: it was done, and awaited.
static Completion waitDropped(CoreState &core, const Request &request, int64_t afterPs) {
  const Domain &domain = core.domains[Posts::domainOf(request.values[0])];
  const Session &session = core.sessions[domain.session];
  bool isWait = request.opcode == Opcode::Wait;
  if (auto trap = isWait ? sessionFlagTrap(core, session, request) : std::nullopt)
    return Completion::trapped(std::move(*trap));
  if (isWait && session.engine == DmaEngine::URMA)
    return Completion::trapped(makeTrap<Rule::UrmaWaitOrder>(domain.peer));
  return Completion::done(afterPs, true);
}

static Completion neverPosted() {
  return Completion::trapped(makeTrap<Rule::TransferFailed>("the event was never posted"));
}

static Completion failed(const CoreState &core, const Post &post) {
  Trap trap = makeTrap<Rule::TransferFailed>(core.reasons[post.reason]);
  trap.sites.push_back({post.place, "posted here", core.rank, core.block, -1});
  return Completion::trapped(std::move(trap));
}

void coverDomain(EngineState &state, uint32_t id, uint32_t domain, uint64_t sequence,
                 bool isPolled) {
  uint64_t &covered = state.cores[id]->domains[domain].covered;
  covered = std::max(covered, sequence);
  if (!state.context.deeds.isOn())
    return;
  Deed &deed = state.context.deeds.add(DeedKind::Cover, id);
  deed.domain = domain;
  deed.sequence = sequence;
  deed.isPolled = isPolled;
}

static void cover(EngineState &state, uint32_t id, const Post &post, bool isPolled) {
  coverDomain(state, id, post.domain, post.sequence, isPolled);
}

Completion waitEvent(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  int64_t after = nowPs + core.jitter.spread(cost(Cost::WaitPoll));
  if (core.posts.isDropped(request.values[0]))
    return waitDropped(core, request, after);
  Post *post = postOf(core, request.values[0]);
  if (!post)
    return neverPosted();
  if (auto trap = sessionFlagTrap(core, core.sessions[post->session], request))
    return Completion::trapped(std::move(*trap));
  if (post->state == PostState::Failed)
    return Completion::done(after, false);
  if (core.sessions[post->session].engine == DmaEngine::URMA) {
    uint64_t &consumed = state.queues[post->queue].consumed;
    if (consumed > post->queueSequence) {
      Trap trap = makeTrap<Rule::UrmaWaitOrder>(post->peer);
      trap.sites.push_back({post->place, "the event was posted here", core.rank, core.block, -1});
      return Completion::trapped(std::move(trap));
    }
    if (post->state == PostState::Done)
      consumed = post->queueSequence;
  }
  if (post->state == PostState::Pending) {
    releaseFor(state, id, *post, nowPs);
    return Completion::blocked();
  }
  cover(state, id, *post, false);
  return Completion::done(after, true);
}

Completion testEvent(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  if (core.posts.isDropped(request.values[0]))
    return waitDropped(core, request, nowPs + core.jitter.spread(cost(Cost::WaitPoll)));
  Post *post = postOf(core, request.values[0]);
  if (!post)
    return neverPosted();
  if (post->state == PostState::Failed)
    return failed(core, *post);
  releaseFor(state, id, *post, nowPs);
  if (post->state == PostState::Done)
    cover(state, id, *post, true);
  return Completion::done(nowPs + core.jitter.spread(cost(Cost::WaitPoll)),
                          post->state == PostState::Done);
}

Completion requireEvent(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  if (request.values[0] != 0)
    return Completion::done(nowPs);
  Post *post = postOf(core, request.values[1]);
  if (!post)
    return neverPosted();
  if (post->state == PostState::Failed)
    return failed(core, *post);
  return Completion::trapped(makeTrap<Rule::TransferFailed>("the wait for it was given up"));
}

} // namespace pto
