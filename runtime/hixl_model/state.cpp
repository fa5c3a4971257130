#include "hixl_model/state.h"

#include "base/check.h"

namespace pto {

HixlCluster::HixlCluster(const HixlClusterConfig &config)
    : state_(std::make_unique<hixl::State>(config)) {}
HixlCluster::~HixlCluster() = default;
uint32_t HixlCluster::addEngine(int32_t host) { return state_->addEngine(host); }
std::optional<HixlAnswer> HixlCluster::call(const HixlCall &call, int64_t nowPs) {
  return state_->call(call, nowPs);
}
std::optional<int64_t> HixlCluster::nextPs() const { return state_->nextPs(); }
void HixlCluster::advance(int64_t nowPs) { state_->advance(nowPs); }
bool HixlCluster::isMoving(const HixlPlace &place, int64_t bytes, bool writes) const {
  return state_->mover({place, bytes, writes}) != nullptr;
}
void HixlCluster::access(const HixlPlace &place, int64_t bytes, bool writes, uint32_t site) {
  state_->access({place, bytes, writes}, site);
}
void HixlCluster::fault(const HixlFault &fault) { state_->fault(fault); }
void HixlCluster::finish(int64_t nowPs) { state_->finish(nowPs); }
HixlEffects HixlCluster::take() { return state_->take(); }

} // namespace pto

