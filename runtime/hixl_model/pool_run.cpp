#include "hixl_model/state.h"

namespace pto::hixl {

size_t State::linksOf(const Engine &engine) const {
  return engine.links.size() + engine.incoming.size();
}

namespace {
struct Victim {
  bool hasTransferred;
  uint64_t serial;
  std::string name;
  bool isClient;
};
} // namespace

/// Those that have not transferred go first, then the older ones.
static std::vector<Victim> ordered(std::vector<Victim> side) {
  llvm::sort(side, [](const Victim &one, const Victim &other) {
    return std::tuple(one.hasTransferred, one.serial) <
           std::tuple(other.hasTransferred, other.serial);
  });
  return side;
}

/// Takes the larger side down to the smaller one, then from both in turn.
static std::vector<Victim> victimsOf(std::vector<Victim> clients, std::vector<Victim> servers,
                                     size_t need) {
  std::vector<Victim> chosen;
  auto take = [&](std::vector<Victim> &side) {
    if (side.empty() || chosen.size() == need)
      return;
    chosen.push_back(side.front());
    side.erase(side.begin());
  };
  std::vector<Victim> &larger = clients.size() > servers.size() ? clients : servers;
  std::vector<Victim> &smaller = clients.size() > servers.size() ? servers : clients;
  for (size_t more = larger.size() - smaller.size(); more != 0; --more)
    take(larger);
  while (chosen.size() < need && !(clients.empty() && servers.empty())) {
    take(clients);
    take(servers);
  }
  return chosen;
}

/// The round of evictions that a connect starts; it does not wait for it.
void State::evictFor(Engine &engine, uint32_t site) {
  const std::optional<HixlPool> &pool = engine.config.pool;
  int64_t need = pool ? pool->victims(int64_t(linksOf(engine))) : 0;
  if (need == 0)
    return;
  std::vector<Victim> clients, servers;
  for (const auto &[name, link] : engine.links)
    clients.push_back({link.hasTransferred, link.serial, name, true});
  for (const auto &[name, incoming] : engine.incoming)
    servers.push_back({incoming.hasTransferred, incoming.serial, name, false});
  for (const Victim &victim :
       victimsOf(ordered(std::move(clients)), ordered(std::move(servers)), size_t(need)))
    after(costPs(HixlCost::Evict),
          [this, id = engine.id, victim, site] { evict(id, victim.name, victim.isClient, site); });
  after(costPs(HixlCost::Evict), [this, id = engine.id] {
    Engine &engine = engines_[id - 1];
    for (auto &[name, link] : engine.links)
      link.hasTransferred &= !openOn(engine, link.serial).empty();
    for (auto &[name, incoming] : engine.incoming)
      incoming.hasTransferred &= !openOn(engines_[incoming.client - 1], incoming.serial).empty();
  });
}

/// Whether a request holds the link.
bool State::isPinned(Engine &client, const std::string &remote, uint32_t site) {
  auto link = client.links.find(remote);
  if (link == client.links.end())
    return false;
  std::vector<Request *> open = openOn(client, link->second.serial);
  if (open.empty())
    return false;
  raise(HixlCase::PoolPinned, client, site, {remote}, open.front()->site);
  return true;
}

/// A server asks its client, who is the one that ends the link.
void State::evict(uint32_t id, const std::string &name, bool isClient, uint32_t site) {
  Engine &engine = engines_[id - 1];
  auto found = engine.incoming.find(name);
  if (!isClient && found == engine.incoming.end())
    return;
  Engine &client = isClient ? engine : engines_[found->second.client - 1];
  std::string remote = isClient ? name : engine.name.text;
  auto link = client.links.find(remote);
  if (link == client.links.end()) {
    if (!isClient)
      engine.incoming.erase(found); // A client that is gone, and has not been missed yet.
    return;
  }
  if (isPinned(client, remote, site))
    return;
  std::map<std::string, Incoming> &there = engines_[link->second.peer - 1].incoming;
  if (auto unread = there.find(client.name.text);
      unread != there.end() && !unread->second.inbox.empty())
    raise(HixlCase::PoolNotifies, client, site,
          {client.name.text, std::to_string(unread->second.inbox.size())}, link->second.site);
  endLink(client, remote, HixlGone::Evicted, site);
}

} // namespace pto::hixl
