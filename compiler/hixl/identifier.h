//===- identifier.h - the names that engines have ---------------*- C++ -*-===//
//
// An engine is named by where it listens: `ip`, `ip:port`, `[v6]`, `[v6]:port`.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_IDENTIFIER_H
#define PTO_HIXL_IDENTIFIER_H

#include "hixl/fault.h"

#include <array>
#include <optional>

namespace pto {

/// An IPv4 or IPv6 literal; of IPv4 four bytes count.
struct HixlAddress {
  bool isV6 = false;
  std::array<uint8_t, 16> bytes{};

  /// No names of hosts, no zones, no leading zeros.
  [[nodiscard]] static std::optional<HixlAddress> parse(llvm::StringRef text);
  [[nodiscard]] bool isLoopback() const;
  bool operator==(const HixlAddress &) const = default;
};

struct HixlIdentifier {
  std::string text;
  HixlAddress address;
  int64_t port = 0;

  /// An engine without a port, or with one that is not positive, is a client only.
  [[nodiscard]] bool listens() const { return port > 0; }
};

struct ParsedIdentifier {
  std::optional<HixlIdentifier> identifier; ///< Absent: the fault says why.
  std::optional<OptionFault> fault;         ///< HX-ENG-09
};
[[nodiscard]] ParsedIdentifier parseHixlIdentifier(llvm::StringRef text);

/// Two engines that cannot both be there: of one name, or at one address and port. HX-ENG-10
[[nodiscard]] std::optional<OptionFault> clashOf(const HixlIdentifier &one,
                                                 const HixlIdentifier &other);
/// A loopback address among engines of several hosts. HX-ENG-11
[[nodiscard]] std::optional<OptionFault> loopbackFault(const HixlIdentifier &identifier,
                                                       unsigned hosts);

} // namespace pto

#endif
