#include "port/reach.h"

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
  std::string text;
  for (size_t i = 0; i != route.order.size(); ++i)
    text += (i == 0                        ? ""
             : i + 1 == route.order.size() ? " or "
                                           : ", ") +
            name(route.order[i]).str();
  return text;
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
