// Events: wait, test, and what a wait covers.

#include "engine/parts.h"

#include <algorithm>

namespace pto {

static Post *postOf(CoreState &core, ScalarBits handle) {
  return handle == 0 || handle > core.posts.size() ? nullptr : &core.posts[size_t(handle - 1)];
}

static Completion neverPosted() {
  return Completion::trapped(makeTrap<Rule::TransferFailed>("the event was never posted"));
}

static Completion failed(const CoreState &core, const Post &post) {
  Trap trap = makeTrap<Rule::TransferFailed>(core.reasons[post.reason]);
  trap.sites.push_back({post.place, "posted here", core.rank, core.block, -1});
  return Completion::trapped(std::move(trap));
}

static void cover(EngineState &state, uint32_t id, const Post &post, bool isPolled) {
  uint64_t &covered = state.cores[id]->domains[post.domain].covered;
  covered = std::max(covered, post.sequence);
  if (!state.context.deeds.isOn())
    return;
  Deed &deed = state.context.deeds.add(DeedKind::Cover, id);
  deed.domain = post.domain;
  deed.sequence = post.sequence;
  deed.isPolled = isPolled;
}

Completion waitEvent(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  Post *post = postOf(core, request.values[0]);
  if (!post)
    return neverPosted();
  if (auto trap = sessionFlagTrap(core, core.sessions[post->session], request))
    return Completion::trapped(std::move(*trap));
  int64_t after = nowPs + core.jitter.spread(cost(Cost::WaitPoll));
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
  if (post->state == PostState::Pending)
    return Completion::blocked();
  cover(state, id, *post, false);
  return Completion::done(after, true);
}

Completion testEvent(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  Post *post = postOf(core, request.values[0]);
  if (!post)
    return neverPosted();
  if (post->state == PostState::Failed)
    return failed(core, *post);
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
