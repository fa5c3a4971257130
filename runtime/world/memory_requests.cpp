// Loads and stores: of cores through their data caches, of hosts straight to GM.

#include "world/parts.h"

namespace pto {

/// A load or store takes one element.
static std::optional<Trap> checkElement(const View &view, ScalarType type) {
  if (view.space != Space::Gm || elements(view) != 1)
    return makeTrap<Rule::LayoutMismatch>(
        "a scalar access takes one element of GM, and this has the shape " + shapeText(view));
  if (view.type != type)
    return makeTrap<Rule::LayoutMismatch>(
        ("an access as " + info(type).name + " to elements of " + info(view.type).name).str());
  return std::nullopt;
}

static Writer writerOf(const Agent &agent, const Request &request) {
  return {request.opcode, agent.core.rank, agent.isHost ? -1 : agent.core.block, request.place, 0};
}

static void noteFlushed(World &world, const Agent &agent, const Request &request,
                        llvm::ArrayRef<Cache::Line> written) {
  for (const Cache::Line &line : written) {
    if (world.trace.isOn())
      world.trace.add({.kind = EventKind::Flush,
                       .lane = Lane::Scalar,
                       .opcode = request.opcode,
                       .rank = agent.core.rank,
                       .index = agent.core.block,
                       .timePs = world.nowPs,
                       .peer = line.rank,
                       .bytes = Cache::kLineBytes,
                       .word = elementName(world.module, world.layout, line.firstStored),
                       .place = request.place});
    noteWrite(world, line.rank, {line.offset, line.offset + Cache::kLineBytes},
              writerOf(agent, request));
  }
  world.epoch += written.size();
}

Completion loadScalarAt(World &world, Agent &agent, const Request &request, int64_t atPs) {
  const View &view = request.views[0];
  if (auto trap = checkElement(view, request.type))
    return Completion::trapped(std::move(*trap));
  if (auto trap = checkOwnReach(world, agent, view.rank, request.opcode))
    return Completion::trapped(std::move(*trap));
  int64_t ps = cost(agent.cache.holds(view) ? Cost::CacheHit : Cost::CacheMiss);
  if (Audit *audit = auditOf(world, agent))
    audit->loads(agent.id, request);
  ScalarBits value = agent.cache.load(world.gm, view);
  return Completion::done(atPs + agent.jitter.spread(ps), value);
}

Completion storeScalarAt(World &world, Agent &agent, const Request &request, int64_t atPs) {
  const View &view = request.views[0];
  if (auto trap = checkElement(view, request.type))
    return Completion::trapped(std::move(*trap));
  if (auto trap = checkOwnReach(world, agent, view.rank, request.opcode))
    return Completion::trapped(std::move(*trap));
  int64_t ps = cost(agent.cache.holds(view) ? Cost::CacheHit : Cost::CacheMiss);
  if (Audit *audit = auditOf(world, agent))
    audit->stores(agent.id, request);
  agent.cache.store(world.gm, view, request.values[0], request.place);
  return Completion::done(atPs + agent.jitter.spread(ps));
}

Completion flushCache(World &world, Agent &agent, const Request &request, int64_t atPs) {
  llvm::SmallVector<Cache::Line, 4> written;
  bool isAll = request.views[0].space == Space::None;
  if (Audit *audit = auditOf(world, agent))
    audit->flushes(agent.id, request, isAll ? nullptr : &request.views[0]);
  if (isAll)
    agent.cache.flushAll(world.gm, written);
  else
    agent.cache.flush(world.gm, request.views[0], written);
  noteFlushed(world, agent, request, written);
  int64_t lines = std::max<int64_t>(int64_t(written.size()), 1);
  return Completion::done(atPs + agent.jitter.spread(cost(Cost::CacheFlush) * lines));
}

/// The scalar unit sets a word of its copy of the line, and puts the whole line back.
Completion storeSignal(World &world, Agent &agent, const Request &request, int64_t atPs) {
  const View &word = request.views[0];
  if (auto trap = checkTold(world, agent, request))
    return Completion::trapped(std::move(*trap));
  if (Audit *audit = auditOf(world, agent)) {
    audit->stores(agent.id, request);
    audit->flushes(agent.id, request, &word);
  }
  llvm::SmallVector<Cache::Line, 1> written;
  agent.cache.store(world.gm, word, request.values[0], request.place);
  agent.cache.flush(world.gm, word, written);
  countWrite(agent, request, word, int32_t(request.values[0]));
  noteFlushed(world, agent, request, written);
  return Completion::done(atPs +
                          agent.jitter.spread(cost(Cost::CacheMiss) + cost(Cost::CacheFlush)));
}

Completion orderMemory(World &world, Agent &agent, const Request &request, int64_t atPs) {
  if (Audit *audit = auditOf(world, agent))
    audit->fences(agent.id, request);
  return Completion::done(atPs + agent.jitter.spread(cost(Cost::CacheFlush)));
}

Completion hostLoad(World &world, Agent &host, const Request &request, int64_t atPs) {
  const View &view = request.views[0];
  if (auto trap = checkElement(view, request.type))
    return Completion::trapped(std::move(*trap));
  if (world.audit)
    world.audit->hostReads(host.core.rank, request);
  if (world.hixl)
    checkHixlAccess(world, request, host.core.rank, false);
  return Completion::done(atPs, loadScalar(view.type, world.gm.of(view.rank) + view.offset));
}

Completion hostStore(World &world, Agent &agent, const Request &request, int64_t atPs) {
  const View &view = request.views[0];
  if (auto trap = checkElement(view, request.type))
    return Completion::trapped(std::move(*trap));
  storeScalar(view.type, world.gm.of(view.rank) + view.offset, request.values[0]);
  if (world.audit)
    world.audit->hostWrites(agent.core.rank, request);
  if (world.hixl)
    checkHixlAccess(world, request, agent.core.rank, true);
  if (view.isSignal || world.runningKernels != 0)
    noteWrite(world, view.rank, byteRange(view), writerOf(agent, request));
  else
    world.engines.wrote(view.rank, byteRange(view), writerOf(agent, request), world.nowPs);
  return Completion::done(atPs);
}

} // namespace pto
