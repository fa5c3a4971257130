#include "hixl_model/state.h"

namespace pto::hixl {

Request &State::newRequest(Engine &engine, uint32_t site) {
  Request &request = requests_[++issued_];
  request.id = issued_;
  request.engine = engine.id;
  request.site = site;
  open_.insert(request.id);
  return request;
}

/// What stays of a request is what a later query is told.
void State::release(Request &request, HixlCase ended, uint32_t site, llvm::StringRef text) {
  moved(request, HixlMoveEnd::Ended);
  request.ended = ended;
  request.endSite = site;
  request.endText = text.str();
  open_.erase(request.id);
  deeds_.erase(request.deadline);
  closed_.push_back(request.id);
}

/// A run may have millions of requests: nobody can ask for a synchronous one, and of the others the
/// latest are remembered. Not done at once, since who releases a request still holds it.
void State::sweep() {
  constexpr size_t kMost = 1 << 16;
  for (uint32_t id : std::exchange(closed_, {})) {
    auto found = requests_.find(id);
    if (found == requests_.end())
      continue;
    Request &request = found->second;
    if (request.ticket) {
      requests_.erase(found);
      continue;
    }
    request.ops = {};
    request.boxes = {};
    remembered_.push_back(id);
    if (remembered_.size() > kMost) {
      requests_.erase(remembered_.front());
      remembered_.pop_front();
    }
  }
}

/// Looks at an open request; an end releases it.
HixlTransferStatus State::poll(Request &request, HixlCase released, uint32_t site) {
  ++request.queries;
  if (request.progress == Progress::Running || request.progress == Progress::Stuck)
    return HixlTransferStatus::Waiting;
  bool isDone = request.progress == Progress::Arrived;
  if (Link *link = linkOf(request); link && isDone && request.op == HixlOp::Write)
    ++link->untold;
  release(request, released, site, isDone ? "COMPLETED" : "FAILED");
  return isDone ? HixlTransferStatus::Completed : HixlTransferStatus::Failed;
}

Answer State::doGetTransferStatus(Engine &engine, const HixlCall &call) {
  std::string name = info(call.kind).name.str();
  if (call.request == 0)
    return ends(raise(HixlCase::RequestNull, engine, call.site, {name}));
  auto found = requests_.find(call.request);
  Request *request = found != requests_.end() ? &found->second : nullptr;
  if (!request && call.request <= issued_) // So long ago that nobody remembers.
    return ends(raise(HixlCase::RequestReleased, engine, call.site, {name, "its end"}));
  if (!request || request->engine != engine.id || request->ticket)
    return ends(
        raise(HixlCase::RequestForeign, engine, call.site, {name}, request ? request->site : 0));
  HixlAnswer answer = ends(HixlStatus::Success);
  if (!request->isOpen()) {
    bool namesRemote = request->ended == HixlCase::RequestUnlinked;
    answer =
        ends(raise(request->ended, engine, call.site,
                   {name, namesRemote ? request->remote : request->endText}, request->endSite));
    answer.transfer = HixlTransferStatus::Failed;
    return answer;
  }
  answer.transfer = poll(*request, HixlCase::RequestReleased, call.site);
  bool isFailed = answer.transfer == HixlTransferStatus::Failed;
  if (isFailed && engine.kind() != HixlEngine::CommDomain)
    transferFailed(engine, request->remote, HixlStatus::Failed, request->site, request->id);
  return answer;
}

/// Of S: requests in the order in which they were submitted.
Answer State::doGetTransferStatuses(Engine &engine, const HixlCall &call) {
  if (Answer answer = gate(engine, call))
    return answer;
  HixlAnswer answer = ends(HixlStatus::Success);
  if (call.maxQueries == 0)
    raise(HixlCase::BatchNone, engine, call.site, {info(call.kind).name.str()});
  std::vector<Request *> failed;
  for (uint32_t id : std::vector<uint32_t>(open_.begin(), open_.end())) {
    Request &request = requests_.at(id);
    if (answer.requests.size() >= call.maxQueries)
      break;
    if (request.engine != engine.id || request.ticket)
      continue;
    HixlTransferStatus status = poll(request, HixlCase::RequestTaken, call.site);
    if (status == HixlTransferStatus::Waiting && call.skipsWaiting)
      continue;
    answer.requests.push_back({request.id, status, request.userData});
    if (status != HixlTransferStatus::Failed)
      continue;
    failed.push_back(&request);
    for (Request *other : openOn(engine, request.serial))
      if (other->progress != Progress::Arrived) {
        other->progress = Progress::Failed;
        moved(*other, HixlMoveEnd::Ended);
      }
  }
  for (Request *request : failed)
    transferFailed(engine, request->remote, HixlStatus::Failed, request->site, request->id);
  return answer;
}

} // namespace pto::hixl
