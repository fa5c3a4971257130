#include "hixl_model/state.h"

namespace pto::hixl {

void State::fault(const HixlFault &fault) {
  at(fault.atPs, [this, fault] { hit(fault); });
}

bool State::isCut(int32_t one, int32_t other) const {
  return llvm::any_of(cuts_, [&](const HixlFault &cut) {
    bool isBetween = (cut.from == one && cut.to == other) || (cut.from == other && cut.to == one);
    return isBetween && cut.atPs <= now_ && (cut.untilPs == 0 || now_ < cut.untilPs);
  });
}

void State::hit(const HixlFault &fault) {
  effects_.faults.push_back(fault);
  if (fault.kind == HixlFaultKind::Host) {
    for (auto row = parked_.begin(); row != parked_.end();)
      row = row->second.host == fault.from ? parked_.erase(row) : std::next(row);
    for (Engine &engine : engines_)
      if (engine.host == fault.from && engine.isReady())
        leave(engine, Life::Lost, 0);
    return;
  }
  if (fault.kind == HixlFaultKind::Link) {
    cuts_.push_back(fault);
    for (const Engine &client : engines_)
      for (const auto &[remote, link] : client.links)
        if (isCut(client.host, engines_[link.peer - 1].host))
          watch(client, remote, link);
  }
  bool hasHit = false;
  for (uint32_t id : std::vector<uint32_t>(open_.begin(), open_.end())) {
    Request &request = requests_.at(id);
    const Link *link = linkOf(request);
    if (!request.moves() || !link || fault.kind == HixlFaultKind::Stall)
      continue;
    int32_t from = engines_[request.engine - 1].host;
    int32_t to = engines_[link->peer - 1].host;
    if (fault.kind == HixlFaultKind::Link ? !isCut(from, to) : from != fault.from)
      continue;
    failRequest(request);
    hasHit = true;
  }
  if (fault.kind != HixlFaultKind::Link && !hasHit)
    armed_[fault.from] = fault.kind;
}

/// Something happened to the other end of a link: the next heartbeat of AutoConnect finds it if it
/// lasts, and a server that hears nothing gives up later.
void State::watch(const Engine &client, const std::string &remote, const Link &link) {
  auto isDead = [this, remote, id = client.id, serial = link.serial] {
    const Engine &client = engines_[id - 1];
    auto found = client.links.find(remote);
    if (found == client.links.end() || found->second.serial != serial)
      return false;
    return !isAlive(client, found->second) ||
           isCut(client.host, engines_[found->second.peer - 1].host);
  };
  int64_t beat = limit(HixlLimit::HeartbeatMs) * kPsPerMs;
  if (client.config.autoConnect)
    at(link.upPs + ((now_ - link.upPs) / beat + 1) * beat, [this, isDead, remote, id = client.id] {
      if (isDead())
        endLink(engines_[id - 1], remote, HixlGone::Silent, 0);
    });
  after(limit(HixlLimit::SilenceMs) * kPsPerMs,
        [this, isDead, name = client.name.text, peer = link.peer, serial = link.serial] {
          if (isDead())
            forget(peer, name, serial);
        });
}

/// An engine goes: what moves its bytes fails, and heartbeats will miss it.
void State::peerGone(Engine &peer) {
  std::vector<uint32_t> moving;
  for (Engine &client : engines_)
    for (const auto &[remote, link] : client.links) {
      if (link.peer != peer.id || &client == &peer)
        continue;
      for (const Request *request : openOn(client, link.serial))
        if (request->moves())
          moving.push_back(request->id);
      watch(client, remote, link);
    }
  for (uint32_t id : moving)
    failRequest(requests_.at(id));
}

} // namespace pto::hixl
