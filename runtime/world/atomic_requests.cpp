// Atomic operations that bring the old value back.

#include "world/parts.h"

#include "target/types.h"
#include "vm/arithmetic.h"

namespace pto {

static std::optional<Trap> checkElement(const World &world, const Request &request, AmoOp op) {
  const View &element = request.views[0];
  if (element.space != Space::Gm || elements(element) != 1 || element.type != request.type)
    return makeTrap<Rule::LayoutMismatch>(
        "an atomic operation takes one element of GM, of its own type, and this has the shape " +
        shapeText(element));
  Platform platform = world.options.target.platform;
  ElementTypes types = typesFor(platform, useOf(op, true));
  if (!types.contains(request.type))
    return makeTrap<Rule::AmoDtype>("amo_fetch " + name(op).str(), info(request.type).name,
                                    info(platform).name, types.text());
  return std::nullopt;
}

/// What the element becomes. The types are integers but for Set and Swap, so nothing is rounded.
static ScalarBits combined(AmoOp op, ScalarType type, ScalarBits held, ScalarBits value,
                           ScalarBits cond) {
  auto computed = [&](Arithmetic how) { return compute(how, type, held, value).value_or(held); };
  switch (op) {
  case AmoOp::Add:
  case AmoOp::Inc:
    return computed(Arithmetic::Add);
  case AmoOp::Fetch:
    return held;
  case AmoOp::Set:
  case AmoOp::Swap:
    return value;
  case AmoOp::CompareSwap:
    return compare(Comparison::Equal, type, held, cond) ? value : held;
  case AmoOp::And:
    return computed(Arithmetic::And);
  case AmoOp::Or:
    return computed(Arithmetic::Or);
  case AmoOp::Xor:
    return computed(Arithmetic::Xor);
  }
  return held;
}

Completion fetchAtomically(World &world, Agent &agent, const Request &request, int64_t atPs) {
  auto op = AmoOp(request.values[2]);
  if (auto trap = checkElement(world, request, op))
    return Completion::trapped(std::move(*trap));
  const View &element = request.views[0];
  uint8_t *at = world.gm.of(element.rank) + element.offset;
  ScalarBits held = loadScalar(request.type, at);
  ScalarBits made = combined(op, request.type, held, request.values[0], request.values[1]);
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
