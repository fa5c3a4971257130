#include "hixl_model/span.h"
#include "hixl_model/state.h"

namespace pto::hixl {

Answer State::doTransferSync(Engine &engine, const HixlCall &call) {
  return transfer(engine, call, true);
}
Answer State::doTransferAsync(Engine &engine, const HixlCall &call) {
  return transfer(engine, call, false);
}

Answer State::transfer(Engine &engine, const HixlCall &call, bool isSync) {
  std::string name = info(call.kind).name.str();
  for (size_t i = 0; i != call.ops.size(); ++i)
    if (call.ops[i].local.isNull() || call.ops[i].remote.isNull())
      return refused(engine, call,
                     raise(HixlCase::OpNull, engine, call.site, {name, std::to_string(i)}), isSync);
  bool looksFirst = engine.kind() == HixlEngine::ClientServer;
  if (call.ops.empty() && !looksFirst)
    return refused(engine, call, raise(HixlCase::NoOps, engine, call.site, {name}), isSync);
  if (!engine.links.count(call.remote) && engine.connectsByItself())
    return connectFirst(engine, call, isSync);
  if (Answer answer = gate(engine, call))
    return refused(engine, call, answer->status, isSync);
  return submit(engine, call, isSync, 0);
}

/// With AutoConnect or a pool a transfer makes its link itself.
Answer State::connectFirst(Engine &engine, const HixlCall &call, bool isSync) {
  bool ownTime = isSync && engine.kind() != HixlEngine::FabricMem;
  int64_t timeout = ownTime ? call.timeoutMs : limit(HixlLimit::ImplicitConnectMs);
  uint32_t ticket = park(call);
  startConnect({engine.id, engine.epoch, call.remote, timeout, 0, call.site, true,
                [this, ticket, call, isSync](HixlStatus status) {
                  Engine &engine = engines_[call.engine - 1];
                  Answer answer;
                  if (status == HixlStatus::Success || status == HixlStatus::AlreadyConnected) {
                    answer = submit(engine, call, isSync, ticket);
                  } else {
                    HixlStatus own = raise(HixlCase::ImplicitFailed, engine, call.site);
                    answer =
                        refused(engine, call, own == HixlStatus::Success ? status : own, isSync);
                  }
                  if (answer)
                    wake(ticket, *answer);
                }});
  return std::nullopt;
}

/// M leaves the id of a request behind that it refused.
Answer State::refused(Engine &engine, const HixlCall &call, HixlStatus status, bool isSync) {
  HixlAnswer answer = ends(status);
  if (isSync || engine.kind() != HixlEngine::CommDomain)
    return answer;
  Request &request = newRequest(engine, call.site);
  answer.id = request.id;
  release(request, HixlCase::RequestRefused, call.site, info(status).name);
  return answer;
}

/// A request with all that it needs to know of its call.
Request &State::post(Engine &engine, const Link &link, const HixlCall &call) {
  Request &request = newRequest(engine, call.site);
  request.remote = call.remote;
  request.serial = link.serial;
  request.op = call.op;
  request.ops = call.ops;
  request.boxes = boxesOf(call.ops, call.op);
  request.userData = call.userData;
  return request;
}

/// Over a link that is there. Addresses are of its two ends.
Answer State::submit(Engine &engine, HixlCall call, bool isSync, uint32_t ticket) {
  Link &link = engine.links.find(call.remote)->second;
  for (HixlOpDesc &op : call.ops) {
    op.local.host = engine.host;
    op.remote.host = engines_[link.peer - 1].host;
  }
  std::string name = info(call.kind).name.str();
  if (link.isBroken)
    return refused(engine, call,
                   raise(HixlCase::LinkBroken, engine, call.site,
                         {name, call.remote, info(link.brokeBy).name.str()}, link.brokeSite),
                   isSync);
  if (auto entry = engine.async.find(call.remote);
      entry != engine.async.end() && !entry->second.isObserved && !engine.config.autoConnect)
    raise(HixlCase::Unobserved, engine, call.site, {name, call.remote}, entry->second.site);
  bool relays = false;
  HixlStatus status = call.ops.empty() ? raise(HixlCase::NoOps, engine, call.site, {name})
                                       : checkBatch(engine, link, call, relays);
  if (status == HixlStatus::Success)
    status = checkSlots(engine, link, call, isSync);
  if (status != HixlStatus::Success) {
    transferFailed(engine, call.remote, status, call.site, 0);
    return refused(engine, call, status, isSync);
  }
  checkOverlaps(engine, call);
  checkConflicts(engine, call);
  Request &request = post(engine, link, call);
  if (isSync)
    request.ticket = ticket ? ticket : park(call);
  launch(engine, link, request, call, relays);
  if (isSync)
    return std::nullopt;
  HixlAnswer answer = ends(HixlStatus::Success);
  answer.tookPs = costPs(HixlCost::Transfer);
  answer.id = request.id;
  return answer;
}

/// How many links may have something under way at once.
static int64_t slotsOf(const HixlConfig &config) {
  switch (config.engine) {
  case HixlEngine::CommDomain:
    return limit(HixlLimit::CommSlots);
  case HixlEngine::ClientServer:
    return config.number(HixlResource::MaxActiveChannels);
  case HixlEngine::FabricMem:
    break;
  }
  bool unfolds = config.number(HixlResource::AicpuUnfold);
  return limit(HixlLimit::FabricStreams) / (unfolds ? 2 : config.number(HixlResource::TaskStreams));
}

/// Streams and slots are held by links with something under way.
HixlStatus State::checkSlots(Engine &engine, const Link &link, const HixlCall &call, bool isSync) {
  std::set<uint64_t> active;
  uint32_t other = 0;
  int64_t onLink = 0;
  uint32_t first = 0;
  for (uint32_t id : open_) {
    const Request &request = requests_.at(id);
    if (request.engine != engine.id)
      continue;
    if (request.serial == link.serial) {
      first = onLink++ ? first : request.site;
      continue;
    }
    active.insert(request.serial);
    other = request.site;
  }
  int64_t most = slotsOf(engine.config);
  std::string name = info(call.kind).name.str();
  if (onLink == 0 && int64_t(active.size()) >= most)
    return raise(isSync ? HixlCase::NoSlot : HixlCase::NoSlotAsync, engine, call.site,
                 {name, call.remote, std::to_string(active.size())}, other);
  if (link.isOnHost() && onLink >= limit(HixlLimit::HostRequests))
    return raise(HixlCase::HostSlots, engine, call.site,
                 {name, call.remote, std::to_string(onLink)}, first);
  return HixlStatus::Success;
}

} // namespace pto::hixl
