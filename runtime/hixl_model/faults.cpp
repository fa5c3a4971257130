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
  if (fault.kind == HixlFaultKind::Host) {
    for (auto row = parked_.begin(); row != parked_.end();)
      row = row->second.host == fault.from ? parked_.erase(row) : std::next(row);
    for (Engine &engine : engines_)
      if (engine.host == fault.from && engine.isReady())
        leave(engine, Life::Lost, 0);
    return;
  }
  if (fault.kind == HixlFaultKind::Link)
    cuts_.push_back(fault);
  bool hasHit = false;
  for (size_t i = 0; i != requests_.size(); ++i) {
    Request &request = requests_[i];
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

/// An engine goes: what moves its bytes fails, and heartbeats will miss it.
void State::peerGone(Engine &peer) {
  int64_t beat = limit(HixlLimit::HeartbeatMs) * kPsPerMs;
  std::vector<uint32_t> moving;
  for (Engine &client : engines_)
    for (const auto &[remote, link] : client.links) {
      if (link.peer != peer.id || &client == &peer)
        continue;
      for (const Request *request : openOn(client, link.serial))
        if (request->moves())
          moving.push_back(request->id);
      if (!client.config.autoConnect)
        continue;
      int64_t next = link.upPs + ((now_ - link.upPs) / beat + 1) * beat;
      at(next, [this, id = client.id, remote = remote, serial = link.serial] {
        Engine &client = engines_[id - 1];
        auto found = client.links.find(remote);
        if (found != client.links.end() && found->second.serial == serial)
          endLink(client, remote, Why::Silent, 0);
      });
    }
  for (uint32_t id : moving)
    failRequest(requests_[id - 1]);
}

} // namespace pto::hixl
