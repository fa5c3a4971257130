// Stores that add: the mode of a core, and the scalar atomics that go through MTE3.
//
// A store takes the mode when it is issued. A scalar atomic passes its operand through one word of
// UB, which MTE3 reads when it comes to it; it sets the mode for itself and leaves it cleared.

#include "engine/parts.h"
#include "engine/pipe_ops.h"

#include "port/checks.h"
#include "target/types.h"

namespace pto {

static std::string quoted(Opcode opcode) { return "`" + info(opcode).mnemonic.str() + "`"; }

/// The oldest operation of the core that still has to store.
static const PipeOp *storeUnderWay(const CoreState &core) {
  if (!core.pipes || core.pipes->isIdle(PipeId::MTE3))
    return nullptr;
  return &core.pipes->op(core.pipes->queue(PipeId::MTE3).front());
}

Completion setAtomic(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  bool adds = AtomicType(request.values[0]) == AtomicType::AtomicAdd;
  if (const PipeOp *store = storeUnderWay(core)) {
    Trap trap = makeTrap<Rule::AtomicModeInFlight>(quoted(store->writer.opcode));
    trap.sites.push_back({store->writer.place, "it was issued here", core.rank, core.block, -1});
    return Completion::trapped(std::move(trap));
  }
  if (adds && core.stores.adds) {
    Trap trap = makeTrap<Rule::AtomicModeTwice>(info(core.stores.type).name);
    trap.sites.push_back({core.stores.place, "since here", core.rank, core.block, -1});
    return Completion::trapped(std::move(trap));
  }
  if (adds &&
      !typesFor(state.context.target.platform, TypeUse::AtomicMode).contains(request.type)) {
    Platform platform = state.context.target.platform;
    return Completion::trapped(
        makeTrap<Rule::AmoDtype>("set_atomic_add", info(request.type).name, info(platform).name,
                                 typesFor(platform, TypeUse::AtomicMode).text()));
  }
  core.stores = {adds, request.type, request.place, Opcode::Return, {}};
  return Completion::done(nowPs + core.jitter.spread(cost(Cost::PipeIssue)));
}

/// A scalar atomic or a signal that adds, in the mode: it is off from here on.
static void endMode(CoreState &core, const Request &request) {
  if (!core.stores.adds)
    return;
  core.stores.adds = false;
  core.stores.endedBy = request.opcode;
  core.stores.endedAt = request.place;
}

std::optional<Trap> takeStoreMode(CoreState &core, const Request &request, PipeOp &op) {
  if (request.opcode == Opcode::Amo) {
    endMode(core, request);
    return std::nullopt;
  }
  if (op.stepsOn(PipeId::MTE3) == 0)
    return std::nullopt;
  const ElementCopy &copy = op.step(PipeId::MTE3, 0).copy;
  if (copy.count == 0 || copy.to.space != Space::Gm)
    return std::nullopt;
  if (core.stores.endedBy != Opcode::Return) {
    Trap trap = makeTrap<Rule::AtomicModeEnded>(quoted(core.stores.endedBy));
    trap.sites.push_back({core.stores.endedAt, "the mode ended here", core.rank, core.block, -1});
    trap.sites.push_back({core.stores.place, "it was set here", core.rank, core.block, -1});
    return trap;
  }
  if (!core.stores.adds)
    return std::nullopt;
  if (copy.to.type != core.stores.type) {
    Trap trap =
        makeTrap<Rule::AtomicModeType>(info(copy.to.type).name, info(core.stores.type).name);
    trap.sites.push_back({core.stores.place, "the mode was set here", core.rank, core.block, -1});
    return trap;
  }
  op.addsAlways = true;
  return std::nullopt;
}

std::optional<Leak> Engines::storeModeLeft(uint32_t id) const {
  const StoreMode &stores = state_->cores[id]->stores;
  if (!stores.adds)
    return std::nullopt;
  return Leak{stores.place, info(stores.type).name.str()};
}

std::optional<Trap> checkPostInMode(const CoreState &core, const Request &request) {
  if (!core.stores.adds)
    return std::nullopt;
  Trap trap = makeTrap<Rule::EngineInAtomicMode>(info(request.opcode).mnemonic,
                                                 info(core.stores.type).name);
  trap.sites.push_back({core.stores.place, "the mode was set here", core.rank, core.block, -1});
  return trap;
}

namespace {
class ScalarAtomic : public PipeOp {
public:
  ElementCopy copy;

  PipeStep step(PipeId, int64_t) const override {
    PipeStep step;
    step.copy = copy;
    step.ps = movePs(writer.rank, copy.to, copy.to.elementBytes());
    return step;
  }
};
} // namespace

static std::optional<Trap> checkElement(const PipeRequest &ask, const View &to, AmoOp op) {
  if (to.space != Space::Gm || elements(to) != 1 || to.type != ask.request.type)
    return makeTrap<Rule::LayoutMismatch>(
        "an atomic operation takes one element of GM, of its own type, and this has the shape " +
        shapeText(to));
  Platform platform = ask.state.context.target.platform;
  ElementTypes types = typesFor(platform, useOf(op, false), Transports(Transport::MTE));
  if (onlyFetches(op) || !types.contains(to.type))
    return makeTrap<Rule::AmoDtype>("amo " + name(op).str(), info(to.type).name,
                                    info(platform).name, types.text());
  return std::nullopt;
}

std::optional<Trap> makeAmo(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  const View &to = ask.view(0);
  auto op = AmoOp(ask.request.values[1]);
  if (auto trap = checkElement(ask, to, op))
    return trap;
  auto amo = std::make_unique<ScalarAtomic>();
  int64_t word = info(ask.state.context.target.platform).ubBytes;
  View operand = to;
  operand.space = Space::Ub;
  operand.isSignal = false;
  operand.rank = ask.core.rank;
  operand.offset = word;
  // The pipes exist: whoever asks has made them.
  storeScalar(to.type, ask.core.pipes->ub.data() + word, ask.request.values[0]);
  amo->copy = {to, operand, 0, 0, 1, op != AmoOp::Set};
  amo->peer = to.rank;
  amo->bytes = to.elementBytes();
  amo->steps[size_t(PipeId::MTE3)] = 1;
  made = std::move(amo);
  return std::nullopt;
}

} // namespace pto
