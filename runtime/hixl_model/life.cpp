#include "hixl_model/state.h"

namespace pto::hixl {

bool State::crossesServers(int32_t one, int32_t other) const {
  int32_t size = config_.hostsPerServer;
  return size > 0 && one / size != other / size;
}

HixlDevice State::deviceOf(int32_t host) const {
  int32_t server = config_.hostsPerServer > 0 ? host / config_.hostsPerServer : 0;
  return hixlDevice(config_.platform, host, server, config_.interconnect);
}

Answer State::initializeFails(Engine &engine, const HixlCall &call, HixlStatus status) {
  engine.life = Life::Refused;
  engine.refusedBy = status;
  engine.site = call.site;
  return ends(status);
}

/// What the engines that are there already say of a new one.
HixlStatus State::checkNeighbours(Engine &engine, uint32_t site) {
  if (std::optional<OptionFault> fault = loopbackFault(engine.name, unsigned(config_.hosts)))
    raiseFault(*fault, site);
  for (const Engine &other : engines_) {
    if (!other.isReady())
      continue;
    if (std::optional<OptionFault> fault = clashOf(engine.name, other.name)) {
      raiseFault(*fault, site, other.site, "the other engine was initialised here");
      if (fault->status != HixlStatus::Success && engine.name.listens())
        return fault->status;
    }
    bool isOfProcess = other.host == engine.host && other.kind() == engine.kind();
    int64_t port = engine.config.number(HixlResource::ListenPort);
    if (other.host == engine.host && port == other.config.number(HixlResource::ListenPort) &&
        port != hixlOn(config_.platform).nicPort)
      raise(HixlCase::NicPortShared, engine, site,
            {"initialize", other.name.text, std::to_string(port)}, other.site);
    for (HixlResource which : {HixlResource::MaxCapacity, HixlResource::StartAddress})
      if (isOfProcess && other.config.number(which) != engine.config.number(which))
        if (HixlStatus status = raise(HixlCase::SpaceDiffers, engine, site,
                                      {"initialize", other.name.text}, other.site);
            status != HixlStatus::Success)
          return status;
  }
  return HixlStatus::Success;
}

Answer State::doInitialize(Engine &engine, const HixlCall &call) {
  if (Answer answer = gate(engine, call))
    return answer;
  std::vector<HixlText> options(call.options.begin(), call.options.end());
  ParsedOptions parsed = parseHixlOptions(options, config_.platform, config_.surroundings);
  for (const OptionFault &fault : parsed.faults)
    raiseFault(fault, call.site);
  if (parsed.status != HixlStatus::Success)
    return initializeFails(engine, call, parsed.status);
  ParsedIdentifier name = parseHixlIdentifier(call.remote);
  if (name.fault) {
    raiseFault(*name.fault, call.site);
    return initializeFails(engine, call, name.fault->status);
  }
  engine.config = std::move(parsed.config);
  engine.name = name.identifier.value_or(HixlIdentifier());
  if (HixlStatus status = checkNeighbours(engine, call.site); status != HixlStatus::Success)
    return initializeFails(engine, call, status);
  engine.endpoints = endpointsOf(engine.config, deviceOf(engine.host));
  engine.life = Life::Ready;
  engine.site = call.site;
  ++engine.epoch;
  HixlAnswer answer = ends(HixlStatus::Success);
  answer.engine = engine.kind();
  answer.tookPs = costPs(HixlCost::Start);
  return answer;
}

/// Clients whose links lead here, when the engine goes.
void State::sayPeers(Engine &engine, uint32_t site) {
  for (const auto &[name, incoming] : engine.incoming) {
    const Engine &client = engines_[incoming.client - 1];
    auto link = client.links.find(engine.name.text);
    if (!client.isReady() || link == client.links.end() || &client == &engine)
      continue;
    const Request *moving = nullptr;
    for (uint32_t id : open_)
      if (requests_.at(id).serial == incoming.serial && requests_.at(id).moves())
        moving = &requests_.at(id);
    if (moving)
      raise(HixlCase::PeerReading, engine, site, {engine.name.text, name}, moving->site);
    else
      raise(HixlCase::PeerLinked, engine, site, {engine.name.text, name}, link->second.site);
  }
}

void State::sayLeftBehind(Engine &engine, uint32_t site) {
  uint32_t first = engine.links.empty() ? 0 : engine.links.begin()->second.site;
  size_t open = 0;
  for (uint32_t id : open_)
    if (const Request &request = requests_.at(id);
        request.engine == engine.id && request.ticket == 0) {
      if (request.queries == 0) {
        raise(HixlCase::NeverPolled, engine, site, {"finalize", request.remote}, request.site);
        continue;
      }
      first = first ? first : request.site;
      ++open;
    }
  size_t live = 0;
  for (const Region &region : engine.regions)
    if (region.isLive) {
      first = first ? first : region.site;
      ++live;
    }
  if (!engine.tasks.empty())
    raise(HixlCase::TasksLost, engine, site, {"finalize", std::to_string(engine.tasks.size())},
          engine.tasks.front().site);
  if (std::string left = hixlLeftBehind(engine.links.size(), open, live); !left.empty())
    raise(HixlCase::FinalizeLinked, engine, site, {"finalize", left}, first);
}

/// Takes an engine down; its peers hear of it later, if at all.
void State::leave(Engine &engine, Life life, uint32_t site) {
  std::string name = engine.name.text;
  bool isAtOnce = engine.kind() == HixlEngine::ClientServer && life == Life::Finalized;
  int64_t silence = isAtOnce ? 0 : limit(HixlLimit::SilenceMs) * kPsPerMs;
  for (const auto &[remote, link] : engine.links) {
    closeRequests(engine, link.serial, site);
    after(silence,
          [this, peer = link.peer, name, serial = link.serial] { forget(peer, name, serial); });
  }
  peerGone(engine);
  uint32_t id = engine.id, epoch = engine.epoch;
  int32_t host = engine.host;
  Jitter jitter = engine.jitter;
  engine = Engine();
  engine.id = id;
  engine.host = host;
  engine.jitter = jitter;
  engine.epoch = epoch + 1;
  engine.life = life;
  engine.site = site;
  engine.name.text = name;
}

Answer State::doFinalize(Engine &engine, const HixlCall &call) {
  if (!engine.isReady())
    return ends(HixlStatus::Success);
  for (const auto &[ticket, parked] : parked_)
    if (parked.call.engine == engine.id)
      raise(HixlCase::FinalizeDuring, engine, call.site, {info(parked.call.kind).name.str()},
            parked.call.site);
  sayPeers(engine, call.site);
  sayLeftBehind(engine, call.site);
  if (engine.running.empty()) {
    leave(engine, Life::Finalized, call.site);
    return ends(HixlStatus::Success);
  }
  engine.tasks.clear(); // Workers end what they have begun; the rest is dropped.
  engine.closing = park(call);
  return std::nullopt;
}

Answer State::doGetCapability(Engine &engine, const HixlCall &call) {
  HixlCapability capability = hixlCapability(call.feature);
  Words words = {"get_capability", std::to_string(call.feature)};
  if (capability.status != HixlStatus::Success)
    raise(HixlCase::CapabilityBad, engine, call.site, words);
  else if (capability.value == 0)
    raise(HixlCase::CapabilityUnknown, engine, call.site, words);
  HixlAnswer answer = ends(capability.status);
  answer.capability = capability.value;
  return answer;
}

void State::finish(int64_t nowPs) {
  advance(nowPs);
  for (Engine &engine : engines_)
    if (engine.isReady())
      raise(HixlCase::NeverFinalized, engine, engine.site, {engine.name.text});
}

} // namespace pto::hixl
