// Queries of requests, and calls that come while one is under way.

#include "flow/hixl_checks.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using enum HixlCallKind;

static Judgement judgeEnded(const HixlAct &act, const RequestState &request) {
  if (request.is == Quest::Refused)
    return wrong(act, HixlCase::RequestNull);
  auto is = judge(request.is, Quest::Told | Quest::Taken | Quest::Unlinked, Quest::Open);
  if (request.is & Quest::Unlinked)
    return judged(is, wrong(act, HixlCase::RequestUnlinked, request.remote.value_or("its remote"),
                            "", request.ended));
  std::string answer = "its end";
  if (request.answer >= 0)
    answer = hixlTransferStatuses()[size_t(request.answer)].name.str();
  HixlCase which = request.is & Quest::Told ? HixlCase::RequestReleased : HixlCase::RequestTaken;
  return judged(is, wrong(act, which, answer, "", request.ended));
}

static Judgement judgeQuery(const HixlAct &act) {
  Value handle = act.value("request");
  if (handle == Value::of(0))
    return wrong(act, HixlCase::RequestNull);
  if (handle.kind != Value::Kind::Request)
    return {};
  auto request = act.state.requests.find(ThingId(handle.number));
  if (request == act.state.requests.end())
    return {};
  if (request->second.engine != act.id)
    return judged(judge(request->second.is, Quest::Any & ~Quest::Refused, 0),
                  wrong(act, HixlCase::RequestForeign, "", "", request->second.call));
  return judgeEnded(act, request->second);
}

static Judgement judgeBatchQuery(const HixlAct &act) { return wrong(act, HixlCase::BatchQuery); }

//===--- Requests that a call comes too early for ------------------------------------===//

/// By what the request may be; one that was refused is no witness.
static Judgement judgeRequest(const HixlAct &act, HixlCase which, Bits bad,
                              const RequestState &request) {
  Bits fine = Quest::Any & ~(bad | Quest::Refused);
  std::string remote = request.remote.value_or(act.remoteText);
  return judged(judge(request.is, bad, fine), wrong(act, which, remote, "", request.call));
}

static Judgement judgeNotify(const HixlAct &act, const RequestState &request) {
  if (!act.remote || request.remote != act.remote || request.op != HixlOp::Write)
    return {};
  // It may be about a write that has been told its end; the run counts them.
  for (const auto &[id, other] : act.state.requests)
    if (other.remote == act.remote && other.op == HixlOp::Write &&
        other.is & (Quest::Told | Quest::Taken))
      return {};
  return judgeRequest(act, HixlCase::NotifyEarly, Quest::Open, request);
}

static Judgement judgeAbandoned(const HixlAct &act, const RequestState &request) {
  if (act.kind == Disconnect && (!act.remote || request.remote != act.remote))
    return {};
  return judgeRequest(act, HixlCase::NeverPolled, Quest::Fresh, request);
}

/// What `finalize` finds for sure; a channel pool may have ended any link.
static Judgement judgeLeftBehind(const HixlAct &act) {
  size_t links = 0, requests = 0, regions = 0;
  const Expr *first = nullptr;
  bool isFine = true;
  auto count = [&](size_t &of, Judgement::Is is, const Expr *call) {
    isFine &= is != Judgement::Is::Neutral;
    if (is != Judgement::Is::Wrong)
      return;
    ++of;
    first = first ? first : call;
  };
  for (const auto &[remote, link] : act.engine->links)
    if (!act.engine->facts->options.config.pool && !link.asked)
      count(links, judge(link.is, Tie::Up, Tie::Down), link.since);
  for (const auto &[id, request] : act.state.requests)
    if (request.engine == act.id)
      count(requests,
            judge(request.is, Quest::Asked, Quest::Any & ~(Quest::Asked | Quest::Refused)),
            request.call);
  for (const auto &[id, region] : act.engine->regions)
    count(regions, judge(region.is, Hold::Live, Hold::Gone), region.call);
  std::string left = hixlLeftBehind(links, requests, regions);
  Judgement found = wrong(act, HixlCase::FinalizeLinked, left, "", first);
  return left.empty() ? judged(isFine ? Judgement::Is::Fine : Judgement::Is::Neutral, found)
                      : found;
}

//===--- Memory that is in use -------------------------------------------------------===//

static const RegionState *regionOf(const HixlAct &act) {
  Value handle = act.value("mem");
  if (handle.kind != Value::Kind::Mem)
    return nullptr;
  auto found = act.engine->regions.find(ThingId(handle.number));
  return found == act.engine->regions.end() ? nullptr : &found->second;
}

static Judgement judgeNullMem(const HixlAct &act) {
  Value handle = act.value("mem");
  const RegionState *region = regionOf(act);
  bool isNull = handle == Value::of(0) || (region && region->is == Hold::Refused);
  return isNull ? wrong(act, HixlCase::DeregisterNull) : Judgement();
}

static bool uses(const RequestState &request, const ByteRange &range) {
  return llvm::any_of(request.touches, [&](const Touched &touch) {
    const ByteRange &used = touch.range;
    return !used.peer && used.isPeerKnown && used.object >= 0 && used.object == range.object &&
           (range.isWhole || used.isWhole || used.overlaps(range));
  });
}

static Judgement judgeBusy(const HixlAct &act, const RequestState &request) {
  const RegionState *region = regionOf(act);
  if (!region || region->is & Hold::Gone || !uses(request, region->range))
    return {};
  Judgement busy = judgeRequest(act, HixlCase::DeregisterBusy, Quest::Open, request);
  busy.words[0] = "a range";
  return busy;
}

static Judgement judgeLinkedMemory(const HixlAct &act) {
  const RegionState *region = regionOf(act);
  if (!region || region->is & Hold::Gone || act.engine->facts->options.config.pool)
    return {};
  using enum Judgement::Is;
  Judgement found;
  for (const auto &[remote, link] : act.engine->links) {
    auto is = link.asked ? Fine : judge(link.is, Tie::Up, Tie::Down);
    if (is != Fine && found.is != Wrong)
      found = judged(is, wrong(act, HixlCase::DeregisterLinked, remote, "", link.since));
  }
  return found;
}

llvm::ArrayRef<HixlCheck> hixlRequestChecks() {
  static constexpr HixlCheck kChecks[] = {
      {callsOf(GetTransferStatus), judgeQuery},
      {callsOf(GetTransferStatuses), judgeBatchQuery},
      {callsOf(SendNotify), nullptr, judgeNotify},
      {callsOf(Disconnect, Finalize), nullptr, judgeAbandoned},
      {callsOf(Finalize), judgeLeftBehind},
      {callsOf(DeregisterMem), judgeNullMem},
      {callsOf(DeregisterMem), nullptr, judgeBusy},
      {callsOf(DeregisterMem), judgeLinkedMemory},
  };
  return kChecks;
}

} // namespace pto::flow_detail
