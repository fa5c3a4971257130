#include "hixl_model/state.h"

namespace pto::hixl {

/// Address space of F that the ranges of both sides take, in blocks.
static int64_t mappedBlocks(const Engine &engine, const Engine &peer) {
  int64_t block = limit(HixlLimit::FabricBlockBytes);
  int64_t blocks = 0;
  auto add = [&](int64_t bytes) { blocks += (bytes + block - 1) / block; };
  for (const Region &region : engine.regions)
    if (region.isLive && region.type == HixlMemType::Host)
      add(region.bytes);
  for (const auto &[name, link] : engine.links)
    for (const Region &region : link.remote)
      add(region.bytes);
  for (const Region &region : peer.regions)
    if (region.isLive)
      add(region.bytes);
  return blocks;
}

/// What the two sides say about each other before there is a link.
HixlStatus State::checkPair(Engine &engine, Engine &peer, const Attempt &attempt) {
  HixlStatus status = HixlStatus::Success;
  auto say = [&](HixlCase which, const Words &words, uint32_t other = 0) {
    if (status == HixlStatus::Success)
      status = raise(which, engine, attempt.site, words, other);
  };
  if (&engine == &peer)
    say(HixlCase::SelfConnect, {attempt.remote});
  else if (engine.host == peer.host)
    say(HixlCase::SameDevice, {engine.name.text, attempt.remote}, peer.site);
  if (engine.kind() != peer.kind())
    say(HixlCase::KindDiffers,
        {attempt.remote, info(engine.kind()).letter.str(), info(peer.kind()).letter.str()},
        peer.site);
  for (const Engine &beside : engines_) {
    int64_t own = engine.config.number(HixlResource::MaxActiveChannels);
    int64_t its = beside.config.number(HixlResource::MaxActiveChannels);
    if (beside.isReady() && beside.host == engine.host && beside.kind() == engine.kind() &&
        own != its)
      say(HixlCase::ChannelsDiffer, {attempt.remote, std::to_string(own), std::to_string(its)},
          beside.site);
  }
  if (engine.config.relay != peer.config.relay)
    say(HixlCase::RelayDiffers, {attempt.remote}, peer.site);
  if (engine.config.pool.has_value() != peer.config.pool.has_value())
    say(HixlCase::PoolDiffers, {attempt.remote}, peer.site);
  for (const Regions *regions : {&engine.regions, &peer.regions})
    for (const Region &region : *regions)
      if (region.isLive && region.bytes == 0)
        say(HixlCase::PeerEmptyRegion, {attempt.remote}, region.site);
  size_t count = size_t(llvm::count_if(peer.regions, [](const Region &r) { return r.isLive; }));
  if (int64_t(count) > limit(HixlLimit::Regions))
    say(HixlCase::PeerManyRegions,
        {attempt.remote, std::to_string(count), std::to_string(limit(HixlLimit::Regions))});
  int64_t capacity = engine.config.number(HixlResource::MaxCapacity) * 1024;
  if (int64_t blocks = mappedBlocks(engine, peer); blocks > capacity)
    say(HixlCase::RegionsSpace, {"", std::to_string(blocks), std::to_string(capacity)});
  return status;
}

/// Device NICs of RoCE that do not speak the same kind of address.
HixlStatus State::checkAddresses(const Engine &engine, const Engine &peer, const Attempt &attempt,
                                 const Link &link) {
  const HixlLink &first = link.match.links.front();
  if (first.protocol != HixlProtocol::Roce || first.local != HixlMemType::Device)
    return HixlStatus::Success;
  const std::string &own = engine.endpoints.list[first.localIndex].commId;
  const std::string &its = peer.endpoints.list[first.remoteIndex].commId;
  std::optional<HixlAddress> here = HixlAddress::parse(own), there = HixlAddress::parse(its);
  if (!here || !there || here->isV6 == there->isV6)
    return HixlStatus::Success;
  return raise(HixlCase::AddressesDiffer, engine, attempt.site, {attempt.remote, own, its},
               peer.site);
}

/// What carries the link, and in which directions.
HixlStatus State::choosePath(Engine &engine, const Engine &peer, const Attempt &attempt,
                             Link &link) {
  if (engine.config.connectStatus != HixlStatus::Success)
    return engine.config.connectStatus;
  if (engine.kind() == HixlEngine::FabricMem) {
    link.protocol = HixlProtocol::FabricMap;
  } else if (engine.kind() == HixlEngine::CommDomain) {
    bool isFar = config_.platform == Platform::A2 && crossesServers(engine.host, peer.host);
    link.protocol = isFar || engine.config.onlyRoce ? HixlProtocol::Roce : HixlProtocol::Hccs;
  } else {
    if (peer.endpoints.list.empty())
      return raise(HixlCase::NoEndpoints, engine, attempt.site, {attempt.remote});
    link.match = matchEndpoints(engine.endpoints, peer.endpoints);
    if (link.match.links.empty()) {
      OptionFault fault = mismatchOf(engine.endpoints, peer.endpoints);
      raiseFault(fault, attempt.site, peer.site, "the remote was initialised here");
      return raise(HixlCase::NoMatch, engine, attempt.site);
    }
    if (HixlStatus status = checkAddresses(engine, peer, attempt, link);
        status != HixlStatus::Success)
      return status;
    link.protocol = link.match.links.front().protocol;
    link.carries = directionsOf(link.match, config_.platform);
    return HixlStatus::Success;
  }
  link.carries = hixlCarries(link.protocol, config_.platform);
  return HixlStatus::Success;
}

} // namespace pto::hixl
