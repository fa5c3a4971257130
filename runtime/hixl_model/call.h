//===- call.h - what a host asks of HIXL, and what comes back ---*- C++ -*-===//
//
// Addresses are ranges of a host's memory: nobody here touches their bytes.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_MODEL_CALL_H
#define PTO_HIXL_MODEL_CALL_H

#include "hixl/states.h"

#include <limits>
#include <string>
#include <vector>

namespace pto {

/// An address; a negative offset is a null one.
struct HixlPlace {
  int32_t host = 0;
  HixlMemType space = HixlMemType::Device;
  int64_t offset = -1;

  [[nodiscard]] bool isNull() const { return offset < 0; }
};
struct HixlOpDesc {
  HixlPlace local;
  HixlPlace remote;
  int64_t bytes = 0;
};
struct HixlNotice {
  std::string name;
  std::string message;
  bool operator==(const HixlNotice &) const = default;
};

/// One call; each kind reads its own fields.
struct HixlCall {
  HixlCallKind kind = HixlCallKind::Initialize;
  uint32_t engine = 0; ///< Of addEngine.
  uint32_t site = 0;   ///< Opaque: of the program.
  uint32_t agent = 0;  ///< Opaque: who waits for the end.
  std::string remote;  ///< The name of the engine at the far side; for Initialize its own.
  int64_t timeoutMs = 1000;
  std::vector<std::pair<std::string, std::string>> options;
  HixlPlace place; ///< RegisterMem
  int64_t bytes = 0;
  HixlMemType memType = HixlMemType::Device; ///< As the call says it.
  uint32_t handle = 0;                       ///< 0: null.
  HixlOp op = HixlOp::Read;
  std::vector<HixlOpDesc> ops;
  uint64_t userData = 0;
  uint32_t request = 0; ///< 0: null.
  uint32_t maxQueries = std::numeric_limits<uint32_t>::max();
  bool skipsWaiting = false;
  HixlNotice notice;
  std::vector<HixlNotice> list; ///< What GetNotifies finds in its output.
  int64_t feature = 0;
};

struct HixlRequestAnswer {
  uint32_t request = 0;
  HixlTransferStatus status = HixlTransferStatus::Waiting;
  uint64_t userData = 0;
};
struct HixlAnswer {
  HixlStatus status = HixlStatus::Success;
  int64_t tookPs = 0;
  HixlEngine engine = HixlEngine::CommDomain; ///< That `initialize` chose.
  uint32_t id = 0;                            ///< A handle, a request, or the number of a notify.
  int32_t capability = 0;
  HixlTransferStatus transfer = HixlTransferStatus::Waiting;
  HixlConnectStatus connection = HixlConnectStatus::NotConnect;
  std::vector<HixlRequestAnswer> requests;
  std::vector<std::pair<std::string, HixlConnectStatus>> connections;
  std::vector<HixlNotice> notices;
};

/// The end of a call that blocked.
struct HixlWake {
  int32_t host = 0;
  uint32_t agent = 0;
  uint32_t site = 0;
  int64_t atPs = 0;
  HixlAnswer answer;
};
/// Bytes that move now.
struct HixlCopy {
  HixlPlace from;
  HixlPlace to;
  int64_t bytes = 0;
  uint32_t site = 0; ///< Of the transfer.
};
/// A call that is illegal or doubtful; it has had its answer all the same.
struct HixlMisuse {
  std::string account; ///< "HX-CON-06"
  Severity severity = Severity::Error;
  std::string text; ///< Sentences, as `mend` is.
  std::string mend;
  uint32_t site = 0;
  uint32_t other = 0; ///< The call that made the state; 0: none.
  std::string role;   ///< Of the other site.
  int64_t atPs = 0;
  std::string state;        ///< Of the engine, and what the call returns: "engine S, linked: …".
  bool isOfOptions = false; ///< Of what `initialize` was given, here or at the other end.
};
/// How a transfer that was under way went.
enum class HixlMoveEnd : uint8_t {
  Arrived,
  Failed, ///< Its device, or the way.
  Ended,  ///< With its link, or by its deadline.
};
struct HixlMove {
  uint32_t request = 0;
  int32_t host = 0;
  int32_t peer = 0;
  HixlOp op = HixlOp::Read;
  size_t ranges = 0;
  int64_t bytes = 0;
  int64_t beginPs = 0;
  int64_t endPs = 0;
  HixlMoveEnd end = HixlMoveEnd::Arrived;
  uint32_t site = 0;
};
/// A notify that is in its receiver's queue.
struct HixlArrival {
  uint32_t number = 0; ///< Of the notify, in the answer of its call too.
  int32_t from = 0;
  int32_t to = 0;
  std::string name;
  int64_t atPs = 0;
  uint32_t site = 0;
};

enum class HixlFaultKind : uint8_t {
  Link,     ///< No bytes and no messages between two hosts, until it heals.
  Host,     ///< The host is gone, without a word.
  Transfer, ///< What the host has under way, or submits next, fails.
  Stall,    ///< What the host submits next never ends.
};
struct HixlFault {
  HixlFaultKind kind = HixlFaultKind::Link;
  int32_t from = 0;
  int32_t to = 0; ///< Of a link.
  int64_t atPs = 0;
  int64_t untilPs = 0; ///< Of a link; 0: it never heals.
};

struct HixlEffects {
  std::vector<HixlCopy> copies;
  std::vector<HixlWake> wakes;
  std::vector<HixlMisuse> misuses;
  // For a trace alone:
  std::vector<HixlMove> moves;
  std::vector<HixlArrival> arrivals;
  std::vector<HixlFault> faults; ///< That happened now.
};

} // namespace pto

#endif
