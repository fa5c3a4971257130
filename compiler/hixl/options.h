//===- options.h - what `initialize` makes of its options -------*- C++ -*-===//
//
// A pure function on text: all that surrounds an engine is handed in. It collects every fault and
// goes on, while the library stops at the first one, whose status is the one returned.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_OPTIONS_H
#define PTO_HIXL_OPTIONS_H

#include "hixl/endpoint.h"
#include "hixl/option.h"
#include "hixl/pool.h"

#include "llvm/Support/VersionTuple.h"

#include <array>

namespace pto {

/// The relay buffers of M; there are two of them. None of a size: no relay.
struct HixlRelay {
  int64_t blocks = 0;
  int64_t blockMb = 0;

  [[nodiscard]] bool isOff() const { return blocks == 0; }
  bool operator==(const HixlRelay &) const = default;
};

/// An engine's options with every default filled in.
struct HixlConfig {
  HixlEngine engine = HixlEngine::CommDomain;
  bool autoConnect = false;
  HixlRelay relay;
  int64_t trafficClass = 0;
  int64_t serviceLevel = 0;
  int64_t retryCount = 0;   ///< Of S.
  int64_t retryTimeout = 0; ///< Of S.
  bool onlyRoce = false;    ///< HCCL_INTRA_ROCE_ENABLE: the endpoints made later are filtered too.
  std::optional<HixlPool> pool; ///< Absent: off.
  HixlKinds protocolDesc;       ///< Empty: all endpoints stay.
  HixlEndpoints endpoints;      ///< Of S; empty if `isGenerated`.
  bool isGenerated = false;     ///< Of S: the list is made from the device.
  /// What every connect returns: a variable that only a connect looks at is out of its range.
  HixlStatus connectStatus = HixlStatus::Success;

  /// Of a resource that is an integer or a truth.
  [[nodiscard]] int64_t number(HixlResource which) const { return numbers[size_t(which)]; }
  std::array<int64_t, kHixlResourceCount> numbers{};
};

/// The list that an engine of S connects with, on this device.
[[nodiscard]] HixlEndpoints endpointsOf(const HixlConfig &config, const HixlDevice &device);

using HixlText = std::pair<llvm::StringRef, llvm::StringRef>;

/// What the options of an engine are read in.
struct HixlSurroundings {
  llvm::ArrayRef<HixlText> variables; ///< The environment, of which a few names count.
  /// All files there are, by the path that an option names. Absent: they are not known, and
  /// nothing is said of a path.
  std::optional<llvm::ArrayRef<HixlText>> files;
  llvm::VersionTuple hdk;  ///< Of the driver; empty: not known.
  llvm::VersionTuple cann; ///< Of the toolkit; empty: not known.
};

struct ParsedOptions {
  HixlConfig config; ///< Where a value is at fault, its default.
  llvm::SmallVector<OptionFault> faults;
  HixlStatus status = HixlStatus::Success; ///< What `initialize` returns, as far as options decide.
};

/// Of a key that is there twice the first counts.
[[nodiscard]] ParsedOptions parseHixlOptions(llvm::ArrayRef<HixlText> options, Platform platform,
                                             const HixlSurroundings &surroundings = {});

} // namespace pto

#endif
