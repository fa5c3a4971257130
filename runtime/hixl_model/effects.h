//===- effects.h - what HIXL does to the rest of a run ----------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_EFFECTS_H
#define PTO_HIXL_MODEL_EFFECTS_H

#include "hixl_model/call.h"

namespace pto {

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
