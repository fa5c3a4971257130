// What a call comes to on one path: its value, and what it makes of links, ranges and requests.

#include "flow/hixl_outcomes.h"

#include "flow/hixl_options.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using enum HixlCallKind;

HixlOutcomeMaker::Made HixlOutcomeMaker::add(Value value, Value status) {
  outcomes_.push_back({act_.state, value});
  HostState &state = outcomes_.back().state;
  EngineState &engine = state.engines.find(act_.id)->second;
  engine.last = status;
  engine.lastRequest = 0;
  HixlWay way = hixlEffect(act_.kind).way;
  const Expr *&first = way == HixlWay::Async ? engine.firstAsync : engine.firstSync;
  if (way != HixlWay::None && !first)
    first = &act_.expr;
  return {state, engine, act_.remote.value_or("")};
}

/// What a refused call gives, by its kind.
void HixlOutcomeMaker::refuse(HixlStatus status) {
  static constexpr uint32_t kGiveNothing =
      callsOf(RegisterMem, TransferAsync, GetTransferStatuses, GetNotifies, GetAsyncConnectAll,
              GetAsyncConnectStatus);
  Value value = Value::status(status);
  if (kGiveNothing & callsOf(act_.kind))
    value = Value::of(0);
  if (act_.kind == GetTransferStatus)
    value = Value::of(int64_t(HixlTransferStatus::Failed));
  (void)add(value, Value::status(status));
}

bool HixlOutcomeMaker::endsEarly() {
  const EngineState &engine = *act_.engine;
  if (act_.kind == Initialize || act_.kind == Finalize)
    return false;
  Value timeout = act_.value("timeout_ms");
  if (!(engine.life & Life::Ready))
    refuse(HixlStatus::Failed);
  else if (info(act_.kind).isTimed && timeout.isNumber() && timeout.number <= 0)
    refuse(HixlStatus::ParamInvalid);
  else if (!engine.isReady() || !engine.facts)
    add({}).state.blur(act_.id);
  return !outcomes_.empty();
}

//===--- Engine ----------------------------------------------------------------------===//

void HixlOutcomeMaker::makeInitialize() {
  const EngineState &engine = *act_.engine;
  if (engine.life == Life::Ready)
    return refuse(HixlStatus::Failed);
  const EngineFacts *facts = factsOf(act_);
  auto begin = [&](Bits life, Value status) {
    EngineState &made = add(status).engine;
    EngineState fresh;
    fresh.made = made.made;
    fresh.name = made.name;
    fresh.life = life | (made.life & Life::Ready);
    fresh.since = &act_.expr;
    fresh.refusedBy = status;
    fresh.facts = facts;
    fresh.last = status;
    made = std::move(fresh);
  };
  HixlStatus status = refusalOf(act_);
  if (status != HixlStatus::Success)
    return begin(Life::Refused, Value::status(status));
  bool isSure = engine.name && !(engine.life & Life::Ready);
  if (isSure)
    return begin(Life::Ready, Value::status(status));
  if (isDropped_)
    return begin(Life::Ready | Life::Refused, {});
  begin(Life::Ready, Value::status(status));
  begin(Life::Refused, Value::anyBut(int64_t(status)));
}

void HixlOutcomeMaker::makeFinalize() {
  Made made = add({}, Value::status(HixlStatus::Success));
  EngineState &engine = made.engine;
  if (!(engine.life & Life::Ready))
    return;
  engine.life = Bits((engine.life & ~(Life::Ready | Life::Refused)) | Life::Finalized);
  engine.since = &act_.expr;
  engine.links.clear();
  engine.linksElsewhere = false;
  engine.regions.clear();
  engine.firstSync = engine.firstAsync = nullptr;
  for (auto &[id, request] : made.state.requests)
    if (request.engine == act_.id && request.is & Quest::Open) {
      request.is = Bits((request.is & ~Quest::Open) | Quest::Unlinked);
      request.ended = &act_.expr;
    }
}

void HixlOutcomeMaker::makeGetCapability() { (void)add({}); }

//===--- Connections -----------------------------------------------------------------===//

std::vector<ThingId> HixlOutcomeMaker::liveRegions() const {
  std::vector<ThingId> live;
  for (const auto &[id, region] : act_.engine->regions)
    if (region.is & Hold::Live)
      live.push_back(id);
  return live;
}

