//===- match.h - which link two engines of S make of their lists -*- C++ -*-===//
#ifndef PTO_HIXL_MATCH_H
#define PTO_HIXL_MATCH_H

#include "hixl/endpoint.h"

namespace pto {

/// A link from one endpoint to one of the peer.
struct HixlLink {
  HixlProtocol protocol = HixlProtocol::Roce;
  HixlMemType local = HixlMemType::Device;
  HixlMemType remote = HixlMemType::Device;
  size_t localIndex = 0; ///< In the list of the engine that connects.
  size_t remoteIndex = 0;
};

/// What a connect makes.
struct HixlMatch {
  llvm::SmallVector<HixlLink, 4> links; ///< None: the connect is PARAM_INVALID.
  /// Up to four links of ub_ctp, each between two places; a transfer takes the one of its places.
  /// Otherwise one link carries all that its protocol carries on the platform.
  bool isGroup = false;
};

/// The first rule that finds a pair wins, in the order of PTO_HIXL_MATCH, ub_ctp before all.
[[nodiscard]] HixlMatch matchEndpoints(const HixlEndpoints &local, const HixlEndpoints &remote);

/// What may be transferred over it.
[[nodiscard]] HixlDirections directionsOf(const HixlMatch &match, Platform platform);

/// Why no link is made, in a sentence; HX-CON-14, or HX-PLAT-04 where only the super-pods differ.
[[nodiscard]] OptionFault mismatchOf(const HixlEndpoints &local, const HixlEndpoints &remote);

} // namespace pto

#endif
