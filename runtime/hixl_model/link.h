//===- link.h - registered ranges, and links over them ----------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_LINK_H
#define PTO_HIXL_MODEL_LINK_H

#include "hixl/match.h"
#include "hixl_model/call.h"

#include <deque>

namespace pto::hixl {

/// A registered range. The list of an engine keeps those that are gone, for what is said of them.
struct Region {
  uint32_t handle = 0;
  HixlMemType type = HixlMemType::Device;
  HixlPlace at;
  int64_t bytes = 0;
  uint32_t site = 0;
  uint32_t endSite = 0; ///< Of its deregister_mem.
  bool isLive = true;
};
using Regions = std::vector<Region>;

/// The hull of what a batch touches in one memory.
struct Box {
  HixlPlace at;
  int64_t bytes = 0;
  bool writes = false;
};
using Boxes = std::vector<Box>;

/// From the engine that has it to a peer. What it may touch was fixed when it was made.
struct Link {
  uint32_t peer = 0;
  uint64_t serial = 0; ///< Of the run; a link that is made again has another one.
  uint32_t site = 0;
  bool isImplicit = false; ///< A transfer made it.
  bool isBroken = false;
  HixlStatus brokeBy = HixlStatus::Success;
  uint32_t brokeSite = 0;
  bool hasTransferred = false; ///< Since the last eviction.
  int64_t untold = 0;          ///< Writes that were seen COMPLETED, less the notifies since then.
  int64_t upPs = 0;
  int64_t freePs = 0; ///< When the last transfer of its stream has ended; of M.
  Regions local;
  Regions remote;
  HixlMatch match;
  HixlDirections carries;
  HixlProtocol protocol = HixlProtocol::Hccs;

  /// Through the NIC of the host, whose failures nobody hears of.
  [[nodiscard]] bool isOnHost() const {
    return protocol == HixlProtocol::Roce && !match.links.empty() &&
           match.links.front().local == HixlMemType::Host;
  }
};
/// The same link, at the engine that it leads to.
struct Incoming {
  uint32_t client = 0;
  uint64_t serial = 0;
  uint32_t site = 0;
  bool hasTransferred = false;  ///< Since the last eviction of this side.
  std::deque<HixlNotice> inbox; ///< Of M.
};
struct Gone {
  HixlGone why = HixlGone::Disconnected;
  uint32_t site = 0;
};

} // namespace pto::hixl

#endif
