// What HIXL adds to a trace: calls on the line of their host, transfers on lines to their peers,
// notifies where they arrive, and the faults of the test.

#include "world/parts.h"

#include "base/check.h"

#include "llvm/Support/FormatVariadic.h"

namespace pto {

/// Arrows of posts are numbered from 1, those of HIXL far above them.
static constexpr uint64_t kRequests = uint64_t(1) << 40, kNotices = uint64_t(2) << 40;

static int64_t bytesOf(const HixlCall &call) {
  int64_t bytes = 0;
  for (const HixlOpDesc &op : call.ops)
    bytes += op.bytes;
  return bytes;
}

std::string hixlCallText(const HixlCall &call) {
  std::string text = info(call.kind).name.str();
  switch (call.kind) {
  case HixlCallKind::TransferSync:
  case HixlCallKind::TransferAsync:
    text += llvm::formatv(" {0} of {1} bytes in {2} ranges", hixlOps()[size_t(call.op)].name,
                          bytesOf(call), call.ops.size())
                .str();
    break;
  case HixlCallKind::SendNotify:
    text += " `" + call.notice.name + "`";
    break;
  case HixlCallKind::GetTransferStatus:
    return text + " of #" + std::to_string(call.request);
  default:
    break;
  }
  return call.remote.empty() ? text : text + ", \"" + call.remote + "\"";
}

/// A query that has nothing new to tell; a loop of them would bury all else.
static bool isIdle(HixlVerb verb, const HixlAnswer &answer) {
  switch (verb) {
  case HixlVerb::TransferStatus:
    return answer.status == HixlStatus::Success && answer.transfer == HixlTransferStatus::Waiting;
  case HixlVerb::TransferStatuses:
    return answer.requests.empty();
  case HixlVerb::GetNotifies:
    return answer.notices.empty();
  case HixlVerb::ConnectEntries:
    return true;
  case HixlVerb::ConnectStatus:
    return answer.connection != HixlConnectStatus::Connected &&
           answer.connection != HixlConnectStatus::ConnectFailed;
  default:
    return false;
  }
}

static std::string answerText(HixlVerb verb, const HixlAnswer &answer) {
  std::string text = info(answer.status).name.str();
  switch (verb) {
  case HixlVerb::Initialize:
    return text + ", " + info(answer.engine).name.str();
  case HixlVerb::TransferAsync:
    return answer.id ? text + ", #" + std::to_string(answer.id) : text;
  case HixlVerb::TransferStatus:
    return hixlTransferStatuses()[size_t(answer.transfer)].name.str();
  case HixlVerb::TransferStatuses:
    return std::to_string(answer.requests.size()) + " reported";
  case HixlVerb::GetNotifies:
    return std::to_string(answer.notices.size()) + " taken";
  case HixlVerb::ConnectStatus:
    return hixlConnectStatuses()[size_t(answer.connection)].name.str();
  default:
    return text;
  }
}

static uint64_t arrowOf(HixlVerb verb, const HixlAnswer &answer) {
  if (answer.status != HixlStatus::Success || answer.id == 0)
    return 0;
  if (verb == HixlVerb::SendNotify)
    return kNotices + answer.id;
  bool transfers = verb == HixlVerb::TransferAsync || verb == HixlVerb::TransferSync;
  return transfers ? kRequests + answer.id : 0;
}

void traceHixlCall(World &world, const HixlCaller &caller, const HixlAnswer &answer,
                   int64_t endPs) {
  if (!world.trace.isOn() || isIdle(caller.verb, answer))
    return;
  world.trace.add({.kind = EventKind::HixlCall,
                   .rank = caller.rank,
                   .timePs = endPs,
                   .startPs = caller.beganPs,
                   .operation = arrowOf(caller.verb, answer),
                   .text = caller.what + ": " + answerText(caller.verb, answer),
                   .title = llvm::StringRef(caller.what)
                                .take_until([](char c) { return c == ' ' || c == ','; })
                                .str(),
                   .place = world.hixl->sites[caller.site].place});
}

static std::string faultText(const HixlFault &fault) {
  switch (fault.kind) {
  case HixlFaultKind::Link:
    return llvm::formatv("the link {0}->{1} is cut", fault.from, fault.to).str();
  case HixlFaultKind::Host:
    return "host " + std::to_string(fault.from) + " is lost";
  case HixlFaultKind::Transfer:
    return "a transfer of host " + std::to_string(fault.from) + " fails";
  case HixlFaultKind::Stall:
    return "a transfer of host " + std::to_string(fault.from) + " never ends";
  }
  PTO_UNREACHABLE("a fault of no kind");
}

static void traceMove(World &world, const HixlMove &move) {
  static constexpr llvm::StringLiteral kEnds[] = {"", " failed", " ended with its link"};
  std::string text = hixlOps()[size_t(move.op)].name.str() + " #" + std::to_string(move.request) +
                     kEnds[size_t(move.end)].str();
  world.trace.add({.kind = EventKind::HixlMove,
                   .lane = Lane::HIXL,
                   .rank = move.host,
                   .index = move.peer,
                   .timePs = move.endPs,
                   .startPs = move.beginPs,
                   .operation = kRequests + move.request,
                   .peer = move.peer,
                   .bytes = move.bytes,
                   .text = text,
                   .title = text,
                   .place = world.hixl->sites[move.site].place});
}

void traceHixl(World &world, const HixlEffects &effects) {
  if (!world.trace.isOn())
    return;
  for (const HixlMove &move : effects.moves)
    traceMove(world, move);
  for (const HixlArrival &arrival : effects.arrivals)
    world.trace.add({.kind = EventKind::HixlNotify,
                     .rank = arrival.to,
                     .timePs = arrival.atPs,
                     .operation = kNotices + arrival.number,
                     .peer = arrival.from,
                     .text = arrival.name,
                     .title = "notify `" + arrival.name + "`",
                     .place = world.hixl->sites[arrival.site].place});
  for (const HixlFault &fault : effects.faults)
    world.trace.add({.kind = EventKind::HixlFault,
                     .rank = fault.from,
                     .timePs = std::max(fault.atPs, fault.untilPs),
                     .startPs = fault.untilPs > fault.atPs ? fault.atPs : -1,
                     .text = faultText(fault),
                     .title = faultText(fault)});
}

} // namespace pto
