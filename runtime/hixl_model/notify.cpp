#include "hixl_model/state.h"

namespace pto::hixl {

/// Over the link, but on F over a connection of its own.
Engine *State::receiverOf(Engine &engine, const std::string &remote) {
  auto found = engine.links.find(remote);
  if (engine.kind() != HixlEngine::FabricMem)
    return found != engine.links.end() && isAlive(engine, found->second)
               ? &engines_[found->second.peer - 1]
               : nullptr;
  return listening(remote);
}

/// A notify may be about any write that was seen COMPLETED and not told of yet, whatever else is
/// under way; where there is none, it can only be about one that is.
void State::checkEarly(Engine &engine, const HixlCall &call) {
  if (auto link = engine.links.find(call.remote); link != engine.links.end())
    if (int64_t &untold = link->second.untold; untold > 0) {
      --untold;
      return;
    }
  for (uint32_t id : open_)
    if (const Request &request = requests_.at(id);
        request.engine == engine.id && request.remote == call.remote &&
        request.op == HixlOp::Write && request.ticket == 0)
      raise(HixlCase::NotifyEarly, engine, call.site, {info(call.kind).name.str(), call.remote},
            request.site);
}

Answer State::doSendNotify(Engine &engine, const HixlCall &call) {
  if (Answer answer = gate(engine, call))
    return answer;
  std::string name = info(call.kind).name.str();
  checkEarly(engine, call);
  Engine *peer = receiverOf(engine, call.remote);
  bool isAcked = engine.kind() == HixlEngine::CommDomain;
  int64_t takes = spread(engine, isAcked ? HixlCost::NotifyAck : HixlCost::Notify);
  int64_t budget = call.timeoutMs * kPsPerMs;
  uint32_t ticket = park(call), number = ++notices_;
  uint32_t id = engine.id;
  if ((peer && isCut(engine.host, peer->host)) || takes > budget) {
    bool isCutOff = peer && isCut(engine.host, peer->host); // A fault alone is no misuse.
    HixlCase which = isCutOff ? HixlCase::NotifyCut : HixlCase::NotifyLate;
    after(budget, [this, ticket, call, id, name, which] {
      wake(ticket, ends(raise(which, engines_[id - 1], call.site,
                              {name, call.remote, std::to_string(call.timeoutMs)})));
    });
    return std::nullopt;
  }
  int64_t deadline = now_ + budget;
  after(takes, [this, ticket, call, id, deadline, number] {
    HixlAnswer answer = ends(deliver(engines_[id - 1], call, number));
    answer.id = number;
    int64_t end = answer.status == HixlStatus::Timeout ? deadline : now_;
    at(end, [this, ticket, answer] { wake(ticket, answer); });
  });
  return std::nullopt;
}

HixlStatus State::deliver(Engine &engine, const HixlCall &call, uint32_t number) {
  std::string name = info(call.kind).name.str();
  Engine *peer = receiverOf(engine, call.remote);
  if (!peer && wasLost(call.remote))
    return raise(HixlCase::NotifyLost, engine, call.site);
  if (!peer)
    return raise(HixlCase::NotifyNobody, engine, call.site,
                 {name, call.remote, "no engine listens any more"});
  bool isOfLink = engine.kind() == HixlEngine::CommDomain;
  std::deque<HixlNotice> &inbox = isOfLink ? peer->incoming[engine.name.text].inbox : peer->inbox;
  if (int64_t(inbox.size()) >= limit(HixlLimit::PendingNotifies))
    return raise(HixlCase::NotifyFull, engine, call.site,
                 {name, call.remote, std::to_string(inbox.size())});
  inbox.push_back(call.notice);
  effects_.arrivals.push_back({number, engine.host, peer->host, call.notice.name, now_, call.site});
  return HixlStatus::Success;
}

/// M appends to the caller's list, S replaces it, F swaps it with the queue.
Answer State::doGetNotifies(Engine &engine, const HixlCall &call) {
  if (!call.list.empty())
    raise(HixlCase::NotifiesKept, engine, call.site,
          {info(call.kind).name.str(), std::to_string(call.list.size())});
  HixlAnswer answer = ends(HixlStatus::Success);
  std::vector<HixlNotice> &out = answer.notices;
  if (engine.kind() == HixlEngine::CommDomain)
    out = call.list;
  for (auto &[name, incoming] : engine.incoming)
    llvm::append_range(out, std::exchange(incoming.inbox, {}));
  llvm::append_range(out, std::exchange(engine.inbox, {}));
  if (engine.kind() == HixlEngine::FabricMem)
    engine.inbox.assign(call.list.begin(), call.list.end());
  return answer;
}

} // namespace pto::hixl
