// Posts: what every engine demands of a transfer, room in the queues, and the event that comes
// back.

#include "engine/operands.h"
#include "engine/parts.h"

#include "diag/sink.h"

#include "port/checks.h"
#include "port/reach.h"
#include "target/types.h"

#include <algorithm>

namespace pto {

/// Both sides moved on by the session's offset must still lie in their objects.
static std::optional<Trap> applyOffset(const EngineState &state, const Session &session,
                                       Operands &ops) {
  if (session.offset == 0)
    return std::nullopt;
  for (View *side : {&ops.dst, &ops.src}) {
    side->offset += session.offset;
    const Object &object = state.context.module.objects[side->object];
    if (Fault fault = state.context.gm.check(*side, state.context.layout, object.name))
      return makeTrap<Rule::OutOfWindow>("with the session's offset of " +
                                         std::to_string(session.offset) + " bytes: " + *fault);
  }
  return std::nullopt;
}

static std::optional<Trap> validateEngine(const CoreState &core, const Session &session,
                                          const Request &request, int32_t peer) {
  if (session.engine == DmaEngine::URMA)
    return urmaValidate(core, peer);
  return session.engine == DmaEngine::RDMA ? rdmaValidate(core, request, peer) : std::nullopt;
}

static std::optional<std::string> refusal(const Session &session, const Request &request,
                                          int64_t bytes) {
  int64_t width = request.views[0].elementBytes();
  if (bytes / width > limit(Limit::MaxElements))
    return fillSlots(info(Rule::TransferTooLarge).message,
                     {info(request.opcode).mnemonic.str(), std::to_string(bytes),
                      name(session.engine).str(),
                      std::to_string(limit(Limit::MaxElements)) + " elements"});
  if (bytes == 0)
    return std::nullopt;
  if (session.engine == DmaEngine::SDMA)
    return sdmaRefuses(session, request, bytes);
  return session.engine == DmaEngine::RDMA ? rdmaRefuses(request, bytes) : std::nullopt;
}

static uint32_t domainOf(CoreState &core, uint32_t session, int32_t peer) {
  int32_t key = core.sessions[session].engine == DmaEngine::SDMA ? -1 : peer;
  auto [entry, isNew] = core.domainOf.try_emplace({session, key}, uint32_t(core.domains.size()));
  if (isNew)
    core.domains.push_back({session, key, 0, 0, 0, 0});
  return entry->second;
}

static Limit depthOf(DmaEngine engine) {
  return engine == DmaEngine::SDMA   ? Limit::SdmaQueueDepth
         : engine == DmaEngine::URMA ? Limit::UrmaQueueDepth
                                     : Limit::RdmaQueueDepth;
}

/// The library of SHMEM posts without a look at what the engine has taken: only a quiet bounds it.
static std::optional<Trap> checkOverrun(const Session &session, const Domain &domain) {
  uint64_t since = domain.posted - domain.covered + 1;
  int64_t depth = limit(depthOf(session.engine));
  if (since <= uint64_t(depth))
    return std::nullopt;
  return makeTrap<Rule::QueueOverrun>(int64_t(since), name(transportOf(session.engine)), depth);
}

/// Whether the queue has no room, so that the core has to wait for an earlier post.
static bool isFull(EngineState &state, uint32_t id, const Session &session, const Domain &domain,
                   uint32_t queue) {
  if (session.engine == DmaEngine::SDMA)
    return domain.posted - domain.completed >= uint64_t(limit(Limit::SdmaOutstanding));
  PeerQueue &peer = state.queues[queue];
  if (peer.posted - peer.completed < uint64_t(limit(depthOf(session.engine))))
    return false;
  peer.blocked.push_back(id);
  return true;
}

static Completion failedPost(EngineState &state, CoreState &core, const Request &request,
                             const Operands &ops, std::string reason, int64_t nowPs) {
  Post post;
  post.state = PostState::Failed;
  post.opcode = request.opcode;
  post.peer = ops.peer;
  post.place = request.place;
  post.reason = uint32_t(core.reasons.size());
  state.context.trace.add({.kind = EventKind::Refused,
                           .lane = Lane::Scalar,
                           .opcode = request.opcode,
                           .rank = core.rank,
                           .index = core.block,
                           .timePs = nowPs,
                           .operation = ++state.operations,
                           .text = reason,
                           .place = request.place});
  core.reasons.push_back(std::move(reason));
  core.posts.add(post);
  return Completion::done(nowPs, core.posts.lastEvent());
}

static Transfer makeTransfer(CoreState &core, uint32_t id, const Session &session,
                             const Request &request, const Operands &ops, uint64_t operation) {
  Transfer transfer;
  transfer.core = id;
  transfer.post = uint32_t(core.posts.size());
  transfer.lane = Lane(unsigned(Lane::SDMA) + unsigned(session.engine));
  transfer.laneIndex = session.engine == DmaEngine::SDMA ? session.group : ops.peer;
  transfer.dstRank = ops.dst.rank;
  transfer.srcRank = ops.src.rank;
  transfer.dstOffset = ops.dst.offset;
  transfer.srcOffset = ops.src.offset;
  transfer.bytes = ops.bytes;
  transfer.writer = {request.opcode, core.rank, core.block, request.place, operation, request.call};
  transfer.prefetches = ops.prefetches;
  transfer.notifies = ops.notifies;
  if (ops.notifies)
    transfer.signal = {ops.signal.rank, ops.signal.offset, ops.op, int32_t(request.values[0]),
                       transfer.writer};
  transfer.amo = ops.amo;
  if (ops.amo) {
    transfer.type = request.type;
    transfer.operand = request.values[0];
  }
  return transfer;
}

static PostPlan queuePlan(EngineState &state, CoreState &core, Session &session, uint32_t queue,
                          int64_t nowPs, int64_t bytes, bool notifies) {
  if (session.engine == DmaEngine::SDMA)
    return sdmaPlan(core, session, nowPs, bytes, notifies);
  if (session.engine == DmaEngine::URMA)
    return urmaPlan(core, session, state.queues[queue], nowPs, bytes);
  return rdmaPlan(core, session, state.queues[queue], nowPs, bytes);
}

/// The engine's plan, and how much later a slower link lets it be.
static PostPlan planFor(EngineState &state, CoreState &core, Post &post, int64_t nowPs,
                        const Operands &ops) {
  Session &session = core.sessions[post.session];
  PostPlan plan = queuePlan(state, core, session, post.queue, nowPs, post.bytes, ops.notifies);
  if (!state.context.topology.given || post.peer == core.rank)
    return plan; // Links of the table slow nothing down.
  const LinkInfo &link = state.context.topology.linkBetween(core.rank, post.peer);
  // Posts that follow each other hide the way of the later ones.
  int64_t leastPs = nowPs + session.row->postPs + link.latencyPs;
  int64_t latePs = std::max<int64_t>(leastPs - plan.startPs, 0);
  post.linkPs = link.extraLatencyPs(session.row->latencyPs);
  plan.startPs += latePs;
  plan.endPs += latePs + link.extraBytesPs(post.bytes, session.row->bytesPerUs);
  return plan;
}

/// The queue that decides the order of writes: a session's channels, or all that a rank sends a
/// peer.
static uint64_t queueKey(const Session &session, uint32_t core, uint32_t domain, uint32_t queue) {
  return session.engine == DmaEngine::SDMA ? uint64_t(core) << 32 | domain
                                           : uint64_t(1) << 63 | queue;
}

static void notePost(EngineState &state, uint32_t id, const Post &post, const Transfer &transfer,
                     const Operands &ops) {
  Deed &deed = state.context.deeds.add(DeedKind::Post, id);
  deed.domain = post.domain;
  deed.queue = queueKey(state.cores[id]->sessions[post.session], id, post.domain, post.queue);
  deed.sharesQueue = state.cores[id]->sessions[post.session].engine != DmaEngine::SDMA;
  deed.sequence = post.sequence;
  deed.peer = ops.peer;
  const Session &session = state.cores[id]->sessions[post.session];
  // The requests that SHMEM gives UDMA are carried out in any order.
  deed.isUnordered = session.isOwn && session.engine == DmaEngine::URMA;
  deed.engine = state.cores[id]->sessions[post.session].engine;
  deed.writer = transfer.writer;
  if (transfer.notifies)
    deed.signal = transfer.signal;
  if (ops.amo) {
    deed.touches.push_back(
        {ops.dst, *ops.amo == AmoOp::Set ? AccessMode::Write : AccessMode::Add, 0, 1});
  } else if (ops.bytes != 0 && !ops.prefetches) {
    int64_t count = elements(ops.src);
    deed.touches.push_back({ops.src, AccessMode::Read, 0, count});
    deed.touches.push_back({ops.dst, AccessMode::Write, 0, count});
  }
  if (!post.isSync)
    return;
  Deed &covers = state.context.deeds.add(DeedKind::Cover, id);
  covers.domain = post.domain;
  covers.sequence = post.sequence;
}

static Post makePost(const Request &request, const Operands &ops, uint32_t session, uint32_t domain,
                     uint32_t queue) {
  Post post;
  post.opcode = request.opcode;
  post.session = session;
  post.domain = domain;
  post.queue = queue;
  post.peer = ops.peer;
  post.place = request.place;
  return post;
}

/// Enters an accepted post; gives the time at which the core goes on.
static int64_t enterPost(EngineState &state, uint32_t id, uint32_t sessionIndex, uint32_t domain,
                         uint32_t queue, const Request &request, const Operands &ops,
                         int64_t nowPs) {
  CoreState &core = *state.cores[id];
  Session &session = core.sessions[sessionIndex];
  uint64_t operation = ++state.operations;
  uint32_t index = state.addTransfer();
  Transfer &transfer = state.transfers[index] =
      makeTransfer(core, id, session, request, ops, operation);
  Post post = makePost(request, ops, sessionIndex, domain, queue);
  post.bytes = transfer.bytes;
  post.sequence = ++core.domains[domain].posted;
  if (session.engine != DmaEngine::SDMA)
    post.queueSequence = ++state.queues[queue].posted;
  post.isSync = (ops.isGet ? session.row->get : session.row->put) == TransferMode::Sync;
  core.posts.add(post);
  if (state.context.deeds.isOn())
    notePost(state, id, post, transfer, ops);
  ++core.inFlight;
  PostPlan plan = planFor(state, core, core.posts[core.posts.size() - 1], nowPs, ops);
  int64_t issuedPs = nowPs + core.jitter.spread(session.row->postPs);
  if (state.context.trace.isOn())
    state.context.trace.add({.kind = EventKind::Issue,
                             .lane = Lane::Scalar,
                             .opcode = request.opcode,
                             .rank = core.rank,
                             .index = core.block,
                             .timePs = issuedPs,
                             .startPs = nowPs,
                             .operation = operation,
                             .peer = ops.peer,
                             .bytes = transfer.bytes,
                             .place = request.place});
  scheduleTransfer(state, index, plan);
  return post.isSync ? core.domains[domain].lastCompletePs + 1 : issuedPs;
}

/// Posts that were awaited long ago: what an event of theirs is good for, its domain tells as well.
static void dropAwaited(const EngineState &state, CoreState &core) {
  constexpr size_t kKept = 1024;
  while (core.posts.size() - core.posts.dropped() > kKept) {
    const Post &first = core.posts[core.posts.dropped()];
    bool isAwaited = first.state == PostState::Done &&
                     (first.isSync || first.sequence <= core.domains[first.domain].covered);
    bool isUrma = core.sessions[first.session].engine == DmaEngine::URMA;
    if (!isAwaited || (isUrma && state.queues[first.queue].consumed <= first.queueSequence))
      return;
    core.posts.dropFirst();
  }
}

/// What SHMEM's own queues refuse beyond that.
static std::optional<Trap> checkOwnPost(const EngineState &state, const Session &session,
                                        const Operands &ops) {
  if (session.engine == DmaEngine::URMA && ops.bytes > limit(Limit::UrmaMaxWqeBytes))
    return makeTrap<Rule::TransferTooLarge>("engine_put", ops.bytes, "UDMA",
                                            limit(Limit::UrmaMaxWqeBytes));
  if (session.engine != DmaEngine::RDMA || ops.amo || ops.bytes == 0)
    return std::nullopt;
  const View &near = ops.isGet ? ops.dst : ops.src;
  const Object &object = state.context.module.objects[near.object];
  if (!object.isLocal)
    return std::nullopt;
  return makeTrap<Rule::OperandNotSymmetric>(ops.isGet ? "`dst`" : "`src`", object.name);
}

Completion postTo(EngineState &state, uint32_t id, const Request &request, Operands &ops,
                  uint32_t sessionIndex, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  Session &session = core.sessions[sessionIndex];
  if (auto trap = validateEngine(core, session, request, ops.peer))
    return Completion::trapped(std::move(*trap));
  if (auto trap = checkPostInMode(core, request))
    return Completion::trapped(std::move(*trap));
  if (auto trap = sessionFlagTrap(core, session, request))
    return Completion::trapped(std::move(*trap));
  if (auto trap = session.isOwn ? checkOwnPost(state, session, ops) : std::nullopt)
    return Completion::trapped(std::move(*trap));
  if (auto why = refusal(session, request, ops.bytes)) {
    if (session.isOwn)
      return Completion::trapped(makeTrap<Rule::TransferFailed>(*why));
    return failedPost(state, core, request, ops, std::move(*why), nowPs + session.row->postPs);
  }
  uint32_t domain = domainOf(core, sessionIndex, ops.peer);
  uint32_t queue =
      session.engine == DmaEngine::SDMA ? 0 : state.peerQueue(session.engine, core.rank, ops.peer);
  core.domains[domain].queue = queue;
  if (auto trap = session.isOwn ? checkOverrun(session, core.domains[domain]) : std::nullopt)
    return Completion::trapped(std::move(*trap));
  if (isFull(state, id, session, core.domains[domain], queue))
    return Completion::blocked();
  dropAwaited(state, core);
  int64_t after = enterPost(state, id, sessionIndex, domain, queue, request, ops, nowPs);
  return Completion::done(after, core.posts.lastEvent());
}

static bool isOfOwnQueue(Opcode opcode) {
  return opcode == Opcode::EnginePut || opcode == Opcode::EngineGet ||
         opcode == Opcode::EnginePutNotify;
}

Completion postTransfer(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  Operands ops = readOperands(request);
  ScalarBits last = request.values[request.valueCount - 1];
  if (isOfOwnQueue(request.opcode)) {
    if (auto trap = validate(core, request, ops))
      return Completion::trapped(std::move(*trap));
    OwnQueue own = ownQueue(state, id, request, Route(last), ops.peer);
    return own.trap ? Completion::trapped(std::move(*own.trap))
                    : postTo(state, id, request, ops, own.session, nowPs);
  }
  if (last == 0 || last > core.sessions.size() || core.sessions[last - 1].isOwn)
    return failedPost(state, core, request, ops,
                      "its session was not built" +
                          (core.sessionFailure.empty() ? "" : ": " + core.sessionFailure),
                      nowPs);
  if (auto trap = validate(core, request, ops))
    return Completion::trapped(std::move(*trap));
  const Session &session = core.sessions[last - 1];
  if (auto trap = checkLink(state.context.topology, transportOf(session.engine), core.rank,
                            ops.peer, info(request.opcode).mnemonic))
    return Completion::trapped(std::move(*trap));
  if (auto trap = applyOffset(state, session, ops))
    return Completion::trapped(std::move(*trap));
  return postTo(state, id, request, ops, uint32_t(last - 1), nowPs);
}

/// What must hold of an update, and of the element that an atomic operation names.
static std::optional<Trap> validateUpdate(const EngineState &state, const CoreState &core,
                                          const Request &request, const Operands &ops,
                                          uint32_t session) {
  llvm::StringRef name = info(request.opcode).mnemonic;
  if (request.opcode == Opcode::EngineNotify)
    return checkSignal(ops.signal, "sig", name);
  const View &at = request.views[0];
  if (at.space != Space::Gm || elements(at) != 1 || at.type != request.type)
    return makeTrap<Rule::LayoutMismatch>(
        "an atomic operation takes one element of GM, of its own type, and this has the shape " +
        shapeText(at));
  auto op = AmoOp(request.values[1]);
  Platform platform = state.context.target.platform;
  Transport by = transportOf(core.sessions[session].engine);
  ElementTypes types = typesFor(platform, useOf(op, false), Transports(by));
  if (!onlyFetches(op) && types.contains(at.type))
    return std::nullopt;
  return makeTrap<Rule::AmoDtype>("engine_amo " + pto::name(op).str(), info(at.type).name,
                                  info(platform).name + " by " + pto::name(by).str(), types.text());
}

Completion postUpdate(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  Operands ops = readUpdate(request);
  OwnQueue own = ownQueue(state, id, request, Route(request.values[2]), ops.peer);
  if (own.trap)
    return Completion::trapped(std::move(*own.trap));
  if (auto trap = validateUpdate(state, *state.cores[id], request, ops, own.session))
    return Completion::trapped(std::move(*trap));
  return postTo(state, id, request, ops, own.session, nowPs);
}

} // namespace pto
