//===- rate.h - how long HIXL takes, by rate.def ----------------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_RATE_H
#define PTO_HIXL_MODEL_RATE_H

#include "hixl/protocol.h"

namespace llvm {
class raw_ostream;
}

namespace pto {

enum class HixlCost : uint8_t {
#define PTO_HIXL_COST(Enum, ...) Enum,
#include "hixl_model/rate.def"
};
[[nodiscard]] int64_t costPs(HixlCost cost);

/// What bytes go over.
struct HixlPath {
  Platform platform = Platform::A3;
  HixlEngine engine = HixlEngine::CommDomain;
  HixlProtocol protocol = HixlProtocol::Hccs;
  bool crossesServers = false;
  bool unfolds = false; ///< The AICPU unfolds the batch.
};
struct HixlRate {
  double gigabytes = 0; ///< A second, of 10^9 bytes.
  bool isKnown = false; ///< A row of rate.def is about this path.
};
/// With blocks of so many bytes. Between 16 KiB and 2 MiB on logarithmic scales; below, a block
/// takes as long as one of 16 KiB; above, the rate stays.
[[nodiscard]] HixlRate hixlRate(const HixlPath &path, HixlDirection direction, int64_t bytes);
/// The time that the bytes of a block take.
[[nodiscard]] int64_t hixlBlockPs(const HixlPath &path, HixlDirection direction, int64_t bytes);

/// The rows of rate.def.
void writeHixlRates(llvm::raw_ostream &out);

} // namespace pto

#endif
