#include "hixl_model/span.h"
#include "hixl_model/state.h"

namespace pto::hixl {

/// Ranges that share bytes without being the same.
static bool overlapsInPart(const Region &region, const HixlCall &call) {
  if (!sharesBytes(region.at, region.bytes, call.place, call.bytes))
    return false;
  return region.at.offset != call.place.offset || region.bytes != call.bytes;
}

HixlStatus State::checkRegion(Engine &engine, const HixlCall &call) {
  auto say = [&](HixlCase which, const std::string &more = "", const std::string &again = "",
                 uint32_t other = 0) {
    return raise(which, engine, call.site, {"register_mem", more, again}, other);
  };
  if (call.place.isNull())
    return say(HixlCase::RegionNull);
  std::string span = shown(call.place, call.bytes);
  if (call.bytes > std::numeric_limits<int64_t>::max() - call.place.offset || call.bytes < 0)
    return say(HixlCase::RegionWraps, span);
  if (call.bytes == 0)
    if (HixlStatus status = say(HixlCase::RegionEmpty, span); status != HixlStatus::Success)
      return status;
  if (call.memType != call.place.space)
    (void)say(HixlCase::RegionPlace, span, info(call.memType).name.str());
  if (!registrable(engine.endpoints).contains(call.memType))
    if (HixlStatus status = say(HixlCase::RegionNoEndpoint, span); status != HixlStatus::Success)
      return status;
  for (const Region &region : engine.regions)
    if (region.isLive && region.type == call.memType && overlapsInPart(region, call))
      return say(HixlCase::RegionOverlaps, span, shown(region.at, region.bytes), region.site);
  return HixlStatus::Success;
}

/// Limits that documents state and nobody enforces.
void State::checkTotals(Engine &engine, uint32_t site) {
  int64_t count = 0;
  int64_t bytes[2] = {0, 0};
  for (const Region &region : engine.regions)
    if (region.isLive) {
      ++count;
      bytes[size_t(region.type)] += region.bytes;
    }
  if (count == limit(HixlLimit::Regions) + 1)
    raise(HixlCase::RegionsMany, engine, site,
          {"", std::to_string(count), std::to_string(limit(HixlLimit::Regions))});
  if (config_.platform != Platform::A2 && config_.platform != Platform::A3)
    return;
  const llvm::VersionTuple &hdk = config_.surroundings.hdk;
  bool isOld = !hdk.empty() && hdk < llvm::VersionTuple(25, 5);
  HixlLimit host = isOld ? HixlLimit::OldHostBytes : HixlLimit::HostBytes;
  for (HixlMemType type : {HixlMemType::Device, HixlMemType::Host}) {
    int64_t most = limit(type == HixlMemType::Host ? host : HixlLimit::DeviceBytes);
    if (bytes[size_t(type)] > most)
      raise(HixlCase::RegionsLarge, engine, site,
            {"",
             std::to_string(bytes[size_t(type)]) + " bytes of " + info(type).placement.str() +
                 " memory",
             std::to_string(most)});
  }
}

Answer State::doRegisterMem(Engine &engine, const HixlCall &call) {
  if (Answer answer = gate(engine, call))
    return answer;
  if (HixlStatus status = checkRegion(engine, call); status != HixlStatus::Success)
    return ends(status);
  HixlAnswer answer = ends(HixlStatus::Success);
  for (const Region &region : engine.regions)
    if (region.isLive && region.type == call.memType && region.at.offset == call.place.offset &&
        region.at.space == call.place.space && region.bytes == call.bytes) {
      raise(HixlCase::RegionAgain, engine, call.site,
            {"register_mem", shown(call.place, call.bytes)}, region.site);
      answer.id = region.handle;
      return answer;
    }
  engine.regions.push_back({++handles_, call.memType, call.place, call.bytes, call.site});
  engine.regions.back().at.host = engine.host;
  checkTotals(engine, call.site);
  answer.id = handles_;
  return answer;
}

/// Where a request was submitted that uses the range and is open; 0: there is none.
uint32_t State::userOf(const Engine &engine, const Region &region) const {
  for (uint32_t id : open_)
    if (const Request &request = requests_.at(id); request.engine == engine.id)
      for (const HixlOpDesc &op : request.ops)
        if (sharesBytes(op.local, op.bytes, region.at, region.bytes))
          return request.site;
  return 0;
}

/// Peers that still use a range which goes.
void State::checkOtherUsers(Engine &engine, const Region &region, uint32_t site) {
  std::string span = shown(region.at, region.bytes);
  for (const Engine &peer : engines_) {
    auto link = peer.links.find(engine.name.text);
    if (&peer == &engine || link == peer.links.end() || link->second.peer != engine.id)
      continue;
    for (const Region &imported : link->second.remote)
      if (imported.handle == region.handle)
        raise(HixlCase::DeregisterPeer, engine, site, {span, peer.name.text}, link->second.site);
  }
}

Answer State::doDeregisterMem(Engine &engine, const HixlCall &call) {
  if (call.handle == 0)
    return ends(raise(HixlCase::DeregisterNull, engine, call.site));
  auto found = llvm::find_if(engine.regions,
                             [&](const Region &region) { return region.handle == call.handle; });
  if (found == engine.regions.end() || !found->isLive) {
    bool isKnown = found != engine.regions.end();
    raise(HixlCase::DeregisterAgain, engine, call.site,
          {"", isKnown ? "was deregistered before" : "this engine never gave"},
          isKnown ? found->endSite : 0);
    return ends(HixlStatus::Success);
  }
  HixlStatus status = HixlStatus::Success;
  if (uint32_t user = userOf(engine, *found))
    status =
        raise(HixlCase::DeregisterBusy, engine, call.site, {shown(found->at, found->bytes)}, user);
  else if (Answer answer = gate(engine, call))
    return answer;
  if (status != HixlStatus::Success)
    return ends(status);
  checkOtherUsers(engine, *found, call.site);
  found->isLive = false;
  found->endSite = call.site;
  return ends(HixlStatus::Success);
}

} // namespace pto::hixl
