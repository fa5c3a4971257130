// Sessions: what BuildAsyncSession checks, and who owns a group of SDMA channels.

#include "engine/parts.h"

#include "diag/sink.h"

#include <algorithm>

namespace pto {

/// The numbers of a `session` instruction, in the order of its row.
namespace {
enum SessionValue : unsigned { Engine, SyncId, BlockBytes, Offset, Queues, ChannelGroup };
} // namespace

static std::string text(Rule rule, std::vector<std::string> args) {
  return fillSlots(info(rule).message, args);
}

static std::optional<std::string> scratchProblem(DmaEngine engine, const View &scratch) {
  int64_t least = engine == DmaEngine::SDMA   ? limit(Limit::SdmaScratchBytes)
                  : engine == DmaEngine::RDMA ? limit(Limit::RdmaScratchBytes)
                                              : 0;
  int64_t has = scratch.space == Space::Ub ? bytes(validPart(scratch)) : 0;
  if (has >= least)
    return std::nullopt;
  return text(Rule::SessionScratchTooSmall,
              {name(engine).str(), std::to_string(has), std::to_string(least)});
}

static std::optional<std::string> sdmaProblem(const Request &request, int64_t group) {
  int64_t queues = int64_t(request.valueOr(Queues, 1));
  int64_t channels = limit(Limit::SdmaChannels);
  if (queues < 1 || queues > channels)
    return "queues is " + std::to_string(queues) + "; a rank has 1 to " + std::to_string(channels);
  if (group < 0 || group >= channels / queues)
    return text(
        Rule::ChannelGroupOutOfRange,
        {std::to_string(group), std::to_string(queues), std::to_string(channels / queues - 1),
         request.has(ChannelGroup) ? "" : "; without `channel_group` it is the block's index"});
  int64_t blockBytes =
      int64_t(request.valueOr(BlockBytes, ScalarBits(limit(Limit::SdmaBlockBytes))));
  if (blockBytes < 1 || blockBytes > limit(Limit::SdmaMaxBlockBytes))
    return text(Rule::BlockBytesOutOfRange,
                {std::to_string(blockBytes), std::to_string(limit(Limit::SdmaMaxBlockBytes))});
  int64_t offset = int64_t(request.valueOr(Offset, 0));
  if (offset < 0 || offset > kMaxReach)
    return "offset is " + std::to_string(offset) + "; it moves both sides forward";
  return std::nullopt;
}

/// URMA registers all windows of a rank as one region.
static std::optional<std::string> urmaProblem(const EngineState &state) {
  const PlatformInfo &platform = info(state.context.target.platform);
  int64_t end = platform.windowHeadBytes;
  for (size_t i = 0; i != state.context.module.objects.size(); ++i)
    if (const ObjectLayout &placed = state.context.layout.objects[i];
        !state.context.module.objects[i].isLocal)
      end = std::max(end, placed.view.offset + placed.bytes);
  if (end <= limit(Limit::UrmaMaxWindowBytes))
    return std::nullopt;
  return text(Rule::UrmaWindowTooLarge,
              {std::to_string(end), std::to_string(limit(Limit::UrmaMaxWindowBytes))});
}

/// Why the session cannot be built.
static std::optional<std::string> problem(const EngineState &state, const Request &request,
                                          int64_t group) {
  DmaEngine engine = DmaEngine(request.values[Engine]);
  std::string why;
  if (!engineOn(state.context.target, engine, &why))
    return text(Rule::EngineNotOnTarget, {name(engine).str(), state.context.target.text(), why});
  int64_t syncId = int64_t(request.values[SyncId]);
  if (syncId < 0 || syncId >= limit(Limit::EventIds))
    return text(Rule::SyncIdOutOfRange,
                {std::to_string(syncId), std::to_string(limit(Limit::EventIds) - 1)});
  if (auto scratch = scratchProblem(engine, request.views[0]))
    return scratch;
  if (engine == DmaEngine::URMA)
    return urmaProblem(state);
  return engine == DmaEngine::SDMA ? sdmaProblem(request, group) : std::nullopt;
}

std::optional<Trap> takeChannels(EngineState &state, uint32_t id, const Session &session,
                                 const Request &request) {
  CoreState &core = *state.cores[id];
  for (int32_t q = 0; q != session.queues; ++q) {
    uint64_t key = uint64_t(core.rank) * 64u + uint64_t(session.group * session.queues + q);
    auto [owner, isNew] =
        state.channelOwners.try_emplace(key, ChannelOwner{id, core.block, request.place});
    if (isNew || owner->second.core == id)
      continue;
    Trap trap = makeTrap<Rule::ChannelGroupShared>(session.group, core.rank,
                                                   "block " + std::to_string(owner->second.block));
    trap.sites.push_back({owner->second.place, "the other session was built here", core.rank,
                          owner->second.block, -1});
    if (owner->second.block == core.block)
      trap.details.push_back("two launches run side by side: without `channel_group` a session "
                             "takes the group of its block's index, in each of them");
    return trap;
  }
  return std::nullopt;
}

Completion buildSession(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  int64_t after = nowPs + core.jitter.spread(cost(Cost::SessionBuild));
  int64_t group = int64_t(request.valueOr(ChannelGroup, ScalarBits(core.block)));
  if (auto why = problem(state, request, group)) {
    core.sessionFailure = *why;
    core.failedEngine = DmaEngine(request.values[Engine]);
    return Completion::done(after, 0);
  }
  Session session;
  session.engine = DmaEngine(request.values[Engine]);
  session.row = engineOn(state.context.target, session.engine);
  session.syncId = int32_t(request.values[SyncId]);
  if (session.engine == DmaEngine::SDMA) {
    session.queues = int32_t(request.valueOr(Queues, 1));
    session.group = int32_t(group);
    session.blockBytes =
        int64_t(request.valueOr(BlockBytes, ScalarBits(limit(Limit::SdmaBlockBytes))));
    session.offset = int64_t(request.valueOr(Offset, 0));
    if (auto trap = takeChannels(state, id, session, request))
      return Completion::trapped(std::move(*trap));
  }
  // The channels still work on what an earlier session of the core posted.
  for (const Session &earlier : core.sessions)
    session.order.freePs = std::max(session.order.freePs, earlier.order.freePs);
  core.sessions.push_back(session);
  return Completion::done(after, core.sessions.size());
}

Completion testSession(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  ScalarBits handle = request.values[0];
  return Completion::done(nowPs, handle != 0 && handle <= state.cores[id]->sessions.size());
}

Completion requireSession(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  ScalarBits handle = request.values[0];
  if (handle != 0 && handle <= core.sessions.size())
    return Completion::done(nowPs);
  std::string why = core.sessionFailure.empty() ? "it was never built" : core.sessionFailure;
  return Completion::trapped(makeTrap<Rule::SessionFailed>(name(core.failedEngine), why));
}

} // namespace pto
