// What a call comes to on one path: its value, and what it makes of links, ranges and requests.

#include "flow/hixl_act.h"
#include "flow/hixl_options.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using enum HixlCallKind;

namespace {
/// Makes the outcomes of one call.
class Outcomes {
public:
  Outcomes(const HixlAct &act, ThingId made, bool isDropped)
      : act_(act), made_(made), isDropped_(isDropped) {}

#define PTO_HIXL_CALL(Enum, ...) void make##Enum();
#include "hixl/call.def"

  /// The call fails before its engine looks at it, or nobody can say how it ends.
  [[nodiscard]] bool endsEarly();
  HixlOutcomes take() { return std::move(outcomes_); }

private:
  struct Made {
    HostState &state;
    EngineState &engine;
    LinkState &link() { return engine.links[remote]; }
    RequestState &request(ThingId id) { return state.requests.find(id)->second; }
    std::string remote;
  };
  /// One more outcome, as the state was; `status` is that of the call.
  Made add(Value value, Value status);
  Made add(Value status) { return add(status, status); }
  void refuse(HixlStatus status);
  [[nodiscard]] bool isUnlinked() const;
  void connectItself(Made made) const;
  void cutRequests(HostState &state, bool isSure) const;
  void loseLinks(Made made) const;
  [[nodiscard]] std::vector<ThingId> liveRegions() const;
  void submitTask(bool connects);
  [[nodiscard]] Bits holdOf(const RegionState &region) const;
  [[nodiscard]] bool mayBeUsed(const RegionState &region) const;
  void queryOpen(ThingId id, const RequestState &request);

  const HixlAct &act_;
  ThingId made_;
  bool isDropped_;
  HixlOutcomes outcomes_;
};
} // namespace

