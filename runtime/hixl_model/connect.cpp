#include "hixl_model/state.h"

namespace pto::hixl {

Answer State::doConnect(Engine &engine, const HixlCall &call) {
  mixed(engine, call, false);
  if (Answer answer = gate(engine, call))
    return answer;
  if (call.timeoutMs < limit(HixlLimit::AdvisedConnectMs))
    raise(HixlCase::TimeoutShort, engine, call.site,
          {"connect", std::to_string(call.timeoutMs),
           std::to_string(limit(HixlLimit::AdvisedConnectMs))});
  uint32_t ticket = park(call);
  startConnect({engine.id, engine.epoch, call.remote, call.timeoutMs, 0, call.site, false,
                [this, ticket](HixlStatus status) { wake(ticket, ends(status)); }});
  return std::nullopt;
}

Answer State::doDisconnect(Engine &engine, const HixlCall &call) {
  mixed(engine, call, false);
  if (Answer answer = gate(engine, call))
    return answer;
  for (const Request *request : openOn(engine, engine.links[call.remote].serial))
    if (request->queries == 0 && request->ticket == 0)
      raise(HixlCase::NeverPolled, engine, call.site, {"disconnect", call.remote}, request->site);
  bool asks = engine.kind() == HixlEngine::CommDomain && isAlive(engine, engine.links[call.remote]);
  endLink(engine, call.remote, HixlGone::Disconnected, call.site);
  HixlAnswer answer = ends(HixlStatus::Success);
  if (asks)
    answer.tookPs = costPs(HixlCost::Disconnect);
  return answer;
}

/// The two kinds of connect do not see each other.
void State::mixed(Engine &engine, const HixlCall &call, bool isAsync) {
  uint32_t &own = isAsync ? engine.firstAsync : engine.firstSync;
  uint32_t other = isAsync ? engine.firstSync : engine.firstAsync;
  if (other && !own)
    raise(HixlCase::MixedConnects, engine, call.site,
          {info(call.kind).name.str(), isAsync ? "connect" : "connect_async"}, other);
  if (!own)
    own = call.site;
}

void State::startConnect(Attempt attempt) {
  attempt.deadlinePs = now_ + attempt.timeoutMs * kPsPerMs;
  Engine &engine = engines_[attempt.engine - 1];
  ParsedIdentifier name = parseHixlIdentifier(attempt.remote);
  if (!name.identifier || !name.identifier->listens()) {
    HixlStatus status = raise(HixlCase::NoPort, engine, attempt.site, {attempt.remote});
    after(spread(engine, HixlCost::Refuse), [attempt, status] { attempt.then(status); });
    return;
  }
  waitForPlace(attempt);
}

/// A connect of a pool makes room, on both sides, and waits only where the pool is full.
void State::waitForPlace(const Attempt &attempt) {
  Engine &engine = engines_[attempt.engine - 1];
  bool isFull = false;
  if (engine.epoch == attempt.epoch) {
    Engine *peer = listening(attempt.remote);
    for (Engine *side : {&engine, peer}) {
      if (!side || !side->isReady() || !side->config.pool)
        continue;
      evictFor(*side, attempt.site);
      isFull |= int64_t(linksOf(*side)) >= side->config.pool->max;
    }
  }
  if (!isFull) {
    shakeHands(attempt);
    return;
  }
  int64_t poll = limit(HixlLimit::PoolPollMs) * kPsPerMs;
  if (now_ + poll <= attempt.deadlinePs) {
    after(poll, [this, attempt] { waitForPlace(attempt); });
    return;
  }
  at(attempt.deadlinePs, [this, attempt] {
    Engine &engine = engines_[attempt.engine - 1];
    attempt.then(raise(
        HixlCase::PoolFull, engine, attempt.site,
        {attempt.remote, std::to_string(attempt.timeoutMs), std::to_string(linksOf(engine))}));
  });
}

void State::shakeHands(const Attempt &attempt) {
  Engine &engine = engines_[attempt.engine - 1];
  Engine *peer = listening(attempt.remote);
  bool isCutOff = peer && isCut(engine.host, peer->host);
  bool isLost = wasLost(attempt.remote);
  int64_t takes = spread(engine, peer ? HixlCost::Connect : HixlCost::Refuse);
  if (isCutOff || isLost || now_ + takes > attempt.deadlinePs) {
    // What a fault alone has done is no misuse.
    HixlCase which = isCutOff || isLost ? HixlCase::PeerCut : HixlCase::PeerSilent;
    at(attempt.deadlinePs, [this, attempt, which] {
      attempt.then(raise(which, engines_[attempt.engine - 1], attempt.site,
                         {attempt.remote, std::to_string(attempt.timeoutMs)}));
    });
    return;
  }
  after(takes, [this, attempt] {
    Engine &engine = engines_[attempt.engine - 1];
    if (engine.epoch != attempt.epoch)
      return attempt.then(raise(HixlCase::ConnectCut, engine, attempt.site));
    attempt.then(finishConnect(engine, attempt));
  });
}

/// Whether an engine of that name went with its host.
bool State::wasLost(const std::string &remote) const {
  return llvm::any_of(engines_, [&](const Engine &engine) {
    return engine.life == Life::Lost && engine.name.text == remote;
  });
}

Engine *State::listening(const std::string &remote) {
  ParsedIdentifier name = parseHixlIdentifier(remote);
  if (!name.identifier)
    return nullptr;
  for (Engine &engine : engines_)
    if (engine.isReady() && engine.name.listens() && engine.name.port == name.identifier->port &&
        engine.name.address == name.identifier->address)
      return &engine;
  return nullptr;
}

/// Says what is at a name where nobody listens.
HixlStatus State::nobody(Engine &engine, const Attempt &attempt) {
  for (const Engine &other : engines_)
    if (other.life == Life::Finalized && other.name.text == attempt.remote)
      return raise(HixlCase::NobodyListens, engine, attempt.site,
                   {attempt.remote, "the engine is finalised", "it was finalised here"},
                   other.site);
  return raise(HixlCase::NobodyListens, engine, attempt.site,
               {attempt.remote, "no engine listens"});
}

HixlStatus State::finishConnect(Engine &engine, const Attempt &attempt) {
  Engine *peer = listening(attempt.remote);
  if (!peer)
    return nobody(engine, attempt);
  if (auto rival = engine.links.find(attempt.remote); rival != engine.links.end())
    return attempt.isImplicit ? HixlStatus::AlreadyConnected
                              : raise(HixlCase::AlreadyUp, engine, attempt.site,
                                      {"connect", attempt.remote}, rival->second.site);
  if (HixlStatus status = checkPair(engine, *peer, attempt); status != HixlStatus::Success)
    return status;
  Link link;
  if (HixlStatus status = choosePath(engine, *peer, attempt, link); status != HixlStatus::Success)
    return status;
  link.peer = peer->id;
  link.serial = ++links_;
  link.site = attempt.site;
  link.isImplicit = attempt.isImplicit;
  link.upPs = now_;
  auto live = [](const Regions &regions) {
    Regions copy;
    llvm::copy_if(regions, std::back_inserter(copy), [](const Region &r) { return r.isLive; });
    return copy;
  };
  link.local = live(engine.regions);
  link.remote = live(peer->regions);
  peer->incoming[engine.name.text] = {engine.id, link.serial, attempt.site, false, {}};
  engine.gone.erase(attempt.remote);
  engine.links[attempt.remote] = std::move(link);
  size_t onDevice = 0;
  for (const Engine &other : engines_)
    onDevice += other.host == engine.host ? other.links.size() : 0;
  if (engine.kind() == HixlEngine::CommDomain &&
      int64_t(onDevice) > limit(HixlLimit::LinksPerDevice))
    raise(HixlCase::LinksMany, engine, attempt.site,
          {"", std::to_string(onDevice), std::to_string(limit(HixlLimit::LinksPerDevice))});
  return HixlStatus::Success;
}

bool State::isAlive(const Engine &engine, const Link &link) const {
  const Engine &peer = engines_[link.peer - 1];
  auto incoming = peer.incoming.find(engine.name.text);
  return peer.isReady() && incoming != peer.incoming.end() &&
         incoming->second.serial == link.serial;
}

void State::forget(uint32_t peer, const std::string &client, uint64_t serial) {
  std::map<std::string, Incoming> &incoming = engines_[peer - 1].incoming;
  auto found = incoming.find(client);
  if (found != incoming.end() && found->second.serial == serial)
    incoming.erase(found);
}

/// Ends what is under way on a link that goes.
void State::closeRequests(Engine &engine, uint64_t serial, uint32_t site) {
  for (Request *request : openOn(engine, serial)) {
    release(*request, HixlCase::RequestUnlinked, site);
    if (request->ticket)
      wake(request->ticket, ends(HixlStatus::Failed));
  }
}

void State::endLink(Engine &engine, const std::string &remote, HixlGone why, uint32_t site) {
  auto found = engine.links.find(remote);
  if (found == engine.links.end())
    return;
  Link link = std::move(found->second);
  engine.gone[remote] = {why, site};
  engine.links.erase(found);
  closeRequests(engine, link.serial, site);
  forget(link.peer, engine.name.text, link.serial);
}

} // namespace pto::hixl