/// A channel pool makes room for a new link; AutoConnect drops one that failed.
void HixlOutcomeMaker::loseLinks(Made made) const {
  for (auto &[remote, link] : made.engine.links)
    if (link.is & Tie::Up)
      link.is |= Tie::Refused;
}

void HixlOutcomeMaker::cutRequests(HostState &state, bool isSure) const {
  for (auto &[id, request] : state.requests) {
    bool isSame = !request.remote || !act_.remote || request.remote == act_.remote;
    if (request.engine != act_.id || !(request.is & Quest::Open) || !isSame)
      continue;
    bool isCut = isSure && request.remote && act_.remote;
    request.is = Bits((isCut ? request.is & ~Quest::Open : request.is) | Quest::Unlinked);
    request.ended = &act_.expr;
  }
}

void HixlOutcomeMaker::makeConnect() {
  Value success = Value::status(HixlStatus::Success);
  if (!act_.remote) {
    add({}).engine.linksElsewhere = true;
    return;
  }
  LinkState had = act_.link();
  if (had.is == Tie::Up)
    return refuse(HixlStatus::AlreadyConnected);
  auto connect = [&](Bits is, Value status) {
    Made made = add(status);
    if (act_.engine->facts->options.config.pool)
      loseLinks(made);
    made.link() = {is, &act_.expr, nullptr, false, liveRegions()};
  };
  if (isDropped_)
    return connect(Tie::Up | Tie::Refused, {});
  connect(Tie::Up, success);
  connect(had.is & Tie::Up ? Tie::Up | Tie::Refused : Tie::Refused,
          Value::anyBut(int64_t(HixlStatus::Success)));
}

void HixlOutcomeMaker::makeDisconnect() {
  if (!act_.remote) {
    Made made = add({});
    for (auto &[remote, link] : made.engine.links)
      link.is |= Tie::Down;
    return cutRequests(made.state, false);
  }
  LinkState had = act_.link();
  bool isSure = !act_.engine->linksElsewhere && !had.asked;
  if (isSure && !(had.is & Tie::Up))
    return refuse(HixlStatus::NotConnected);
  bool isUp = isSure && had.is == Tie::Up && !act_.connectsByItself();
  Made made = add(isUp ? Value::status(HixlStatus::Success) : Value());
  made.link() = {Tie::Down, &act_.expr, nullptr, false, {}};
  cutRequests(made.state, true);
}

void HixlOutcomeMaker::submitTask(bool connects) {
  Made made = add({});
  if (!connects)
    cutRequests(made.state, false);
  if (!act_.remote) {
    made.engine.linksElsewhere = true;
    return;
  }
  LinkState &link = made.link();
  bool isNew = connects && !(link.is & Tie::Up);
  link.asked = isNew ? &act_.expr : nullptr;
  link.is = Tie::Any;
  link.since = &act_.expr;
  link.regions = liveRegions();
}

void HixlOutcomeMaker::makeConnectAsync() { submitTask(true); }
void HixlOutcomeMaker::makeDisconnectAsync() { submitTask(false); }

void HixlOutcomeMaker::makeGetAsyncConnectStatus() {
  Value success = Value::status(HixlStatus::Success);
  LinkState had = act_.link();
  if (!act_.remote || !had.asked || isDropped_) {
    bool isNone = act_.engine->areWaysKnown && !act_.engine->firstAsync;
    Value none = Value::of(int64_t(HixlConnectStatus::NotConnect));
    for (auto &[remote, link] : add(isNone ? none : Value(), success).engine.links)
      link.asked = nullptr;
    return;
  }
  Value connected = Value::of(int64_t(HixlConnectStatus::Connected));
  Made made = add(connected, success);
  made.link().is = Tie::Up;
  made.link().asked = nullptr;
  (void)add(Value::anyBut(connected.number), success);
}

void HixlOutcomeMaker::makeGetAsyncConnectAll() {
  for (auto &[remote, link] : add({}, Value::status(HixlStatus::Success)).engine.links)
    link.asked = nullptr;
}

HixlOutcomes outcomesOf(const HixlAct &act, ThingId made, bool isDropped) {
  using Maker = void (HixlOutcomeMaker::*)();
  static constexpr Maker kMakers[] = {
#define PTO_HIXL_CALL(Enum, ...) &HixlOutcomeMaker::make##Enum,
#include "hixl/call.def"
  };
  HixlOutcomeMaker outcomes(act, made, isDropped);
  if (!outcomes.endsEarly())
    (outcomes.*kMakers[size_t(act.kind)])();
  return outcomes.take();
}

} // namespace pto::flow_detail
