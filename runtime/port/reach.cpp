#include "port/reach.h"

#include "base/list_text.h"

#include "llvm/ADT/SmallVector.h"

namespace pto {

static std::string quoted(llvm::StringRef what) { return "`" + what.str() + "`"; }

static std::string linkText(const Topology &topology, int32_t from, int32_t to) {
  const LinkInfo &link = topology.linkBetween(from, to);
  return link.name.str() + " (topology " + topology.text() + "), which carries " +
         link.carries.text();
}

std::optional<Trap> checkLink(const Topology &topology, Transport by, int32_t from, int32_t to,
                              llvm::StringRef what) {
  if (from == to || topology.linkBetween(from, to).carries.contains(by))
    return std::nullopt;
  return makeTrap<Rule::PeerUnreachable>(quoted(what), name(by), from, to,
                                         linkText(topology, from, to));
}

/// "SDMA, UDMA, MTE or ROCE"
static std::string orderText(const RouteInfo &route) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (Transport each : route.order)
    names.push_back(name(each));
  return listText(names, "or");
}

Way wayOf(Platform platform, const Topology &topology, Route route, int32_t from, int32_t to) {
  Way way;
  way.by = transportFor(platform, topology, route, from, to);
  if (way.by)
    return way;
  std::string there = linkText(topology, from, to) + "; " + info(platform).name.str() + " has " +
                      transportsOn(platform).text();
  if (transportsOn(platform) != (transportsOn(platform) & topology.enabled))
    there += ", and SHMEM was begun with " + topology.enabled.text();
  way.trap = makeTrap<Rule::PeerUnreachable>("this call", orderText(info(route)), from, to, there);
  return way;
}

} // namespace pto
