// Atomic operations that bring the old value back.

#include "world/parts.h"

#include "memory/amo.h"
#include "port/reach.h"
#include "target/types.h"

namespace pto {

static std::optional<Trap> checkElement(const World &world, const Agent &agent,
                                        const Request &request, AmoOp op) {
  const View &element = request.views[0];
  if (element.space != Space::Gm || elements(element) != 1 || element.type != request.type)
    return makeTrap<Rule::LayoutMismatch>(
        "an atomic operation takes one element of GM, of its own type, and this has the shape " +
        shapeText(element));
  Platform platform = world.options.target.platform;
  Way way = wayOf(platform, world.options.topology, Route(request.values[3]), agent.core.rank,
                  element.rank);
  if (way.trap)
    return way.trap;
  ElementTypes types = typesFor(platform, useOf(op, true), Transports(*way.by));
  if (!types.contains(request.type))
    return makeTrap<Rule::AmoDtype>("amo_fetch " + name(op).str(), info(request.type).name,
                                    info(platform).name + " by " + name(*way.by).str(),
                                    types.text());
  return std::nullopt;
}

Completion fetchAtomically(World &world, Agent &agent, const Request &request, int64_t atPs) {
  auto op = AmoOp(request.values[2]);
  if (auto trap = checkElement(world, agent, request, op))
    return Completion::trapped(std::move(*trap));
  const View &element = request.views[0];
  uint8_t *at = world.gm.of(element.rank) + element.offset;
  ScalarBits held = loadScalar(request.type, at);
  ScalarBits made = amoResult(op, request.type, held, request.values[0], request.values[1]);
  Writer writer{request.opcode, agent.core.rank, agent.core.block, request.place,
                world.engines.nextOperation()};
  Audit *audit = auditOf(world, agent);
  bool isSignal = element.isSignal && made != held;
  if (audit && !isSignal)
    audit->fetches(agent.id, request);
  SignalUpdate update{element.rank, element.offset, NotifyOp::Set, int32_t(made), writer};
  if (op == AmoOp::Add || op == AmoOp::Inc) {
    update.op = NotifyOp::AtomicAdd;
    update.value = int32_t(request.values[0]);
  }
  if (audit && isSignal)
    audit->sends(agent.id, update);
  storeScalar(request.type, at, made);
  if (audit && isSignal)
    audit->lands(update, int32_t(held), int32_t(made));
  if (made != held)
    noteWrite(world, element.rank, byteRange(element), writer);
  ++world.epoch;
  int64_t ps = cost(element.rank == agent.core.rank ? Cost::CacheMiss : Cost::AtomicFetch);
  return Completion::done(atPs + agent.jitter.spread(ps), held);
}

} // namespace pto
