#include "hixl/protocol.h"

#include "base/check.h"
#include "base/list_text.h"

#include "llvm/ADT/SmallVector.h"

namespace pto {

namespace {
using enum HixlMemType;
using enum Platform;
using enum HixlDirection;

#define AT(...) HixlPlaces(__VA_ARGS__)
#define LINKS(...) HixlPlaces(__VA_ARGS__)
#define OF(...) HixlSet<Platform>(__VA_ARGS__)
#define DIRECTIONS(...) HixlDirections(__VA_ARGS__)

constexpr HixlProtocolInfo kProtocols[] = {
#define PTO_HIXL_PROTOCOL(Enum, Name, At, Links, Platforms, CommId, Crosses, Text, Source)         \
  {llvm::StringLiteral(Name),                                                                      \
   At,                                                                                             \
   Links,                                                                                          \
   Platforms,                                                                                      \
   HixlCommId::CommId,                                                                             \
   Crosses,                                                                                        \
   llvm::StringLiteral(Text),                                                                      \
   llvm::StringLiteral(Source)},
#include "hixl/hixl.def"
};

struct Carries {
  HixlProtocol protocol;
  HixlSet<Platform> platforms;
  HixlDirections directions;
};
constexpr Carries kCarries[] = {
#define PTO_HIXL_CARRIES(Protocol, Platforms, Directions, Source)                                  \
  {HixlProtocol::Protocol, Platforms, Directions},
#include "hixl/hixl.def"
};

#undef AT
#undef LINKS
#undef OF
#undef DIRECTIONS

constexpr HixlDirectionInfo kDirections[] = {
#define PTO_HIXL_DIRECTION(Enum, Name, Local, Remote, Op)                                          \
  {llvm::StringLiteral(Name), HixlMemType::Local, HixlMemType::Remote, HixlOp::Op},
#include "hixl/hixl.def"
};

constexpr HixlFormerName kFormerNames[] = {
#define PTO_HIXL_FORMER_NAME(Name, Today, Text, Source)                                            \
  {llvm::StringLiteral(Name), llvm::StringLiteral(Today), llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

constexpr HixlMatchRow kMatchRows[] = {
#define PTO_HIXL_MATCH(Protocol, Place, Source) {HixlProtocol::Protocol, HixlMemType::Place},
#include "hixl/hixl.def"
};

struct Interconnect {
  int32_t number;
  llvm::StringLiteral name;
};
constexpr Interconnect kInterconnects[] = {
#define PTO_HIXL_INTERCONNECT(Number, Name, Source) {Number, llvm::StringLiteral(Name)},
#include "hixl/hixl.def"
};
} // namespace

llvm::ArrayRef<HixlProtocolInfo> hixlProtocols() { return kProtocols; }
llvm::ArrayRef<HixlDirectionInfo> hixlDirections() { return kDirections; }
llvm::ArrayRef<HixlFormerName> hixlFormerNames() { return kFormerNames; }
llvm::ArrayRef<HixlMatchRow> hixlMatchRows() { return kMatchRows; }

const HixlProtocolInfo &info(HixlProtocol protocol) {
  PTO_CHECK(size_t(protocol) < std::size(kProtocols), "protocol out of its table");
  return kProtocols[size_t(protocol)];
}
const HixlDirectionInfo &info(HixlDirection direction) {
  PTO_CHECK(size_t(direction) < std::size(kDirections), "direction out of its table");
  return kDirections[size_t(direction)];
}

std::optional<HixlProtocol> hixlProtocolNamed(llvm::StringRef name) {
  for (size_t i = 0; i != std::size(kProtocols); ++i)
    if (kProtocols[i].name == name && !kProtocols[i].at.empty())
      return HixlProtocol(i);
  return std::nullopt;
}

std::optional<HixlMemType> hixlPlaceNamed(llvm::StringRef placement) {
  for (size_t i = 0; i != hixlMemTypes().size(); ++i)
    if (hixlMemTypes()[i].placement == placement)
      return HixlMemType(i);
  return std::nullopt;
}

std::optional<HixlProtocol> hixlScaleOut(int32_t interconnect) {
  for (const Interconnect &row : kInterconnects)
    if (row.number == interconnect)
      return hixlProtocolNamed(row.name);
  return std::nullopt;
}

HixlDirection hixlDirection(HixlMemType local, HixlMemType remote, HixlOp op) {
  for (size_t i = 0; i != std::size(kDirections); ++i)
    if (kDirections[i].local == local && kDirections[i].remote == remote && kDirections[i].op == op)
      return HixlDirection(i);
  PTO_UNREACHABLE("a direction without a row");
}

HixlDirections hixlCarries(HixlProtocol protocol, Platform platform) {
  for (const Carries &row : kCarries)
    if (row.protocol == protocol && row.platforms.contains(platform))
      return row.directions;
  return {};
}

std::string textOf(HixlDirections directions) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (size_t i = 0; i != std::size(kDirections); ++i)
    if (directions.contains(HixlDirection(i)))
      names.push_back(kDirections[i].name);
  return listText(names);
}

} // namespace pto
