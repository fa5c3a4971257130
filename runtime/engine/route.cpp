// Calls of SHMEM: which transport carries them, the core's own queues that they post to without a
// session, and the quiets that wait for those.

#include "engine/parts.h"

#include "diag/sink.h"
#include "port/reach.h"

#include <algorithm>

namespace pto {

Completion goesBy(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  const EngineContext &context = state.context;
  Way way = wayOf(context.target.platform, context.topology, Route(request.values[0]),
                  state.cores[id]->rank, request.views[0].rank);
  if (way.trap)
    return Completion::trapped(std::move(*way.trap));
  return Completion::done(nowPs, *way.by == Transport(request.values[1]));
}

/// The channels of SDMA are one for each block.
static std::optional<Trap> takeOwnChannel(EngineState &state, uint32_t id, const Session &session,
                                          const Request &request) {
  if (session.engine != DmaEngine::SDMA)
    return std::nullopt;
  int64_t channels = limit(Limit::SdmaChannels);
  if (session.group >= channels)
    return makeTrap<Rule::SessionFailed>(
        "SDMA", fillSlots(info(Rule::ChannelGroupOutOfRange).message,
                          {std::to_string(session.group), "1", std::to_string(channels - 1),
                           "; SHMEM gives a block the channel of its index"}));
  return takeChannels(state, id, session, request);
}

/// The core's own queue of the row; it is made when it is first posted to.
static OwnQueue ownQueueOf(EngineState &state, uint32_t id, const Request &request,
                           const EngineInfo *row) {
  CoreState &core = *state.cores[id];
  uint32_t &own = core.ownSessions[size_t(transportOf(row->engine))];
  if (own != 0)
    return {own - 1, std::nullopt};
  Session session;
  session.engine = row->engine;
  session.row = row;
  session.isOwn = true;
  session.group = core.block;
  session.blockBytes = limit(Limit::SdmaBlockBytes);
  if (auto trap = takeOwnChannel(state, id, session, request))
    return {0, std::move(trap)};
  core.sessions.push_back(session);
  own = uint32_t(core.sessions.size());
  return {own - 1, std::nullopt};
}

OwnQueue ownQueue(EngineState &state, uint32_t id, const Request &request, Route route,
                  int32_t peer) {
  const EngineContext &context = state.context;
  Platform platform = context.target.platform;
  Way way = wayOf(platform, context.topology, route, state.cores[id]->rank, peer);
  if (way.trap)
    return {0, std::move(way.trap)};
  const EngineInfo *row = queueOf(platform, *way.by);
  if (!row) // By MTE the core moves the data itself, through a tile that this call does not have.
    return {0, makeTrap<Rule::SessionFailed>(name(*way.by), "it has no queue")};
  return ownQueueOf(state, id, request, row);
}

OwnQueue prefetchQueue(EngineState &state, uint32_t id, const Request &request) {
  const EngineContext &context = state.context;
  const EngineInfo *row = prefetchQueueOf(context.target.platform);
  if (row && context.topology.enabled.contains(Transport::SDMA))
    return ownQueueOf(state, id, request, row);
  int32_t rank = state.cores[id]->rank;
  std::string why =
      row ? "no queue of it, since SHMEM was begun with " + context.topology.enabled.text()
          : "no queue of it on " + info(context.target.platform).name.str();
  return {0, makeTrap<Rule::PeerUnreachable>("a prefetch", name(Transport::SDMA), rank, rank, why)};
}

/// Whether a quiet waits for a domain: its transport is one of the route's, and its peer the one
/// that was named.
static bool isOfQuiet(const CoreState &core, const Domain &domain, const Request &request) {
  const Session &session = core.sessions[domain.session];
  bool isPeers = !request.has(1) || domain.peer < 0 || domain.peer == int32_t(request.values[1]);
  return session.isOwn && isPeers &&
         info(Route(request.values[0])).all().contains(transportOf(session.engine));
}

Completion quietQueues(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  if (auto trap = checkPostInMode(core, request)) // It writes a flag behind what was posted.
    return Completion::trapped(std::move(*trap));
  bool isDone = true;
  for (const Domain &domain : core.domains) {
    if (!isOfQuiet(core, domain, request) || domain.completed == domain.posted)
      continue;
    isDone = false;
    releaseDomain(state, id, domain, nowPs);
  }
  if (!isDone)
    return Completion::blocked();
  for (uint32_t i = 0; i != core.domains.size(); ++i)
    if (Domain &domain = core.domains[i];
        isOfQuiet(core, domain, request) && domain.covered != domain.posted)
      coverDomain(state, id, i, domain.posted, false);
  return Completion::done(nowPs + core.jitter.spread(cost(Cost::WaitPoll)));
}

} // namespace pto