namespace pto::hixl {

State::State(const HixlClusterConfig &config) : Data(config) {}

/// Away from the streams of other rooms.
static constexpr uint64_t kJitterStream = uint64_t(0x48584c) << 32;

uint32_t State::addEngine(int32_t host) {
  Engine &engine = engines_.emplace_back();
  engine.id = uint32_t(engines_.size());
  engine.host = host;
  engine.jitter = Jitter(config_.seed, kJitterStream + engine.id);
  return engine.id;
}

//===--- Time --------------------------------------------------------------------===//

DeedKey State::at(int64_t ps, Deed deed) {
  DeedKey key(std::max(ps, now_), sequence_++);
  deeds_.emplace(key, std::move(deed));
  return key;
}

std::optional<int64_t> State::nextPs() const {
  if (deeds_.empty())
    return std::nullopt;
  return deeds_.begin()->first.first;
}

void State::advance(int64_t nowPs) {
  while (!deeds_.empty() && deeds_.begin()->first.first <= nowPs) {
    now_ = deeds_.begin()->first.first;
    Deed deed = std::move(deeds_.begin()->second);
    deeds_.erase(deeds_.begin());
    deed();
    sweep();
  }
  now_ = std::max(now_, nowPs);
}

//===--- Calls -------------------------------------------------------------------===//

Answer State::call(const HixlCall &call, int64_t nowPs) {
  advance(nowPs);
  PTO_CHECK(call.engine > 0 && call.engine <= engines_.size(), "a call of an engine never added");
  using Handler = Answer (State::*)(Engine &, const HixlCall &);
  static constexpr Handler kHandlers[] = {
#define PTO_HIXL_CALL(Enum, ...) &State::do##Enum,
#include "hixl/call.def"
  };
  sweep();
  Engine &engine = engines_[call.engine - 1];
  if (Answer answer = facade(engine, call))
    return answer;
  return (this->*kHandlers[size_t(call.kind)])(engine, call);
}

HixlAnswer State::ends(HixlStatus status) {
  HixlAnswer answer;
  answer.status = status;
  answer.tookPs = costPs(HixlCost::Call);
  answer.transfer =
      status == HixlStatus::Success ? HixlTransferStatus::Waiting : HixlTransferStatus::Failed;
  return answer;
}

uint32_t State::park(const HixlCall &call) {
  parked_[++tickets_] = {call, engines_[call.engine - 1].host};
  return tickets_;
}

void State::wake(uint32_t ticket, HixlAnswer answer) {
  auto found = parked_.find(ticket);
  if (found == parked_.end())
    return;
  const auto &[call, host] = found->second;
  effects_.wakes.push_back({host, call.agent, call.site, now_, std::move(answer)});
  parked_.erase(found);
}

/// What the facade looks at before any engine does, in its order.
Answer State::facade(Engine &engine, const HixlCall &call) {
  using enum HixlCallKind;
  const HixlCallInfo &row = info(call.kind);
  std::string name = row.name.str();
  if (HixlCase which = row.in[size_t(HixlLinkage::Down)];
      !engine.isReady() && which != HixlCase::Fine) {
    if (engine.life == Life::Finalized)
      which = HixlCase::NotReadyFinalized;
    if (engine.life == Life::Refused)
      which = HixlCase::NotReadyFailed;
    return ends(
        raise(which, engine, call.site, {name, info(engine.refusedBy).name.str()}, engine.site));
  }
  auto tooLong = [&](HixlCase which, const std::string &text) -> Answer {
    int64_t most = limit(HixlLimit::NotifyBytes);
    if (call.kind != SendNotify || int64_t(text.size()) <= most)
      return std::nullopt;
    return ends(
        raise(which, engine, call.site, {name, std::to_string(text.size()), std::to_string(most)}));
  };
  if (Answer answer = tooLong(HixlCase::NameLong, call.notice.name))
    return answer;
  if (row.isTimed && call.timeoutMs <= 0) {
    Words words = {name, std::to_string(call.timeoutMs)};
    return ends(raise(timeoutCase(call.kind), engine, call.site, words));
  }
  return tooLong(HixlCase::MessageLong, call.notice.message);
}

HixlLinkage State::linkageOf(const Engine &engine, const std::string &remote) const {
  if (!engine.isReady())
    return HixlLinkage::Down;
  HixlLinkage linkage = HixlLinkage::Ready;
  for (const auto &[name, link] : engine.links) {
    if (!remote.empty() && name != remote)
      continue;
    linkage = std::max(linkage, HixlLinkage::Linked);
    for (uint32_t id : open_)
      if (requests_.at(id).serial == link.serial)
        linkage = HixlLinkage::Busy;
  }
  return linkage;
}

/// Finds the call's state in its row; an answer: it ends here.
Answer State::gate(Engine &engine, const HixlCall &call) {
  std::string remote = call.kind == HixlCallKind::Initialize ? "" : call.remote;
  HixlLinkage linkage = linkageOf(engine, remote);
  HixlCase which = info(call.kind).in[size_t(linkage)];
  if (which == HixlCase::Fine)
    return std::nullopt;
  Words words = {info(call.kind).name.str(), remote, ""};
  uint32_t other = 0;
  if (which == HixlCase::SecondInitialize) {
    words[1] = engine.name.text;
    other = engine.site;
  } else if (linkage == HixlLinkage::Ready) {
    which = missing(engine, call, other, words);
  } else {
    const auto &[name, link] = remote.empty() ? *engine.links.begin() : *engine.links.find(remote);
    words[1] = name;
    other = link.site;
    if (which == HixlCase::AlreadyUp && link.isImplicit)
      which = HixlCase::AlreadyImplicit;
  }
  HixlStatus status = raise(which, engine, call.site, words, other);
  if (status == HixlStatus::Success)
    return std::nullopt;
  return ends(status);
}

/// Why there is no link, so far as it is known.
HixlCase State::missing(const Engine &engine, const HixlCall &call, uint32_t &other, Words &words) {
  using enum HixlCallKind;
  HixlCase which = info(call.kind).in[size_t(HixlLinkage::Ready)];
  if (which == HixlCase::BatchQuery)
    return which;
  bool transfers = call.kind == TransferSync || call.kind == TransferAsync;
  auto entry = engine.async.find(call.remote);
  if (transfers && entry != engine.async.end()) {
    other = entry->second.site;
    words[2] = hixlConnectStatuses()[size_t(entry->second.status)].name.str();
    if (entry->second.status == HixlConnectStatus::ConnectFailed)
      return HixlCase::NoLinkFailed;
    if (entry->second.status != HixlConnectStatus::Connected)
      return HixlCase::NoLinkPending;
  }
  if (auto gone = engine.gone.find(call.remote); gone != engine.gone.end()) {
    other = gone->second.site;
    words[2] = textOf(gone->second.why).str();
    if (gone->second.why == HixlGone::Evicted)
      return call.kind == Disconnect ? HixlCase::EndAfterEviction : HixlCase::NoLinkEvicted;
    return which;
  }
  if (auto back = engine.incoming.find(call.remote); transfers && back != engine.incoming.end()) {
    other = back->second.site;
    return HixlCase::NoLinkOneWay;
  }
  return which;
}

//===--- Findings ----------------------------------------------------------------===//

/// "engine S, linked: the call ends in FAILED"
std::string State::stateText(const Engine &engine, HixlStatus status) const {
  std::string text;
  if (engine.isReady())
    text = ("engine " + info(engine.kind()).letter + ", ").str();
  text += engine.life == Life::Finalized ? "finalised" : name(linkageOf(engine, "")).str();
  if (status != HixlStatus::Success)
    text += (": the call ends in " + info(status).name).str();
  return text;
}

HixlStatus State::raise(HixlCase which, const Engine &engine, uint32_t site, const Words &words,
                        uint32_t other) {
  HixlStatus status = info(which).on[size_t(engine.kind())].status;
  if (std::optional<HixlSaying> said = sayingOf(which, engine.kind(), words))
    record({said->account.str(), said->severity, said->text, said->mend, site, other,
            other ? said->role : "", now_, stateText(engine, status)});
  return status;
}

void State::raiseFault(const OptionFault &fault, uint32_t site, uint32_t other,
                       llvm::StringRef role) {
  record({fault.account.str(), fault.isError ? Severity::Error : Severity::Warning, fault.text,
          fault.mend, site, other, other ? role.str() : "", now_,
          fault.status == HixlStatus::Success
              ? ""
              : ("the call ends in " + info(fault.status).name).str(),
          true});
}

/// One cause is told once, however often its two places meet.
void State::record(HixlMisuse misuse) {
  if (said_.emplace(misuse.account, misuse.site, misuse.other).second)
    effects_.misuses.push_back(std::move(misuse));
}

} // namespace pto::hixl
