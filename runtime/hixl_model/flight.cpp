#include "hixl_model/state.h"

namespace pto::hixl {

int64_t State::durationOf(Engine &engine, const Link &link, const HixlCall &call) {
  HixlPath path{config_.platform, engine.kind(), link.protocol,
                crossesServers(engine.host, engines_[link.peer - 1].host),
                engine.kind() == HixlEngine::FabricMem &&
                    engine.config.number(HixlResource::AicpuUnfold) != 0};
  int64_t ps = costPs(HixlCost::Transfer);
  for (const HixlOpDesc &op : call.ops)
    ps += hixlBlockPs(path, hixlDirection(op.local.space, op.remote.space, call.op), op.bytes);
  return engine.jitter.spread(ps);
}

/// A relayed transfer holds one buffer of its receiver: when it has one. HX-XFER-13
int64_t State::waitForRelay(Engine &engine, const Link &link, const HixlCall &call,
                            int64_t takesPs) {
  Engine &peer = engines_[link.peer - 1];
  std::vector<RelayBuffer> &buffers = peer.buffers;
  buffers.resize(size_t(std::max<int64_t>(peer.config.relay.blocks, 1)));
  RelayBuffer &first = *llvm::min_element(
      buffers, [](const auto &one, const auto &other) { return one.freePs < other.freePs; });
  int64_t start = std::max(now_, first.freePs);
  if (start > now_)
    raise(HixlCase::RelayWaits, engine, call.site,
          {info(call.kind).name.str(), call.remote, std::to_string(buffers.size())}, first.site);
  first = {start + takesPs, call.site};
  return start;
}

/// Puts a request under way; M has one stream a link, so its requests follow each other.
void State::launch(Engine &engine, Link &link, Request &request, const HixlCall &call,
                   bool relays) {
  Engine &peer = engines_[link.peer - 1];
  bool isAlone = engine.kind() != HixlEngine::CommDomain;
  int64_t start = isAlone ? now_ : std::max(now_, link.freePs);
  int64_t takes = durationOf(engine, link, call);
  if (relays)
    start = std::max(start, waitForRelay(engine, link, call, takes));
  int64_t end = start + takes;
  link.freePs = end;
  link.hasTransferred = true;
  bool reaches = isAlive(engine, link) && !isCut(engine.host, peer.host);
  if (isAlive(engine, link))
    peer.incoming[engine.name.text].hasTransferred = true;
  request.beganPs = start;
  uint32_t id = request.id;
  auto armed = armed_.find(engine.host);
  bool stalls = armed != armed_.end() && armed->second == HixlFaultKind::Stall;
  reaches &= armed == armed_.end();
  if (armed != armed_.end())
    armed_.erase(armed);
  if (stalls)
    request.progress = Progress::Stuck;
  else if (reaches)
    at(end, [this, id] { arrive(id); });
  else
    at(end, [this, id] {
      if (auto found = requests_.find(id); found != requests_.end())
        failRequest(found->second);
    });
  if (request.ticket)
    request.deadline = after(call.timeoutMs * kPsPerMs, [this, id] { timeOut(id); });
}

/// Says once how a transfer went.
void State::moved(Request &request, HixlMoveEnd end) {
  if (request.beganPs < 0)
    return;
  HixlMove move{request.id, engines_[request.engine - 1].host};
  move.op = request.op;
  move.ranges = request.ops.size();
  for (const HixlOpDesc &op : request.ops) {
    move.peer = op.remote.host;
    move.bytes += op.bytes;
  }
  move.beginPs = std::min(request.beganPs, now_);
  move.endPs = now_;
  move.end = end;
  move.site = request.site;
  effects_.moves.push_back(move);
  request.beganPs = -1;
}

void State::arrive(uint32_t id) {
  auto found = requests_.find(id);
  if (found == requests_.end() || !found->second.moves())
    return;
  Request &request = found->second;
  for (const HixlOpDesc &op : request.ops) {
    bool reads = request.op == HixlOp::Read;
    if (op.bytes > 0)
      effects_.copies.push_back(
          {reads ? op.remote : op.local, reads ? op.local : op.remote, op.bytes, request.site});
  }
  request.progress = Progress::Arrived;
  moved(request, HixlMoveEnd::Arrived);
  if (request.ticket == 0)
    return;
  if (Link *link = linkOf(request); link && request.op == HixlOp::Write)
    ++link->untold;
  release(request, HixlCase::RequestReleased, request.site);
  HixlAnswer answer = ends(HixlStatus::Success);
  answer.id = id;
  wake(request.ticket, std::move(answer));
}

/// The deadline of a synchronous transfer.
void State::timeOut(uint32_t id) {
  Request &request = requests_.at(id);
  if (!request.isOpen())
    return;
  release(request, HixlCase::RequestReleased, request.site);
  transferFailed(engines_[request.engine - 1], request.remote, HixlStatus::Timeout, request.site,
                 id);
  wake(request.ticket, ends(HixlStatus::Timeout));
}

/// The device, or the way, fails under a request. What its engine makes of that differs.
void State::failRequest(Request &request) {
  if (!request.isOpen())
    return;
  moved(request, HixlMoveEnd::Failed);
  Engine &engine = engines_[request.engine - 1];
  const Link *link = linkOf(request);
  if (engine.kind() == HixlEngine::FabricMem && link) {
    std::vector<Request *> others = openOn(engine, request.serial);
    llvm::erase(others, &request);
    purge(engine, others, HixlCase::OthersKilled, request.site);
  }
  if (request.ticket) {
    release(request, HixlCase::RequestReleased, request.site);
    transferFailed(engine, request.remote, HixlStatus::Failed, request.site, request.id);
    wake(request.ticket, ends(HixlStatus::Failed));
    return;
  }
  bool onHost = link && link->isOnHost();
  bool isSeen = engine.kind() != HixlEngine::CommDomain && !onHost;
  request.progress = isSeen ? Progress::Failed : Progress::Stuck;
}

void State::purge(Engine &engine, llvm::ArrayRef<Request *> others, HixlCase why, uint32_t site) {
  if (others.empty())
    return;
  raise(why, engine, site, {"", others.front()->remote}, others.front()->site);
  for (Request *other : others) {
    release(*other, HixlCase::RequestLatched, site);
    if (other->ticket)
      wake(other->ticket, ends(HixlStatus::Failed));
  }
}

/// What the end of a transfer does to its link and to the other requests there.
void State::transferFailed(Engine &engine, const std::string &remote, HixlStatus status,
                           uint32_t site, uint32_t but) {
  auto found = engine.links.find(remote);
  if (found == engine.links.end())
    return;
  Link &link = found->second;
  std::vector<Request *> others = openOn(engine, link.serial);
  llvm::erase_if(others, [&](const Request *request) { return request->id == but; });
  std::string text = info(status).name.str();
  if (engine.config.autoConnect) {
    if (!others.empty())
      raise(HixlCase::OthersDropped, engine, site, {"", remote, text}, others.front()->site);
    endLink(engine, remote, HixlGone::Dropped, site);
    return;
  }
  if (!breaksLink(status, engine.kind()))
    return;
  if (engine.config.pool) {
    raise(HixlCase::NoBreaker, engine, site, {"", remote, text});
    return;
  }
  link.isBroken = true;
  link.brokeBy = status;
  link.brokeSite = site;
  if (engine.kind() == HixlEngine::CommDomain)
    purge(engine, others, HixlCase::OthersPurged, site);
  else
    for (Request *other : others)
      if (other->progress == Progress::Running) {
        other->progress = Progress::Failed;
        moved(*other, HixlMoveEnd::Ended);
      }
}

Link *State::linkOf(const Request &request) {
  std::map<std::string, Link> &links = engines_[request.engine - 1].links;
  auto found = links.find(request.remote);
  return found != links.end() && found->second.serial == request.serial ? &found->second : nullptr;
}

std::vector<Request *> State::openOn(const Engine &engine, uint64_t serial) {
  std::vector<Request *> open;
  for (uint32_t id : open_)
    if (Request &request = requests_.at(id);
        request.engine == engine.id && request.serial == serial)
      open.push_back(&request);
  return open;
}

} // namespace pto::hixl
