#include "hixl/match.h"

#include "base/list_text.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static constexpr size_t kMostGroupLinks = 4;

static bool isUb(const HixlEndpoint &endpoint) {
  return endpoint.kind.protocol == HixlProtocol::UbCtp;
}

/// Indices of ub_ctp endpoints in the order in which they are looked at.
template <typename Before>
static llvm::SmallVector<size_t, 8> ubOrder(const HixlEndpoints &endpoints, Before before) {
  llvm::SmallVector<size_t, 8> order;
  for (size_t i = 0; i != endpoints.list.size(); ++i)
    if (isUb(endpoints.list[i]))
      order.push_back(i);
  llvm::sort(order, [&](size_t one, size_t other) {
    const HixlEndpoint &first = endpoints.list[one];
    const HixlEndpoint &second = endpoints.list[other];
    return before(first, second) || (!before(second, first) && one < other);
  });
  return order;
}

namespace {
/// Finds the links of ub_ctp, at most one between each two places.
class Group {
public:
  Group(const HixlEndpoints &local, const HixlEndpoints &remote) : local_(local), remote_(remote) {
    // An endpoint that names no peer takes any: such ones are found first.
    remotes_ = ubOrder(remote, [](const HixlEndpoint &one, const HixlEndpoint &other) {
      return one.dstEid < other.dstEid;
    });
  }

  llvm::SmallVector<HixlLink, 4> find() {
    // An endpoint that is wired to one peer comes before those that are not.
    for (size_t at : ubOrder(local_, [](const HixlEndpoint &one, const HixlEndpoint &other) {
           return !one.dstEid.empty() && other.dstEid.empty();
         })) {
      addLoopback(at);
      addWired(at, HixlMemType::Device);
      addWired(at, HixlMemType::Host);
    }
    return links_;
  }

private:
  bool has(HixlMemType local, HixlMemType remote) const {
    return links_.size() == kMostGroupLinks || llvm::any_of(links_, [&](const HixlLink &link) {
             return link.local == local && link.remote == remote;
           });
  }
  void add(size_t local, size_t remote) {
    links_.push_back({HixlProtocol::UbCtp, local_.list[local].kind.place,
                      remote_.list[remote].kind.place, local, remote});
  }
  /// Two hosts that are one operating system need no wire.
  void addLoopback(size_t at) {
    const HixlEndpoint &own = local_.list[at];
    if (own.kind.place != HixlMemType::Host || own.serverId.empty() ||
        has(HixlMemType::Host, HixlMemType::Host))
      return;
    for (size_t i = 0; i != remote_.list.size(); ++i) {
      const HixlEndpoint &peer = remote_.list[i];
      if (peer.kind == own.kind && peer.plane == own.plane && peer.serverId == own.serverId)
        return add(at, i);
    }
  }
  void addWired(size_t at, HixlMemType place) {
    const HixlEndpoint &own = local_.list[at];
    if (has(own.kind.place, place))
      return;
    for (size_t i : remotes_) {
      const HixlEndpoint &peer = remote_.list[i];
      bool isWired = peer.dstEid.empty() || peer.dstEid == own.commId;
      if (isWired && peer.plane == own.plane && peer.kind.place == place)
        return add(at, i);
    }
  }

  const HixlEndpoints &local_;
  const HixlEndpoints &remote_;
  llvm::SmallVector<size_t, 8> remotes_;
  llvm::SmallVector<HixlLink, 4> links_;
};
} // namespace

static std::optional<size_t> indexOf(const HixlEndpoints &endpoints, HixlEndpointKind kind) {
  for (size_t i = 0; i != endpoints.list.size(); ++i)
    if (endpoints.list[i].kind == kind)
      return i;
  return std::nullopt;
}

static bool hasUbOnHost(const HixlEndpoints &endpoints) {
  return indexOf(endpoints, {HixlProtocol::UbCtp, HixlMemType::Host}).has_value();
}

HixlMatch matchEndpoints(const HixlEndpoints &local, const HixlEndpoints &remote) {
  HixlMatch match;
  bool isSamePod = local.netInstance == remote.netInstance;
  if (isSamePod) {
    match.links = Group(local, remote).find();
    match.isGroup = !match.links.empty() && (hasUbOnHost(local) || hasUbOnHost(remote));
    if (!match.links.empty())
      return match;
  }
  for (const HixlMatchRow &row : hixlMatchRows()) {
    if (!isSamePod && !info(row.protocol).crosses)
      continue;
    std::optional<size_t> from = indexOf(local, {row.protocol, row.place});
    std::optional<size_t> to = indexOf(remote, {row.protocol, row.place});
    if (!from || !to)
      continue;
    match.links.push_back({row.protocol, row.place, row.place, *from, *to});
    return match;
  }
  return match;
}

HixlDirections directionsOf(const HixlMatch &match, Platform platform) {
  HixlDirections directions;
  for (const HixlLink &link : match.links) {
    HixlDirections carried = hixlCarries(link.protocol, platform);
    for (size_t i = 0; i != hixlDirections().size(); ++i) {
      const HixlDirectionInfo &row = hixlDirections()[i];
      bool isItsOwn = !match.isGroup || (row.local == link.local && row.remote == link.remote);
      if (isItsOwn && carried.contains(HixlDirection(i)))
        directions.add(HixlDirection(i));
    }
  }
  return directions;
}

static std::string kindsOf(const HixlEndpoints &endpoints) {
  llvm::SmallVector<std::string, 8> texts;
  for (const HixlEndpoint &endpoint : endpoints.list)
    if (!llvm::is_contained(texts, endpoint.kind.text()))
      texts.push_back(endpoint.kind.text());
  return listText(llvm::SmallVector<llvm::StringRef, 8>(texts.begin(), texts.end()));
}

OptionFault mismatchOf(const HixlEndpoints &local, const HixlEndpoints &remote) {
  HixlEndpoints moved = remote;
  moved.netInstance = local.netInstance;
  HixlMatch inside = matchEndpoints(local, moved);
  OptionFault fault;
  fault.status = HixlStatus::ParamInvalid;
  fault.isError = true;
  fault.key = "endpoint_list";
  if (inside.links.empty()) {
    fault.account = "HX-CON-14";
    fault.text = "No endpoint leads to the peer: here are " + kindsOf(local) + ", there are " +
                 kindsOf(remote) + ".";
    fault.mend = "Give both sides an endpoint of the same protocol and placement; those of ub_ctp "
                 "also share their plane and, where they are wired, name each other.";
    return fault;
  }
  llvm::StringRef protocol = info(inside.links.front().protocol).name;
  fault.account = "HX-PLAT-04";
  fault.text =
      "The endpoints of " + protocol.str() +
      " would match, but that protocol stays inside one super-pod, and the engines are in " +
      quoted(local.netInstance) + " and " + quoted(remote.netInstance) + ".";
  fault.mend = "Add endpoints of uboe, ub_rtp or roce on both sides, or mend `net_instance_id`.";
  return fault;
}

} // namespace pto
