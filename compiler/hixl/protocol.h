//===- protocol.h - what carries a link, and in which directions -*- C++ -*-===//
#ifndef PTO_HIXL_PROTOCOL_H
#define PTO_HIXL_PROTOCOL_H

#include "hixl/facts.h"

#include <optional>

namespace pto {

enum class HixlProtocol : uint8_t {
#define PTO_HIXL_PROTOCOL(Enum, ...) Enum,
#include "hixl/hixl.def"
};
/// One of the eight: D device, H host, r remote; the source stands first.
enum class HixlDirection : uint8_t {
#define PTO_HIXL_DIRECTION(Enum, ...) Enum,
#include "hixl/hixl.def"
};
/// The form of an endpoint's comm_id.
enum class HixlCommId : uint8_t { None, Ip, Eid, Number };

using HixlPlaces = HixlSet<HixlMemType>;
using HixlDirections = HixlSet<HixlDirection>;

struct HixlProtocolInfo {
  llvm::StringLiteral name;
  HixlPlaces at;    ///< Where an endpoint list may place it; none: it is no endpoint.
  HixlPlaces links; ///< Where a link begins from it.
  HixlSet<Platform> platforms;
  HixlCommId commId;
  bool crosses; ///< It leads to another net_instance_id.
  llvm::StringLiteral text;
  llvm::StringLiteral source;
};
struct HixlDirectionInfo {
  llvm::StringLiteral name;
  HixlMemType local;
  HixlMemType remote;
  HixlOp op;
};
/// A name that older documents have.
struct HixlFormerName {
  llvm::StringLiteral name;
  llvm::StringLiteral today;
  llvm::StringLiteral text;
};
/// A pair of equal endpoints that makes a link; in the order in which they are tried.
struct HixlMatchRow {
  HixlProtocol protocol;
  HixlMemType place;
};

[[nodiscard]] llvm::ArrayRef<HixlProtocolInfo> hixlProtocols();
[[nodiscard]] llvm::ArrayRef<HixlDirectionInfo> hixlDirections();
[[nodiscard]] llvm::ArrayRef<HixlFormerName> hixlFormerNames();
[[nodiscard]] llvm::ArrayRef<HixlMatchRow> hixlMatchRows();
[[nodiscard]] const HixlProtocolInfo &info(HixlProtocol protocol);
[[nodiscard]] const HixlDirectionInfo &info(HixlDirection direction);

/// Of those that an endpoint list may name.
[[nodiscard]] std::optional<HixlProtocol> hixlProtocolNamed(llvm::StringRef name);
[[nodiscard]] std::optional<HixlMemType> hixlPlaceNamed(llvm::StringRef placement);
/// The scale-out protocol that a list made for 950 has, by the driver's number; absent: none.
[[nodiscard]] std::optional<HixlProtocol> hixlScaleOut(int32_t interconnect);

[[nodiscard]] HixlDirection hixlDirection(HixlMemType local, HixlMemType remote, HixlOp op);
/// What a link of this protocol carries on a platform; nothing: the platform has no such link.
[[nodiscard]] HixlDirections hixlCarries(HixlProtocol protocol, Platform platform);
/// "D2rD, rD2D"; "nothing" for none.
[[nodiscard]] std::string textOf(HixlDirections directions);

} // namespace pto

#endif
