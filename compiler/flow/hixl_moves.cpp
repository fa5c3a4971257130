// What registering, transfers, queries and notifies come to on one path.

#include "flow/hixl_outcomes.h"

#include "flow/hixl_options.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using enum HixlCallKind;

//===--- Memory ----------------------------------------------------------------------===//

/// On S and F a range that overlaps another one in part is refused.
Bits HixlOutcomeMaker::holdOf(const RegionState &region) const {
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

void HixlOutcomeMaker::makeRegisterMem() {
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

bool HixlOutcomeMaker::mayBeUsed(const RegionState &region) const {
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

void HixlOutcomeMaker::makeDeregisterMem() {
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

//===--- Transfers -------------------------------------------------------------------===//

bool HixlOutcomeMaker::isUnlinked() const {
  LinkState link = act_.link();
  return !(link.is & Tie::Up) && !link.asked && !act_.engine->linksElsewhere;
}

/// With AutoConnect or a pool a transfer makes its link, and one that fails takes it away, with the
/// other requests of it.
void HixlOutcomeMaker::connectItself(Made made) const {
  if (!act_.connectsByItself())
    return;
  if (!act_.remote) {
    made.engine.linksElsewhere = true;
    return;
  }
  loseLinks(made);
  cutRequests(made.state, false);
  LinkState &link = made.link();
  link.isImplicit = true;
  link.is = Tie::Any;
}

void HixlOutcomeMaker::makeTransferSync() {
  if (isUnlinked() && !act_.connectsByItself())
    return refuse(HixlStatus::NotConnected);
  connectItself(add({}));
}

void HixlOutcomeMaker::makeTransferAsync() {
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
void HixlOutcomeMaker::queryOpen(ThingId id, const RequestState &request) {
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

void HixlOutcomeMaker::makeGetTransferStatus() {
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

void HixlOutcomeMaker::makeGetTransferStatuses() {
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

void HixlOutcomeMaker::makeSendNotify() {
  if (isUnlinked() && act_.engineKind() != HixlEngine::FabricMem)
    return refuse(HixlStatus::NotConnected);
  (void)add({});
}

void HixlOutcomeMaker::makeGetNotifies() { (void)add({}, Value::status(HixlStatus::Success)); }

} // namespace pto::flow_detail