Outcomes::Made Outcomes::add(Value value, Value status) {
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
void Outcomes::refuse(HixlStatus status) {
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

bool Outcomes::endsEarly() {
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

void Outcomes::makeInitialize() {
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

void Outcomes::makeFinalize() {
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

void Outcomes::makeGetCapability() { (void)add({}); }

//===--- Memory ----------------------------------------------------------------------===//

/// On S and F a range that overlaps another one in part is refused.
Bits Outcomes::holdOf(const RegionState &region) const {
  if (act_.engineKind() == HixlEngine::CommDomain)
    return Hold::Live;
  for (const auto &[id, other] : act_.engine->regions) {
    bool isNear = other.range.object < 0 || other.range.object == region.range.object;
    bool isApart =
        other.range.isKnown() && region.range.isKnown() && !other.range.overlaps(region.range);
    if (other.is & Hold::Live && isNear && !isApart)
      return Hold::Live | Hold::Refused;
  }
  return Hold::Live;
}

void Outcomes::makeRegisterMem() {
  const Expr *view = act_.written("range");
  Value type = act_.value("type");
  RegionState region;
  region.call = &act_.expr;
  if (view)
    region.range = act_.values.rangeOf(*view);
  if (type.isNumber())
    region.type = HixlMemType(type.number);
  for (const auto &[id, other] : act_.engine->regions)
    if (other.is & Hold::Live && other.range == region.range && other.type == region.type &&
        region.range.isKnown()) { // It gives the handle of the first.
      (void)add(Value::thing(Value::Kind::Mem, id), Value::status(HixlStatus::Success));
      return;
    }
  region.is = holdOf(region);
  if (registersNowhere(act_))
    return refuse(HixlStatus::ParamInvalid);
  Value status = region.is == Hold::Live ? Value::status(HixlStatus::Success) : Value();
  Made made = add(Value::thing(Value::Kind::Mem, made_), status);
  auto [row, isNew] = made.engine.regions.try_emplace(made_, region);
  if (!isNew && row->second.is & Hold::Live)
    region.is = Hold::Any; // Of an earlier turn: there are two of it.
  row->second = region;
}

bool Outcomes::mayBeUsed(const RegionState &region) const {
  bool mayBeLinked = act_.engine->linksElsewhere;
  for (const auto &[remote, link] : act_.engine->links)
    mayBeLinked |= (link.is & Tie::Up) != 0;
  return mayBeLinked || llvm::any_of(act_.state.requests, [&](const auto &row) {
           const RequestState &request = row.second;
           return request.engine == act_.id && request.is & Quest::Open &&
                  llvm::any_of(request.touches, [&](const Touched &touch) {
                    return touch.range.object < 0 || touch.range.object == region.range.object;
                  });
         });
}

void Outcomes::makeDeregisterMem() {
  Value handle = act_.value("mem");
  if (handle == Value::of(0))
    return refuse(HixlStatus::ParamInvalid);
  auto found = act_.engine->regions.find(ThingId(handle.number));
  if (handle.kind != Value::Kind::Mem || found == act_.engine->regions.end()) {
    for (auto &[id, region] : add({}).engine.regions)
      region.is |= Hold::Gone;
    return;
  }
  if (found->second.is == Hold::Refused)
    return refuse(HixlStatus::ParamInvalid);
  auto end = [&](Bits is, Value status) {
    RegionState &region = add(status).engine.regions.find(found->first)->second;
    region.is = is;
    if (is & Hold::Gone)
      region.ended = &act_.expr;
  };
  bool isFree = act_.engineKind() == HixlEngine::CommDomain || !mayBeUsed(found->second);
  if (isFree)
    return end(Hold::Gone, Value::status(HixlStatus::Success));
  if (isDropped_)
    return end(found->second.is | Hold::Gone, {});
  end(Hold::Gone, Value::status(HixlStatus::Success));
  end(found->second.is, Value::anyBut(int64_t(HixlStatus::Success)));
}

//===--- Connections -----------------------------------------------------------------===//

std::vector<ThingId> Outcomes::liveRegions() const {
  std::vector<ThingId> live;
  for (const auto &[id, region] : act_.engine->regions)
    if (region.is & Hold::Live)
      live.push_back(id);
  return live;
}

/// A channel pool makes room for a new link; AutoConnect drops one that failed.
void Outcomes::loseLinks(Made made) const {
  for (auto &[remote, link] : made.engine.links)
    if (link.is & Tie::Up)
      link.is |= Tie::Refused;
}

void Outcomes::cutRequests(HostState &state, bool isSure) const {
  for (auto &[id, request] : state.requests) {
    bool isSame = !request.remote || !act_.remote || request.remote == act_.remote;
    if (request.engine != act_.id || !(request.is & Quest::Open) || !isSame)
      continue;
    bool isCut = isSure && request.remote && act_.remote;
    request.is = Bits((isCut ? request.is & ~Quest::Open : request.is) | Quest::Unlinked);
    request.ended = &act_.expr;
  }
}

void Outcomes::makeConnect() {
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

void Outcomes::makeDisconnect() {
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

void Outcomes::submitTask(bool connects) {
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

void Outcomes::makeConnectAsync() { submitTask(true); }
void Outcomes::makeDisconnectAsync() { submitTask(false); }

void Outcomes::makeGetAsyncConnectStatus() {
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

void Outcomes::makeGetAsyncConnectAll() {
  for (auto &[remote, link] : add({}, Value::status(HixlStatus::Success)).engine.links)
    link.asked = nullptr;
}

//===--- Transfers -------------------------------------------------------------------===//

bool Outcomes::isUnlinked() const {
  LinkState link = act_.link();
  return !(link.is & Tie::Up) && !link.asked && !act_.engine->linksElsewhere;
}

/// With AutoConnect or a pool a transfer makes its link, and may lose it.
void Outcomes::connectItself(Made made) const {
  if (!act_.connectsByItself())
    return;
  if (!act_.remote) {
    made.engine.linksElsewhere = true;
    return;
  }
  loseLinks(made);
  LinkState &link = made.link();
  if (link.is & ~Tie::Up) {
    link.isImplicit = true;
    link.since = &act_.expr;
  }
  link.is = Tie::Up | Tie::Refused;
}

void Outcomes::makeTransferSync() {
  if (isUnlinked() && !act_.connectsByItself())
    return refuse(HixlStatus::NotConnected);
  connectItself(add({}));
}

void Outcomes::makeTransferAsync() {
  if (isUnlinked() && !act_.connectsByItself())
    return refuse(HixlStatus::NotConnected);
  Made made = add(Value::thing(Value::Kind::Request, made_), {});
  connectItself(made);
  RequestState request;
  request.call = &act_.expr;
  request.engine = act_.id;
  request.remote = act_.remote;
  request.op = act_.op().value_or(HixlOp::Read);
  request.is = Quest::Fresh | Quest::Refused;
  request.touches = act_.touches();
  auto [row, isNew] = made.state.requests.try_emplace(made_, request);
  if (!isNew && row->second.is & Quest::Open)
    request.is = Quest::Any; // Of an earlier turn: there are two of it.
  row->second = std::move(request);
  made.engine.lastRequest = made_;
}

/// It waits, or is told its end, which it takes but once.
void Outcomes::queryOpen(ThingId id, const RequestState &request) {
  Value success = Value::status(HixlStatus::Success);
  Bits rest = request.is & ~Quest::Open;
  if (isDropped_) {
    RequestState &made = add({}, success).request(id);
    made.is = rest | Quest::Asked | Quest::Told;
    made.ended = &act_.expr;
    return;
  }
  using enum HixlTransferStatus;
  add(Value::of(int64_t(Waiting)), success).request(id).is = Quest::Asked;
  for (HixlTransferStatus answer : {Completed, Failed}) {
    Made made = add(Value::of(int64_t(answer)), answer == Completed ? success : Value());
    if (answer == Failed && act_.connectsByItself()) {
      cutRequests(made.state, false);
      loseLinks(made);
    }
    RequestState &end = made.request(id);
    end.is = answer == Failed ? Bits(rest | Quest::Told) : Quest::Told;
    end.ended = &act_.expr;
    end.answer = int64_t(answer);
  }
}

void Outcomes::makeGetTransferStatus() {
  Value handle = act_.value("request");
  if (handle == Value::of(0))
    return refuse(HixlStatus::Failed);
  auto found = act_.state.requests.find(ThingId(handle.number));
  if (handle.kind != Value::Kind::Request || found == act_.state.requests.end()) {
    for (auto &[id, request] : add({}).state.requests)
      request.is |= Quest::Asked | Quest::Told;
    return;
  }
  const RequestState &request = found->second;
  if (request.engine == act_.id && request.is & Quest::Open)
    return queryOpen(found->first, request);
  (void)add(Value::of(int64_t(HixlTransferStatus::Failed)), {});
}

void Outcomes::makeGetTransferStatuses() {
  if (act_.engineKind() != HixlEngine::ClientServer)
    return refuse(HixlStatus::Unsupported);
  bool isAll = !act_.written("max");
  Made made = add({}, Value::status(HixlStatus::Success));
  if (act_.connectsByItself())
    loseLinks(made);
  for (auto &[id, request] : made.state.requests) {
    if (request.engine != act_.id || !(request.is & Quest::Open))
      continue;
    request.is |= Quest::Asked | Quest::Taken;
    if (isAll)
      request.is &= Bits(~Quest::Fresh);
    request.ended = &act_.expr;
    request.answer = -1;
  }
}

void Outcomes::makeSendNotify() {
  if (isUnlinked() && act_.engineKind() != HixlEngine::FabricMem)
    return refuse(HixlStatus::NotConnected);
  (void)add({});
}

void Outcomes::makeGetNotifies() { (void)add({}, Value::status(HixlStatus::Success)); }

HixlOutcomes outcomesOf(const HixlAct &act, ThingId made, bool isDropped) {
  using Maker = void (Outcomes::*)();
  static constexpr Maker kMakers[] = {
#define PTO_HIXL_CALL(Enum, ...) &Outcomes::make##Enum,
#include "hixl/call.def"
  };
  Outcomes outcomes(act, made, isDropped);
  if (!outcomes.endsEarly())
    (outcomes.*kMakers[size_t(act.kind)])();
  return outcomes.take();
}

} // namespace pto::flow_detail
