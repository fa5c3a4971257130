//===- endpoint.h - where the links of S begin and end ----------*- C++ -*-===//
#ifndef PTO_HIXL_ENDPOINT_H
#define PTO_HIXL_ENDPOINT_H

#include "hixl/fault.h"
#include "hixl/json_text.h"
#include "hixl/protocol.h"

#include <vector>

namespace pto {

/// `roce:device`: an item of protocol_desc, and what is told of an endpoint most often.
struct HixlEndpointKind {
  HixlProtocol protocol = HixlProtocol::Roce;
  HixlMemType place = HixlMemType::Device;

  bool operator==(const HixlEndpointKind &) const = default;
  [[nodiscard]] std::string text() const;
};

struct HixlEndpoint {
  HixlEndpointKind kind;
  std::string commId;
  std::string plane;    ///< Of ub_ctp.
  std::string dstEid;   ///< Of ub_ctp: the peer at the other end of the wire; empty: any.
  std::string serverId; ///< Of ub_ctp:host: equal ids are one operating system.
};
struct HixlEndpoints {
  std::string netInstance; ///< The super-pod; ub_ctp and hccs stay inside.
  std::vector<HixlEndpoint> list;
};

using HixlKinds = llvm::SmallVector<HixlEndpointKind, 8>;

/// The items of protocol_desc, a string or an array of them.
[[nodiscard]] HixlKinds readProtocolDesc(const llvm::json::Value &value, Platform platform,
                                         HixlFaults &faults);
/// The endpoints of a LocalCommRes of version 1.3, or none: then they are made from the device.
[[nodiscard]] HixlEndpoints readEndpoints(const llvm::json::Object &resources, Platform platform,
                                          HixlFaults &faults);
/// Whether an endpoint may stay; an empty desc lets all stay.
[[nodiscard]] bool admits(llvm::ArrayRef<HixlEndpointKind> desc, HixlEndpointKind kind);
/// Takes out what protocol_desc does not name, and what is not RoCE where only that is wanted.
void filterEndpoints(HixlEndpoints &endpoints, llvm::ArrayRef<HixlEndpointKind> desc,
                     bool onlyRoce);

/// What the driver knows of a device, for a list that nobody wrote.
struct HixlDevice {
  Platform platform = Platform::A3;
  std::string netInstance; ///< Address of the host on A2, id of the super-pod on A3 and 950.
  uint32_t number = 0;     ///< Of the device, its comm_id of hccs.
  std::string address;     ///< Of its NIC.
  std::string deviceEid;
  std::string hostEid;
  int32_t interconnect = 0; ///< A row of PTO_HIXL_INTERCONNECT; of 950.
};
/// What the driver would say of the device of a host, of a cluster without surprises.
[[nodiscard]] HixlDevice hixlDevice(Platform platform, int32_t host, int32_t server,
                                    int32_t interconnect);
/// The kinds that a made list has before it is filtered.
[[nodiscard]] HixlKinds generatedKinds(Platform platform, std::optional<int32_t> interconnect,
                                       llvm::ArrayRef<HixlEndpointKind> desc);
/// The list itself, filtered.
[[nodiscard]] HixlEndpoints generateEndpoints(const HixlDevice &device,
                                              llvm::ArrayRef<HixlEndpointKind> desc,
                                              bool onlyRoce = false);

/// The memory that may be registered: an engine with UB on its host alone has no way to its device.
[[nodiscard]] HixlPlaces registrable(const HixlEndpoints &endpoints);

} // namespace pto

#endif
