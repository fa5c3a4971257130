#include "hixl_model/span.h"
#include "hixl_model/state.h"

namespace pto::hixl {

static std::string directionText(const HixlCall &call, const HixlOpDesc &op) {
  return info(hixlDirection(op.local.space, op.remote.space, call.op)).name.str();
}

/// One range of the batch against what the link knows of one side.
HixlStatus State::checkRange(Engine &engine, const Link &link, const HixlCall &call, bool isLocal,
                             const HixlOpDesc &op, bool &relays) {
  bool isSync = call.kind == HixlCallKind::TransferSync;
  using enum HixlCase;
  bool isFabric = engine.kind() == HixlEngine::FabricMem;
  HixlPlace place = isLocal ? op.local : op.remote;
  const Regions &live = isLocal ? engine.regions : engines_[link.peer - 1].regions;
  // F translates local addresses with the list that it has now.
  const Regions &snapshot = isLocal ? (isFabric ? live : link.local) : link.remote;
  place.host = isLocal ? engine.host : place.host;
  Covered covered = coverOf(snapshot, live, place, op.bytes);
  if (covered.cover == Cover::Inside)
    return HixlStatus::Success;
  std::string name = info(call.kind).name.str();
  std::string span = shown(place, op.bytes);
  if (isFabric && isLocal && call.ops.front().local.space == HixlMemType::Device)
    return raise(RangeUnchecked, engine, call.site, {name, span, call.remote});
  bool isComm = engine.kind() == HixlEngine::CommDomain;
  if (isComm && isSync && !engine.config.relay.isOff()) {
    relays = true;
    if (covered.cover == Cover::Late)
      return raise(isLocal ? LocalRelayed : RemoteRelayed, engine, call.site,
                   {name, span, call.remote}, covered.site);
    // Host memory needs no registration; anything else is not what the relay takes it for.
    if (place.space == HixlMemType::Host)
      return HixlStatus::Success;
    return raise(Relayed, engine, call.site, {name, span, call.remote});
  }
  if (isComm && !isSync && covered.cover == Cover::Outside)
    return raise(AsyncRelay, engine, call.site, {name, span, call.remote});
  if (covered.cover == Cover::Late)
    return raise(isLocal ? LocalLate : RemoteLate, engine, call.site, {name, span, call.remote},
                 covered.site);
  if (covered.cover == Cover::Hole)
    return raise(RangeHole, engine, call.site, {name, span}, covered.site);
  return raise(isLocal ? LocalUnknown : RemoteUnknown, engine, call.site,
               {name, span, call.remote});
}

/// Whether all ranges have the places of the first, and whether a link leads there.
HixlStatus State::checkPlaces(Engine &engine, const Link &link, const HixlCall &call, bool relays) {
  std::string name = info(call.kind).name.str();
  std::string first = directionText(call, call.ops.front());
  for (const HixlOpDesc &op : call.ops) {
    std::string text = directionText(call, op);
    HixlStatus status = HixlStatus::Success;
    if (text != first && relays)
      status = raise(HixlCase::RelayMixed, engine, call.site, {name, first, text});
    if (text != first)
      status =
          std::max(status, raise(HixlCase::FabricMixed, engine, call.site, {name, first, text}));
    if (status != HixlStatus::Success)
      return status;
    bool isCarried = link.carries.contains(hixlDirection(op.local.space, op.remote.space, call.op));
    if (isCarried || relays)
      continue;
    HixlCase which = link.match.isGroup ? HixlCase::NoDirection : HixlCase::NotCarried;
    return raise(which, engine, call.site, {name, call.remote, text});
  }
  return HixlStatus::Success;
}

static bool wraps(const HixlPlace &place, int64_t bytes) {
  return bytes > std::numeric_limits<int64_t>::max() - place.offset;
}

HixlStatus State::checkBatch(Engine &engine, const Link &link, const HixlCall &call, bool &relays) {
  std::string name = info(call.kind).name.str();
  for (size_t i = 0; i != call.ops.size(); ++i) {
    const HixlOpDesc &op = call.ops[i];
    if (wraps(op.local, op.bytes) || wraps(op.remote, op.bytes))
      return raise(HixlCase::LocalUnknown, engine, call.site,
                   {name, "bytes that wrap around", call.remote});
    if (op.bytes <= 0) {
      HixlStatus status = raise(HixlCase::OpEmpty, engine, call.site,
                                {name, std::to_string(i), std::to_string(op.bytes)});
      if (status != HixlStatus::Success)
        return status;
      continue;
    }
    for (bool isLocal : {true, false})
      if (HixlStatus status = checkRange(engine, link, call, isLocal, op, relays);
          status != HixlStatus::Success)
        return status;
  }
  bool mayRelay = engine.kind() == HixlEngine::CommDomain &&
                  call.kind == HixlCallKind::TransferSync && !engine.config.relay.isOff();
  bool isCarried = llvm::all_of(call.ops, [&](const HixlOpDesc &op) {
    return link.carries.contains(hixlDirection(op.local.space, op.remote.space, call.op));
  });
  relays |= mayRelay && !isCarried;
  return checkPlaces(engine, link, call, relays);
}

void State::checkOverlaps(const Engine &engine, const HixlCall &call) {
  std::vector<std::pair<HixlPlace, size_t>> spans;
  for (size_t i = 0; i != call.ops.size(); ++i)
    spans.push_back({call.op == HixlOp::Read ? call.ops[i].local : call.ops[i].remote, i});
  llvm::stable_sort(spans, [](const auto &a, const auto &b) {
    return std::tuple(a.first.host, a.first.space, a.first.offset) <
           std::tuple(b.first.host, b.first.space, b.first.offset);
  });
  for (size_t i = 1; i < spans.size(); ++i) {
    const auto &[one, first] = spans[i - 1];
    const auto &[other, second] = spans[i];
    if (!sharesBytes(one, call.ops[first].bytes, other, call.ops[second].bytes))
      continue;
    raise(HixlCase::BatchOverlap, engine, call.site,
          {info(call.kind).name.str(), std::to_string(std::min(first, second)),
           std::to_string(std::max(first, second))});
    return;
  }
}

/// A request that uses the bytes too, one of the two writing them; null: none.
const Request *State::mover(const Box &box) const {
  for (uint32_t id : open_) {
    const Request &request = requests_.at(id);
    bool isOwn = engines_[request.engine - 1].host == box.at.host;
    if ((isOwn || request.moves()) && conflictOf({box}, request.boxes) &&
        conflictOf({box}, touchesOf(request.ops, request.op)))
      return &request;
  }
  return nullptr;
}

void State::access(const Box &box, uint32_t site) {
  if (const Request *request = mover(box))
    raise(HixlCase::HostConflict, engines_[request->engine - 1], site,
          {box.writes ? "writes" : "reads", shown(box.at, box.bytes)}, request->site);
}

void State::checkConflicts(const Engine &engine, const HixlCall &call) {
  Boxes own = touchesOf(call.ops, call.op), hulls = boxesOf(call.ops, call.op);
  for (uint32_t id : open_) {
    const Request &request = requests_.at(id);
    bool isOwn = request.engine == engine.id;
    if ((!isOwn && !request.moves()) || !conflictOf(hulls, request.boxes))
      continue;
    if (const Box *touch = conflictOf(own, touchesOf(request.ops, request.op)))
      raise(isOwn ? HixlCase::RequestConflict : HixlCase::PeerConflict, engine, call.site,
            {info(call.kind).name.str(), shown(touch->at, touch->bytes)}, request.site);
  }
}

} // namespace pto::hixl
