//===- topology.h - which transports lead from rank to rank -----*- C++ -*-===//
//
// Answered by topology.def. No policy: what follows is decided by rules and by engines.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TARGET_TOPOLOGY_H
#define PTO_TARGET_TOPOLOGY_H

#include "target/platform.h"

#include <memory>

namespace pto {

/// A set of transports.
class Transports {
public:
  constexpr Transports() = default;
  template <typename... Each> constexpr explicit Transports(Each... each) {
    ((bits_ |= uint8_t(1u << unsigned(each))), ...);
  }
  [[nodiscard]] constexpr bool contains(Transport which) const {
    return bits_ >> unsigned(which) & 1u;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  constexpr void add(Transport which) { bits_ |= uint8_t(1u << unsigned(which)); }
  [[nodiscard]] constexpr Transports operator&(Transports other) const {
    Transports both;
    both.bits_ = bits_ & other.bits_;
    return both;
  }
  constexpr bool operator==(const Transports &) const = default;
  [[nodiscard]] std::string text() const; ///< "MTE, SDMA and ROCE"; "nothing" for none.

private:
  uint8_t bits_ = 0;
};

/// A way of calls: its transports, in the order in which they are tried.
struct RouteInfo {
  llvm::ArrayRef<Transport> order;
  llvm::StringLiteral meaning;
  llvm::StringLiteral source;

  [[nodiscard]] Transports all() const;
};
[[nodiscard]] const RouteInfo &info(Route route);

struct LinkInfo {
  llvm::StringRef name;
  Transports carries;
  llvm::StringRef meaning;
  int64_t bytesPerUs = 0; ///< 0: no engine is slowed down by it.
  int64_t latencyPs = 0;

  /// What it takes longer than an engine would over a link that does not slow it down.
  [[nodiscard]] int64_t extraBytesPs(int64_t bytes, int64_t rate) const {
    bool isSlower = bytesPerUs != 0 && bytesPerUs < rate;
    return isSlower ? transferPs(bytes, bytesPerUs) - transferPs(bytes, rate) : 0;
  }
  [[nodiscard]] int64_t extraLatencyPs(int64_t ps) const {
    return latencyPs > ps ? latencyPs - ps : 0;
  }
};
struct TopologyLevel {
  int32_t ranks; ///< Of a group; 0: all.
  uint8_t link;  ///< A row of the links.
};
struct TopologyInfo {
  llvm::StringLiteral name;
  llvm::ArrayRef<TopologyLevel> levels;
  llvm::StringLiteral meaning;
  llvm::StringLiteral source;
};
[[nodiscard]] llvm::ArrayRef<TopologyInfo> topologies();
[[nodiscard]] llvm::ArrayRef<LinkInfo> links();

struct GivenTopology; ///< topology_file.h

/// How the ranks of a run are joined, and which transports were asked for when SHMEM began.
struct Topology {
  uint8_t row = 0;   ///< Of topologies().
  int32_t inner = 0; ///< Ranks of the innermost group instead of the row's; 0: the row's.
  Transports enabled{Transport::MTE, Transport::SDMA, Transport::UDMA, Transport::ROCE};
  std::shared_ptr<const GivenTopology> given; ///< Of a file, instead of the row.

  /// Whether every transport of a platform leads everywhere.
  [[nodiscard]] bool isMesh() const { return row == 0 && !given; }
  [[nodiscard]] const LinkInfo &linkBetween(int32_t one, int32_t other) const;
  [[nodiscard]] std::string text() const; ///< "roce:2"
};
/// "mesh", "roce:2" (with so many ranks in the innermost group).
[[nodiscard]] llvm::Expected<Topology> parseTopology(llvm::StringRef text);
/// "MTE,ROCE"
[[nodiscard]] llvm::Expected<Transports> parseTransports(llvm::StringRef text);

[[nodiscard]] Transports transportsOn(Platform platform);
/// What the platform has, the program asked for, and the link between the two carries.
[[nodiscard]] Transports transportsBetween(Platform platform, const Topology &topology,
                                           int32_t from, int32_t to);
/// The transport that carries a call; absent: none leads there.
[[nodiscard]] std::optional<Transport> transportFor(Platform platform, const Topology &topology,
                                                    Route route, int32_t from, int32_t to);
/// The queue of a transport, or null: the platform has none of it.
[[nodiscard]] const EngineInfo *queueOf(Platform platform, Transport transport);
/// The queue of SDMA that prefetches into L2, or null. It may be one that moves nothing.
[[nodiscard]] const EngineInfo *prefetchQueueOf(Platform platform);
/// The transport that PTO's own engine is.
[[nodiscard]] Transport transportOf(DmaEngine engine);

} // namespace pto

#endif
