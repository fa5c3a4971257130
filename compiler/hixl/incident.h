//===- incident.h - what happens to hosts and links in a run ----*- C++ -*-===//
//
// As the setting `faults` writes it: "link 1->0 at 3ms until 5ms", "host 2 at 7ms",
// "transfer 0 at 0ms", "stall 0 at 0ms".
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_INCIDENT_H
#define PTO_HIXL_INCIDENT_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace pto {

enum class HixlIncidentKind : uint8_t { Link, Host, Transfer, Stall };

struct HixlIncident {
  HixlIncidentKind kind = HixlIncidentKind::Link;
  int32_t from = 0;
  int32_t to = 0; ///< Of a link.
  int64_t atPs = 0;
  int64_t untilPs = 0; ///< Of a link; 0: for ever.
};

struct ParsedIncident {
  std::optional<HixlIncident> value;
  std::string why; ///< Of a text that is none.
};
[[nodiscard]] ParsedIncident parseHixlIncident(llvm::StringRef text);

} // namespace pto

#endif
