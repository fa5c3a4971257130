#include "hixl/endpoint.h"

#include "llvm/Support/FormatVariadic.h"

namespace pto {

std::string HixlEndpointKind::text() const {
  return info(protocol).name.str() + ":" + info(place).placement.str();
}

bool admits(llvm::ArrayRef<HixlEndpointKind> desc, HixlEndpointKind kind) {
  return desc.empty() || llvm::is_contained(desc, kind);
}

void filterEndpoints(HixlEndpoints &endpoints, llvm::ArrayRef<HixlEndpointKind> desc,
                     bool onlyRoce) {
  llvm::erase_if(endpoints.list, [&](const HixlEndpoint &endpoint) {
    return !admits(desc, endpoint.kind) ||
           (onlyRoce && endpoint.kind.protocol != HixlProtocol::Roce);
  });
}

HixlKinds generatedKinds(Platform platform, std::optional<int32_t> interconnect,
                         llvm::ArrayRef<HixlEndpointKind> desc) {
  using enum HixlMemType;
  HixlKinds kinds;
  bool hasUb = info(HixlProtocol::UbCtp).platforms.contains(platform);
  if (!hasUb) {
    kinds.push_back({HixlProtocol::Roce, Device});
    kinds.push_back({HixlProtocol::Hccs, Device});
    return kinds;
  }
  if (interconnect)
    if (std::optional<HixlProtocol> scaleOut = hixlScaleOut(*interconnect))
      kinds.push_back({*scaleOut, Device});
  kinds.push_back({HixlProtocol::UbCtp, Device});
  HixlEndpointKind onHost{HixlProtocol::UbCtp, Host};
  if (llvm::is_contained(desc, onHost))
    kinds.push_back(onHost);
  return kinds;
}

static std::string commIdOf(const HixlDevice &device, HixlEndpointKind kind) {
  switch (info(kind.protocol).commId) {
  case HixlCommId::Ip:
    return device.address;
  case HixlCommId::Eid:
    return kind.place == HixlMemType::Host ? device.hostEid : device.deviceEid;
  case HixlCommId::Number:
    return std::to_string(device.number);
  case HixlCommId::None:
    break;
  }
  return "";
}

HixlEndpoints generateEndpoints(const HixlDevice &device, llvm::ArrayRef<HixlEndpointKind> desc,
                                bool onlyRoce) {
  HixlEndpoints endpoints;
  endpoints.netInstance = device.netInstance;
  for (HixlEndpointKind kind : generatedKinds(device.platform, device.interconnect, desc)) {
    HixlEndpoint endpoint;
    endpoint.kind = kind;
    endpoint.commId = commIdOf(device, kind);
    endpoints.list.push_back(endpoint);
  }
  filterEndpoints(endpoints, desc, onlyRoce);
  return endpoints;
}

HixlPlaces registrable(const HixlEndpoints &endpoints) {
  HixlEndpointKind onHost{HixlProtocol::UbCtp, HixlMemType::Host};
  bool isHostAlone =
      !endpoints.list.empty() && llvm::all_of(endpoints.list, [&](const HixlEndpoint &endpoint) {
        return endpoint.kind == onHost;
      });
  return isHostAlone ? HixlPlaces(HixlMemType::Host)
                     : HixlPlaces(HixlMemType::Device, HixlMemType::Host);
}

HixlDevice hixlDevice(Platform platform, int32_t host, int32_t server, int32_t interconnect) {
  HixlDevice device;
  device.platform = platform;
  device.netInstance = platform == Platform::A2 ? "server" + std::to_string(server) : "superpod0";
  device.number = uint32_t(host);
  device.address = llvm::formatv("10.1.{0}.{1}", host / 250, host % 250 + 1).str();
  device.deviceEid = llvm::formatv("{0:x-32}", host + 1).str();
  device.hostEid = llvm::formatv("{0:x-32}", (host + 1) << 16).str();
  device.interconnect = interconnect;
  for (std::string *eid : {&device.deviceEid, &device.hostEid})
    eid->insert(0, 32 - std::min<size_t>(32, eid->size()), '0');
  return device;
}

} // namespace pto
