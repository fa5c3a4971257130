//===- cluster.h - HIXL on all hosts of a run -------------------*- C++ -*-===//
//
// Every engine of every simulated host, in virtual time. The world calls; a call is answered at
// once, or its end comes later from advance(). What that does to memory and to blocked callers, and
// what is wrong with the program, is taken out as effects.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_MODEL_CLUSTER_H
#define PTO_HIXL_MODEL_CLUSTER_H

#include "hixl/options.h"
#include "hixl_model/effects.h"

#include <memory>

namespace pto {

namespace hixl {
class State;
} // namespace hixl

struct HixlClusterConfig {
  Platform platform = Platform::A3;
  uint64_t seed = 0;
  int32_t hosts = 2;
  int32_t hostsPerServer = 0;    ///< Devices that share a server; 0: all.
  int32_t interconnect = 0;      ///< Of 950, for endpoint lists that nobody wrote.
  HixlSurroundings surroundings; ///< What it refers to outlives the cluster.
};

class HixlCluster {
public:
  explicit HixlCluster(const HixlClusterConfig &config);
  ~HixlCluster();
  HixlCluster(const HixlCluster &) = delete;
  HixlCluster &operator=(const HixlCluster &) = delete;

  /// A `Hixl` object of a host; its kind is decided by `initialize`.
  [[nodiscard]] uint32_t addEngine(int32_t host);
  /// Absent: the caller is blocked until a wake names its agent. Time never goes back.
  [[nodiscard]] std::optional<HixlAnswer> call(const HixlCall &call, int64_t nowPs);
  /// When something happens next by itself; absent: never.
  [[nodiscard]] std::optional<int64_t> nextPs() const;
  /// Does all that is due.
  void advance(int64_t nowPs);
  /// Whether a transfer may be moving these bytes of a host, while the host itself touches them.
  [[nodiscard]] bool isMoving(const HixlPlace &place, int64_t bytes, bool writes) const;
  /// The host does it all the same.
  void access(const HixlPlace &place, int64_t bytes, bool writes, uint32_t site);
  void fault(const HixlFault &fault);
  /// The program is over: says what it left behind.
  void finish(int64_t nowPs);
  /// What happened since it was last asked for, in order.
  [[nodiscard]] HixlEffects take();

private:
  std::unique_ptr<hixl::State> state_;
};

} // namespace pto

#endif
