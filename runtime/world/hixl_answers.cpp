// What a program gets for the answers of HIXL, and what it does not look at.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

/// HX-REQ-12: the call that reports says SUCCESS, whatever its entries say.
void sayUnseen(World &world, uint32_t engine, uint32_t site) {
  const HixlReported &reported = world.hixl->objects[engine].reported;
  for (size_t i = 0; i != reported.entries.size(); ++i) {
    if (reported.entries[i].status != HixlTransferStatus::Failed || reported.isSeen[i])
      continue;
    HixlMisuse misuse;
    misuse.account = "HX-REQ-12";
    misuse.text = "Entry " + std::to_string(i) +
                  " of `transfer_statuses` is FAILED, and nobody has asked `reported_status` for "
                  "it: the SUCCESS of the call says nothing of its entries.";
    misuse.mend = "Look at the status of every entry that was reported.";
    misuse.site = reported.site;
    misuse.other = site == reported.site ? 0 : site;
    misuse.role = "the report is gone here";
    misuse.atPs = world.nowPs;
    reportMisuse(world, misuse);
    return;
  }
}

/// HX-NTF-07: some of what was taken was looked at, and the rest goes now. A program that only
/// counts its notifies looks at none.
static void sayUnheard(World &world, uint32_t engine, uint32_t site) {
  const HixlTaken &taken = world.hixl->objects[engine].taken;
  const auto *lost = llvm::find(taken.isHeard, false);
  if (lost == taken.isHeard.end() || !llvm::is_contained(taken.isHeard, true))
    return;
  HixlMisuse misuse;
  misuse.account = "HX-NTF-07";
  misuse.severity = Severity::Warning;
  misuse.text = "Notify `" + taken.notices[size_t(lost - taken.isHeard.begin())].name +
                "` was taken and never looked at, and is gone with this `get_notifies`: who waits "
                "for it waits in vain.";
  misuse.mend = "Look at every notify that was taken, and keep what a later wait is for.";
  misuse.site = site;
  misuse.other = taken.site == site ? 0 : taken.site;
  misuse.role = "taken here";
  misuse.atPs = world.nowPs;
  reportMisuse(world, misuse);
}

/// The answers that a later question is about.
static ScalarBits keep(World &world, const HixlCaller &caller, const HixlAnswer &answer) {
  HixlObject &object = world.hixl->objects[caller.engine];
  if (caller.verb == HixlVerb::TransferStatuses) {
    sayUnseen(world, caller.engine, caller.site);
    object.reported = {answer.requests, {}, caller.site};
    object.reported.isSeen.resize(answer.requests.size());
    return answer.requests.size();
  }
  sayUnheard(world, caller.engine, caller.site);
  object.taken = {answer.notices, {}, caller.site};
  object.taken.isHeard.resize(answer.notices.size());
  return answer.notices.size();
}

ScalarBits settleHixl(World &world, const HixlCaller &caller, const HixlAnswer &answer) {
  HixlHosts &hixl = *world.hixl;
  HixlObject &object = hixl.objects[caller.engine];
  (caller.engine ? object.status : hixl.hosts[size_t(caller.rank)].status) = answer.status;
  bool isDone = answer.status == HixlStatus::Success;
  switch (caller.verb) {
  case HixlVerb::Initialize:
    if (isDone)
      hixl.engines.add(answer.engine);
    return ScalarBits(answer.status);
  case HixlVerb::RegisterMem:
  case HixlVerb::TransferAsync: // M leaves an id behind where it refuses.
    return answer.id;
  case HixlVerb::ConnectStatus:
    return ScalarBits(answer.connection);
  case HixlVerb::ConnectEntries:
    return answer.connections.size();
  case HixlVerb::TransferStatus:
    return ScalarBits(isDone ? answer.transfer : HixlTransferStatus::Failed);
  case HixlVerb::TransferStatuses:
  case HixlVerb::GetNotifies:
    return keep(world, caller, answer);
  case HixlVerb::GetCapability:
    return ScalarBits(int64_t(answer.capability));
  default:
    return ScalarBits(answer.status);
  }
}

ScalarBits recallHixl(HixlHosts &hixl, const HixlCaller &caller, uint64_t index) {
  HixlObject &object = hixl.objects[caller.engine];
  const std::vector<std::string> &texts = hixl.hosts[size_t(caller.rank)].texts;
  HixlRequestAnswer none;
  none.status = HixlTransferStatus::Failed;
  bool isReported = index < object.reported.entries.size();
  const HixlRequestAnswer &row = isReported ? object.reported.entries[size_t(index)] : none;
  switch (caller.verb) {
  case HixlVerb::ReportedStatus:
    if (isReported)
      object.reported.isSeen[size_t(index)] = true;
    return ScalarBits(row.status);
  case HixlVerb::ReportedData:
    return row.userData;
  case HixlVerb::ReportedRequest:
    return row.request;
  case HixlVerb::NotifyIs:
    if (index >= object.taken.notices.size() || texts.size() != 2)
      return 0;
    object.taken.isHeard[size_t(index)] = true;
    return object.taken.notices[size_t(index)] == HixlNotice{texts[0], texts[1]};
  default:
    return 0;
  }
}

void checkHixlAccess(World &world, const Request &request, int32_t rank, bool writes) {
  const View &view = request.views[0];
  if (view.space != Space::Gm)
    return;
  HixlHosts &hixl = *world.hixl;
  HixlPlace place = hixlPlace(world, view);
  if (!hixl.cluster.isMoving(place, bytes(view), writes))
    return;
  hixl.cluster.access(place, bytes(view), writes, hixlSite(hixl, request, rank));
  followHixl(world);
}

} // namespace pto
