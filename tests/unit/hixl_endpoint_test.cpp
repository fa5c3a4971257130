//===- hixl_endpoint_test.cpp - endpoint lists, and the links they make ---------===//
#include "unit/hixl_summary.h"

#include "hixl/match.h"

#include "gtest/gtest.h"

namespace pto::test {

using enum Platform;
using enum HixlMemType;

static constexpr char kEid1[] = "000000000000000000000000000000a1";
static constexpr char kEid2[] = "000000000000000000000000000000a2";

/// LocalCommRes of version 1.3 with one endpoint, whose fields stand between braces.
static std::string listOf(llvm::StringRef endpoint) {
  return (R"({"version": "1.3", "net_instance_id": "pod", "endpoint_list": [{)" + endpoint + "}]}")
      .str();
}

static ParsedOptions parse(llvm::StringRef list, Platform platform, llvm::StringRef desc = "") {
  std::string resources = ("{\"comm_resource_config.protocol_desc\": " + desc + "}").str();
  llvm::SmallVector<HixlText, 2> options = {{"LocalCommRes", list}};
  if (!desc.empty())
    options.push_back({"GlobalResourceConfig", resources});
  return parseHixlOptions(options, platform);
}

namespace {
struct Row {
  Platform platform;
  const char *endpoint;
  const char *comes;
};
} // namespace

TEST(HixlEndpoint, ListsAreRead) { // HX-OPT-27, HX-OPT-28, HX-PLAT-02, HX-PLAT-03
  const Row kRows[] = {
      {A2, R"("protocol": "roce", "comm_id": "10.0.0.1", "placement": "device")", "S SUCCESS"},
      {A2, R"("protocol": "roce", "comm_id": "fd00::1", "placement": "host")", "S SUCCESS"},
      {A3, R"("protocol": "hccs", "comm_id": "4294967295", "placement": "device")", "S SUCCESS"},
      {A3, R"("protocol": "hccs", "comm_id": "1", "placement": "host")", "S SUCCESS HX-OPT-23?"},
      {Ascend950,
       R"("protocol": "ub_ctp", "comm_id": "000000000000000000000000000000A1", "placement": "host")",
       "S SUCCESS"},
      {Ascend950, R"("protocol": "uboe", "comm_id": "10.0.0.1", "placement": "device")",
       "S SUCCESS"},
      // A field is missing, or no string.
      {A3, R"("comm_id": "1", "placement": "device")", "S PARAM_INVALID HX-OPT-27"},
      {A3, R"("protocol": "hccs", "placement": "device")", "S PARAM_INVALID HX-OPT-27"},
      {A3, R"("protocol": "hccs", "comm_id": "1")", "S PARAM_INVALID HX-OPT-27"},
      {A3, R"("protocol": "hccs", "comm_id": 1, "placement": "device")",
       "S PARAM_INVALID HX-OPT-27"},
      {A3, R"("protocol": "roce", "comm_id": "::1", "placement": "host", "plane": 2)",
       "S PARAM_INVALID HX-OPT-27"},
      // No such protocol, or not at that place.
      {A3, R"("protocol": "rocee", "comm_id": "1", "placement": "device")",
       "S PARAM_INVALID HX-OPT-27"},
      {A3, R"("protocol": "fabric_mem", "comm_id": "1", "placement": "device")",
       "S PARAM_INVALID HX-OPT-27"},
      {Ascend950, R"("protocol": "uboe", "comm_id": "10.0.0.1", "placement": "host")",
       "S PARAM_INVALID HX-OPT-27"},
      {A3, R"("protocol": "roce", "comm_id": "10.0.0.1", "placement": "dpu")",
       "S PARAM_INVALID HX-OPT-27"},
      // The form of the comm_id.
      {A3, R"("protocol": "roce", "comm_id": "10.0.0", "placement": "device")",
       "S PARAM_INVALID HX-OPT-28"},
      {A3, R"("protocol": "hccs", "comm_id": "4294967296", "placement": "device")",
       "S PARAM_INVALID HX-OPT-28"},
      {A3, R"("protocol": "hccs", "comm_id": "00000000001", "placement": "device")",
       "S PARAM_INVALID HX-OPT-28"},
      {Ascend950, R"("protocol": "ub_ctp", "comm_id": "a1", "placement": "device")",
       "S PARAM_INVALID HX-OPT-28"},
      {Ascend950,
       R"("protocol": "ub_rtp", "comm_id": "0000:000000000000000000000000000a1", "placement": "device")",
       "S PARAM_INVALID HX-OPT-28"},
      // What the platform does not have.
      {Ascend950, R"("protocol": "hccs", "comm_id": "1", "placement": "device")",
       "S SUCCESS HX-PLAT-02"},
      {A3, R"("protocol": "uboe", "comm_id": "10.0.0.1", "placement": "device")",
       "S FAILED HX-PLAT-03"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(summary(parse(listOf(row.endpoint), row.platform)), row.comes) << row.endpoint;
}

TEST(HixlEndpoint, ListsThatAreNone) { // HX-OPT-27, HX-OPT-30
  for (auto [list, comes] : std::initializer_list<std::pair<const char *, const char *>>{
           {R"({"version": "1.3"})", "S SUCCESS"},
           {R"({"version": "1.3", "net_instance_id": "pod"})", "S SUCCESS HX-OPT-30?"},
           {R"({"version": "1.3", "net_instance_id": "pod", "endpoint_list": []})",
            "S SUCCESS HX-OPT-30?"},
           {R"({"version": "1.3", "endpoint_list": [{}]})", "S SUCCESS HX-OPT-30?"},
           {R"({"version": "1.3", "net_instance_id": 7, "endpoint_list": [{}]})",
            "S PARAM_INVALID HX-OPT-27"},
           {R"({"version": "1.3", "net_instance_id": "pod", "endpoint_list": {}})",
            "S PARAM_INVALID HX-OPT-27"},
           {R"({"version": "1.3", "net_instance_id": "pod", "endpoint_list": ["roce"]})",
            "S PARAM_INVALID HX-OPT-27"},
       }) {
    ParsedOptions parsed = parse(list, A3);
    EXPECT_EQ(summary(parsed), comes) << list;
    if (parsed.status == HixlStatus::Success)
      EXPECT_TRUE(parsed.config.isGenerated) << list;
  }
}

TEST(HixlEndpoint, MixOfWaysOut) { // HX-OPT-24, HX-OPT-29
  std::string both = listOf(
      R"("protocol": "uboe", "comm_id": "10.0.0.1", "placement": "device"}, {"protocol": "ub_rtp",
         "comm_id": "000000000000000000000000000000a1", "placement": "device")");
  EXPECT_EQ(summary(parse(both, Ascend950)), "S PARAM_INVALID HX-OPT-29");
  static constexpr char kDesc[] = R"(["uboe:device", "ub_rtp:device"])";
  EXPECT_EQ(summary(parse(R"({"version": "1.3"})", Ascend950, kDesc)), "S PARAM_INVALID HX-OPT-24");
  std::string one = listOf(R"("protocol": "uboe", "comm_id": "10.0.0.1", "placement": "device")");
  EXPECT_EQ(summary(parse(one, Ascend950, kDesc)), "S SUCCESS HX-OPT-24?");
}

TEST(HixlEndpoint, ProtocolDesc) { // HX-OPT-23, HX-OPT-25
  static constexpr char kMade[] = R"({"version": "1.3"})";
  std::string hccs = listOf(R"("protocol": "hccs", "comm_id": "1", "placement": "device")");
  struct Desc {
    Platform platform;
    llvm::StringRef list;
    const char *desc;
    const char *comes;
  };
  const Desc kRows[] = {
      {A3, kMade, R"("roce:device")", "S SUCCESS"},
      {A3, kMade, R"(["roce:device", "hccs:device"])", "S SUCCESS"},
      {A3, kMade, R"("roce")", "S PARAM_INVALID HX-OPT-23"},
      {A3, kMade, R"("roce:card")", "S PARAM_INVALID HX-OPT-23"},
      {A3, kMade, R"("roce:device:1")", "S PARAM_INVALID HX-OPT-23"},
      {A3, kMade, R"([1])", "S PARAM_INVALID HX-OPT-23"},
      {A3, kMade, R"(1.5)", "S PARAM_INVALID HX-OPT-23"},
      {Ascend950, kMade, R"("uboe:host")", "S PARAM_INVALID HX-OPT-23"},
      {Ascend950, kMade, R"("ubg:device")", "S PARAM_INVALID HX-OPT-23"},
      {A3, hccs, R"("hccs:device")", "S SUCCESS"},
      {A3, hccs, R"("roce:device")", "S PARAM_INVALID HX-OPT-25"},
      // What a device certainly lacks, and what its driver may have.
      {A3, kMade, R"("roce:host")", "S PARAM_INVALID HX-OPT-25"},
      {Ascend950, kMade, R"("roce:device")", "S PARAM_INVALID HX-OPT-25"},
      {Ascend950, kMade, R"("ub_ctp:host")", "S SUCCESS"},
      {Ascend950, kMade, R"("uboe:device")", "S SUCCESS"},
  };
  for (const Desc &row : kRows)
    EXPECT_EQ(summary(parse(row.list, row.platform, row.desc)), row.comes) << row.desc;
}

TEST(HixlEndpoint, FormerNamesAreKnown) {
  auto text = [](llvm::StringRef desc) {
    return parse(R"({"version": "1.3"})", Ascend950, desc).faults.front().text;
  };
  EXPECT_EQ(text(R"("ubg:device")"),
            "`comm_resource_config.protocol_desc` names 'ubg', which is no protocol of HIXL. `ubg` "
            "was renamed; the library knows it as `ub_rtp`.");
  EXPECT_TRUE(llvm::StringRef(text(R"("ub_tp:device")")).contains("`ub_tp` was removed"));
  EXPECT_TRUE(llvm::StringRef(text(R"("rocee:device")")).contains("Did you mean `roce`?"));
}

TEST(HixlEndpoint, IntraRoceTakesTheOthersOut) {
  HixlText variables[] = {{"HCCL_INTRA_ROCE_ENABLE", "1"}};
  HixlSurroundings surroundings;
  surroundings.variables = variables;
  std::string hccs = listOf(R"("protocol": "hccs", "comm_id": "1", "placement": "device")");
  ParsedOptions parsed = parseHixlOptions({{"LocalCommRes", hccs}}, A3, surroundings);
  EXPECT_EQ(summary(parsed), "S SUCCESS HX-OPT-25?");
  EXPECT_TRUE(parsed.config.endpoints.list.empty());
  EXPECT_FALSE(parsed.config.isGenerated);
  parsed = parseHixlOptions({{"LocalCommRes", R"({"version": "1.3"})"}}, A3, surroundings);
  ASSERT_EQ(endpointsOf(parsed.config, {}).list.size(), 1u);
  EXPECT_EQ(endpointsOf(parsed.config, {}).list[0].kind.text(), "roce:device");
}

/// "roce:device hccs:device" of a made list.
static std::string made(Platform platform, int32_t interconnect, llvm::StringRef desc = "") {
  HixlDevice device;
  device.platform = platform;
  device.interconnect = interconnect;
  HixlKinds kinds;
  if (!desc.empty())
    kinds = parse(R"({"version": "1.3"})", platform, desc).config.protocolDesc;
  std::string text;
  for (const HixlEndpoint &endpoint : generateEndpoints(device, kinds).list)
    text += (text.empty() ? "" : " ") + endpoint.kind.text();
  return text;
}

TEST(HixlEndpoint, ListsAreMadeFromTheDevice) {
  EXPECT_EQ(made(A2, 0), "roce:device hccs:device");
  EXPECT_EQ(made(A3, 0), "roce:device hccs:device");
  EXPECT_EQ(made(Ascend950, 0), "uboe:device ub_ctp:device");
  EXPECT_EQ(made(Ascend950, 2), "uboe:device ub_ctp:device");
  EXPECT_EQ(made(Ascend950, 4), "ub_rtp:device ub_ctp:device");
  EXPECT_EQ(made(Ascend950, 1), "ub_ctp:device");
  EXPECT_EQ(made(Ascend950, 3), "ub_ctp:device");
  EXPECT_EQ(made(A3, 0, R"("hccs:device")"), "hccs:device");
  EXPECT_EQ(made(Ascend950, 0, R"(["ub_ctp:device", "ub_ctp:host"])"), "ub_ctp:device ub_ctp:host");
}

TEST(HixlEndpoint, MadeEndpointsHaveTheirIds) {
  HixlDevice device;
  device.netInstance = "pod";
  device.number = 5;
  device.address = "10.0.0.5";
  HixlEndpoints endpoints = generateEndpoints(device, {});
  EXPECT_EQ(endpoints.netInstance, "pod");
  EXPECT_EQ(endpoints.list[0].commId, "10.0.0.5");
  EXPECT_EQ(endpoints.list[1].commId, "5");
}

TEST(HixlEndpoint, MemoryThatMayBeRegistered) { // HX-PLAT-06
  HixlEndpoints endpoints;
  endpoints.list = {{{HixlProtocol::UbCtp, Host}, kEid1, "", "", ""}};
  EXPECT_EQ(registrable(endpoints), HixlPlaces(Host));
  endpoints.list.push_back({{HixlProtocol::UbCtp, Device}, kEid2, "", "", ""});
  EXPECT_EQ(registrable(endpoints), HixlPlaces(Device, Host));
}

//===--- Matching ---------------------------------------------------------------===//

static HixlEndpoints list(llvm::StringRef pod, std::vector<HixlEndpoint> endpoints) {
  HixlEndpoints result;
  result.netInstance = pod.str();
  result.list = std::move(endpoints);
  return result;
}
static HixlEndpoint one(HixlProtocol protocol, HixlMemType place) {
  return {{protocol, place}, "", "", "", ""};
}
static HixlEndpoint ub(HixlMemType place, const char *eid, const char *dst, const char *plane = "",
                       const char *server = "") {
  return {{HixlProtocol::UbCtp, place}, eid, plane, dst, server};
}

/// "ub_ctp D-D 0-0, …"
static std::string links(const HixlEndpoints &local, const HixlEndpoints &remote) {
  std::string text;
  for (const HixlLink &link : matchEndpoints(local, remote).links)
    text += (text.empty() ? "" : ", ") + info(link.protocol).name.str() + " " +
            info(link.local).letter.str() + "-" + info(link.remote).letter.str() + " " +
            std::to_string(link.localIndex) + "-" + std::to_string(link.remoteIndex);
  return text.empty() ? mismatchOf(local, remote).account.str() : text;
}

TEST(HixlMatch, TheFirstKindThatBothHave) {
  using enum HixlProtocol;
  std::vector<HixlEndpoint> all = {one(Roce, Host), one(Roce, Device), one(UbRtp, Device),
                                   one(Uboe, Device), one(Hccs, Device)};
  EXPECT_EQ(links(list("p", all), list("p", all)), "hccs D-D 4-4");
  EXPECT_EQ(links(list("p", all), list("q", all)), "uboe D-D 3-3");
  all.pop_back();
  EXPECT_EQ(links(list("p", all), list("p", all)), "uboe D-D 3-3");
  all.pop_back();
  EXPECT_EQ(links(list("p", all), list("q", all)), "ub_rtp D-D 2-2");
  all.pop_back();
  EXPECT_EQ(links(list("p", all), list("p", all)), "roce D-D 1-1");
  all.pop_back();
  EXPECT_EQ(links(list("p", all), list("q", all)), "roce H-H 0-0");
}

TEST(HixlMatch, NoneMatches) { // HX-CON-14, HX-PLAT-04
  using enum HixlProtocol;
  HixlEndpoints hccs = list("p", {one(Hccs, Device)});
  HixlEndpoints roceHost = list("p", {one(Roce, Host)});
  HixlEndpoints roceDevice = list("p", {one(Roce, Device)});
  EXPECT_EQ(links(hccs, roceHost), "HX-CON-14");
  EXPECT_EQ(links(roceHost, roceDevice), "HX-CON-14");
  EXPECT_EQ(links(hccs, list("q", {one(Hccs, Device)})), "HX-PLAT-04");
  EXPECT_EQ(links(list("p", {ub(Device, kEid1, "")}), list("q", {ub(Device, kEid2, "")})),
            "HX-PLAT-04");
  EXPECT_EQ(mismatchOf(hccs, roceHost).text,
            "No endpoint leads to the peer: here are hccs:device, there are roce:host.");
}

TEST(HixlMatch, UbComesFirst) {
  HixlEndpoints local = list("p", {one(HixlProtocol::Uboe, Device), ub(Device, kEid1, kEid2)});
  HixlEndpoints remote = list("p", {ub(Device, kEid2, kEid1), one(HixlProtocol::Uboe, Device)});
  EXPECT_EQ(links(local, remote), "ub_ctp D-D 1-0");
  EXPECT_FALSE(matchEndpoints(local, remote).isGroup) << "one pair of devices carries all";
  remote.netInstance = "q";
  EXPECT_EQ(links(local, remote), "uboe D-D 0-1");
}

TEST(HixlMatch, GroupsOfUb) {
  // Nobody names a peer: each two places have a link.
  HixlEndpoints open = list("p", {ub(Device, kEid1, ""), ub(Host, kEid2, "")});
  EXPECT_EQ(links(open, open), "ub_ctp D-D 0-0, ub_ctp D-H 0-1, ub_ctp H-D 1-0, ub_ctp H-H 1-1");
  EXPECT_TRUE(matchEndpoints(open, open).isGroup);
  // A wire leads to the endpoint that names this one.
  EXPECT_EQ(links(list("p", {ub(Device, kEid1, "")}),
                  list("p", {ub(Device, "b1", kEid2), ub(Device, "b2", kEid1)})),
            "ub_ctp D-D 0-1");
  EXPECT_EQ(links(list("p", {ub(Device, kEid1, "")}), list("p", {ub(Device, "b1", kEid2)})),
            "HX-CON-14");
  // Planes keep apart.
  EXPECT_EQ(links(list("p", {ub(Device, kEid1, "", "a"), ub(Device, kEid2, "", "b")}),
                  list("p", {ub(Device, "c1", "", "b")})),
            "ub_ctp D-D 1-0");
  // One that is wired comes before one that is not.
  EXPECT_EQ(links(list("p", {ub(Device, kEid1, ""), ub(Device, kEid2, "c1")}),
                  list("p", {ub(Device, "c1", "")})),
            "ub_ctp D-D 1-0");
}

TEST(HixlMatch, OneOperatingSystemNeedsNoWire) {
  HixlEndpoints local = list("p", {ub(Host, kEid1, "x", "a", "server")});
  HixlEndpoints remote = list("p", {ub(Host, kEid2, "y", "a", "server")});
  EXPECT_EQ(links(local, remote), "ub_ctp H-H 0-0");
  remote.list[0].serverId = "other";
  EXPECT_EQ(links(local, remote), "HX-CON-14");
  local.list[0].serverId = remote.list[0].serverId = "";
  EXPECT_EQ(links(local, remote), "HX-CON-14");
}

TEST(HixlMatch, Directions) { // HX-PLAT-02
  using enum HixlProtocol;
  static constexpr char kAll[] = "D2rD, rD2D, D2rH, rH2D, H2rH, rH2H, H2rD and rD2H";
  EXPECT_EQ(textOf(hixlCarries(Hccs, A2)), "D2rD and rD2D");
  EXPECT_EQ(textOf(hixlCarries(Hccs, A3)), "D2rD, rD2D, H2rD and rD2H");
  EXPECT_EQ(textOf(hixlCarries(Hccs, Ascend950)), "nothing");
  EXPECT_EQ(textOf(hixlCarries(Roce, A2)), kAll);
  EXPECT_EQ(textOf(hixlCarries(UbRtp, A3)), "nothing");
  EXPECT_EQ(textOf(hixlCarries(FabricMap, A3)), kAll);
  EXPECT_EQ(textOf(hixlCarries(FabricMap, A2)), "nothing");

  HixlEndpoints open = list("p", {ub(Device, kEid1, ""), ub(Host, kEid2, "")});
  HixlEndpoints device = list("p", {ub(Device, "c1", "")});
  EXPECT_EQ(textOf(directionsOf(matchEndpoints(open, open), Ascend950)), kAll);
  EXPECT_EQ(textOf(directionsOf(matchEndpoints(open, device), Ascend950)),
            "D2rD, rD2D, H2rD and rD2H")
      << "of a group each link has its own places";
  EXPECT_EQ(textOf(directionsOf(matchEndpoints(device, device), Ascend950)), kAll);
  EXPECT_EQ(hixlDirection(Host, Device, HixlOp::Read), HixlDirection::rD2H);
}

} // namespace pto::test
