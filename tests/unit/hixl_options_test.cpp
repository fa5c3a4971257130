//===- hixl_options_test.cpp - what `initialize` makes of its options ----------===//
//
// A row is a set of options and what comes of them in a word: the engine, the status, the faults in
// their order. A fault with a question mark is only warned of.
//
//===----------------------------------------------------------------------===//
#include "unit/hixl_summary.h"

#include "gtest/gtest.h"

namespace pto::test {

using enum Platform;

namespace {
struct Row {
  Platform platform;
  std::vector<HixlText> options;
  const char *comes;
};
} // namespace

static void expectRows(llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows) {
    std::string shown;
    for (const auto &[key, value] : row.options)
      shown += (key + "=" + value + " ").str();
    EXPECT_EQ(summary(parseHixlOptions(row.options, row.platform)), row.comes) << shown;
  }
}

TEST(HixlOptions, SelectTheEngine) {
  static constexpr char kS[] = R"({"version": "1.3"})";
  static constexpr char kDesc[] = R"({"comm_resource_config.protocol_desc": "roce:device"})";
  const Row kRows[] = {
      {A2, {}, "M SUCCESS"},
      {A3, {}, "M SUCCESS"},
      {Ascend950, {}, "S SUCCESS HX-OPT-38?"},
      {A5, {}, "S SUCCESS HX-OPT-38?"},
      {A3, {{"EnableUseFabricMem", "1"}}, "F SUCCESS"},
      {A3, {{"EnableUseFabricMem", "1"}, {"LocalCommRes", "no JSON"}}, "F SUCCESS"},
      {A3, {{"LocalCommRes", kS}}, "S SUCCESS"},
      {A3, {{"LocalCommRes", ""}}, "M SUCCESS"},
      {A3, {{"adxl.LocalCommRes", kS}}, "S SUCCESS"},
      {Ascend950, {{"LocalCommRes", kS}}, "S SUCCESS"},
      {A3, {{"LocalCommRes", R"({"version": "1.2"})"}}, "M SUCCESS"},
      {A3, {{"GlobalResourceConfig", kDesc}}, "S SUCCESS"},
      {A3,
       {{"LocalCommRes", R"({"version": "1.0"})"}, {"GlobalResourceConfig", kDesc}},
       "M SUCCESS HX-OPT-21?"},
      {A3,
       {{"GlobalResourceConfig", R"({"comm_resource_config.protocol_desc": []})"}},
       "M SUCCESS HX-OPT-21?"},
  };
  expectRows(kRows);
}

TEST(HixlOptions, KeysAndSwitches) {
  const Row kRows[] = {
      // HX-OPT-01, T-67, T-68
      {A3, {{"AutoConect", "1"}}, "M PARAM_INVALID HX-OPT-01"},
      {A3, {{"adxl.GlobalResourceConfig", "{}"}}, "M PARAM_INVALID HX-OPT-01"},
      {A3, {{"EnableUseFabricMem", "1"}, {"what", ""}}, "F PARAM_INVALID HX-OPT-01"},
      {A3, {{"adxl.AutoConnect", "1"}}, "M SUCCESS"},
      // HX-OPT-02, HX-OPT-07, T-67
      {A3, {{"EnableUseFabricMem", "0"}}, "M SUCCESS"},
      {A3, {{"EnableUseFabricMem", ""}}, "M SUCCESS"},
      {A3, {{"EnableUseFabricMem", "true"}}, "M PARAM_INVALID HX-OPT-02"},
      {Ascend950,
       {{"EnableUseFabricMem", "0"}, {"LocalCommRes", R"({"version": "1.3"})"}},
       "S PARAM_INVALID HX-OPT-07"},
      // HX-OPT-03, T-65
      {A3, {{"AutoConnect", "1"}}, "M SUCCESS"},
      {A3, {{"AutoConnect", "0"}}, "M SUCCESS"},
      {A3, {{"AutoConnect", ""}}, "M PARAM_INVALID HX-OPT-03"},
      {A3, {{"AutoConnect", "2"}}, "M PARAM_INVALID HX-OPT-03"},
      {A3, {{"AutoConnect", "invalid"}}, "M PARAM_INVALID HX-OPT-03"},
      // HX-PLAT-01
      {A2, {{"EnableUseFabricMem", "1"}}, "F UNSUPPORTED HX-PLAT-01"},
      {Ascend950, {{"EnableUseFabricMem", "1"}}, "F UNSUPPORTED HX-PLAT-01"},
  };
  expectRows(kRows);
}

TEST(HixlOptions, BufferPool) {
  static constexpr char kS[] = R"({"version": "1.3"})";
  const Row kRows[] = {
      // HX-OPT-04
      {A3, {{"BufferPool", "2:16"}}, "M SUCCESS"},
      {A3, {{"BufferPool", "0:0"}}, "M SUCCESS"},
      {A3, {{"BufferPool", ""}}, "M SUCCESS"},
      {A3, {{"BufferPool", "4"}}, "M PARAM_INVALID HX-OPT-04"},
      {A3, {{"BufferPool", "0:8"}}, "M PARAM_INVALID HX-OPT-04"},
      {A3, {{"BufferPool", "4:0"}}, "M PARAM_INVALID HX-OPT-04"},
      {A3, {{"BufferPool", "-4:8"}}, "M PARAM_INVALID HX-OPT-04"},
      {A3, {{"BufferPool", "4:8:2"}}, "M PARAM_INVALID HX-OPT-04"},
      {A3, {{"BufferPool", "4294967296:4294967296"}}, "M PARAM_INVALID HX-OPT-04"},
      // HX-OPT-05, T-68; HX-OPT-06
      {A3, {{"EnableUseFabricMem", "1"}, {"BufferPool", "4:8"}}, "F PARAM_INVALID HX-OPT-05"},
      {A3, {{"EnableUseFabricMem", "1"}, {"BufferPool", ""}}, "F PARAM_INVALID HX-OPT-05"},
      {A3, {{"EnableUseFabricMem", "1"}, {"BufferPool", "0:0"}}, "F SUCCESS HX-OPT-05?"},
      {A3, {{"LocalCommRes", kS}, {"adxl.BufferPool", "4:8"}}, "S PARAM_INVALID HX-OPT-06"},
      {A3, {{"LocalCommRes", kS}, {"BufferPool", "0:0"}}, "S SUCCESS"},
  };
  expectRows(kRows);
  EXPECT_EQ(parseHixlOptions({}, A3).config.relay, (HixlRelay{4, 8}));
  EXPECT_EQ(parseHixlOptions({{"BufferPool", "2:16"}}, A3).config.relay, (HixlRelay{2, 16}));
  EXPECT_TRUE(parseHixlOptions({{"BufferPool", "0:0"}}, A3).config.relay.isOff());
  EXPECT_TRUE(parseHixlOptions({}, Ascend950).config.relay.isOff());
}

TEST(HixlOptions, TrafficClassAndServiceLevel) { // T-64
  struct Number {
    std::vector<HixlText> options;
    std::vector<HixlText> variables;
    int64_t trafficClass;
    int64_t serviceLevel;
    const char *comes;
  };
  const Number kRows[] = {
      {{}, {}, 132, 4, "M SUCCESS"},
      {{{"RdmaTrafficClass", "252"}, {"RdmaServiceLevel", "7"}}, {}, 252, 7, "M SUCCESS"},
      {{{"RdmaTrafficClass", "0"}, {"RdmaServiceLevel", "0"}}, {}, 0, 0, "M SUCCESS"},
      {{{"adxl.RdmaTrafficClass", "8"}}, {}, 8, 4, "M SUCCESS"},
      {{{"adxl.RdmaTrafficClass", "8"}, {"RdmaTrafficClass", "4"}}, {}, 4, 4, "M SUCCESS"},
      {{}, {{"HCCL_RDMA_TC", "64"}, {"HCCL_RDMA_SL", "3"}}, 64, 3, "M SUCCESS"},
      {{{"RdmaTrafficClass", "8"}}, {{"HCCL_RDMA_TC", "64"}}, 8, 4, "M SUCCESS"},
      {{{"RdmaTrafficClass", ""}}, {{"HCCL_RDMA_TC", "64"}}, 64, 4, "M SUCCESS"},
      {{{"RdmaTrafficClass", "256"}}, {}, 132, 4, "M PARAM_INVALID HX-OPT-08"},
      {{{"RdmaTrafficClass", "6"}}, {}, 132, 4, "M PARAM_INVALID HX-OPT-08"},
      {{{"RdmaTrafficClass", "-4"}}, {}, 132, 4, "M PARAM_INVALID HX-OPT-08"},
      {{{"RdmaTrafficClass", "four"}}, {}, 132, 4, "M PARAM_INVALID HX-OPT-08"},
      {{}, {{"HCCL_RDMA_TC", "5"}}, 132, 4, "M PARAM_INVALID HX-OPT-08"},
      {{{"RdmaServiceLevel", "8"}}, {}, 132, 4, "M PARAM_INVALID HX-OPT-09"},
      {{}, {{"HCCL_RDMA_SL", "99999999999999999999"}}, 132, 4, "M PARAM_INVALID HX-OPT-09"},
  };
  for (const Number &row : kRows) {
    HixlSurroundings surroundings;
    surroundings.variables = row.variables;
    ParsedOptions parsed = parseHixlOptions(row.options, A3, surroundings);
    EXPECT_EQ(summary(parsed), row.comes);
    EXPECT_EQ(parsed.config.trafficClass, row.trafficClass);
    EXPECT_EQ(parsed.config.serviceLevel, row.serviceLevel);
  }
}

TEST(HixlOptions, VariablesThatAConnectLooksAt) {
  HixlSurroundings surroundings;
  HixlText late[] = {{"HCCL_RDMA_TIMEOUT", "21"}};
  surroundings.variables = late;
  HixlText options[] = {{"LocalCommRes", R"({"version": "1.3"})"}};
  ParsedOptions parsed = parseHixlOptions(options, A3, surroundings);
  EXPECT_EQ(summary(parsed), "S SUCCESS none");
  EXPECT_EQ(parsed.config.connectStatus, HixlStatus::ParamInvalid);
  EXPECT_EQ(summary(parseHixlOptions({}, A3, surroundings)), "M SUCCESS") << "M reads none of it";

  HixlText good[] = {{"HCCL_RDMA_TIMEOUT", "5"}, {"HCCL_RDMA_RETRY_CNT", "1"}};
  surroundings.variables = good;
  parsed = parseHixlOptions(options, A3, surroundings);
  EXPECT_EQ(parsed.config.retryTimeout, 5);
  EXPECT_EQ(parsed.config.retryCount, 1);
  EXPECT_EQ(parsed.config.connectStatus, HixlStatus::Success);
}

TEST(HixlOptions, VersionsOfLocalCommRes) { // HX-OPT-26
  const Row kRows[] = {
      {A3, {{"LocalCommRes", "{"}}, "M PARAM_INVALID HX-OPT-26"},
      {A3, {{"LocalCommRes", R"({"version": 1.3})"}}, "M SUCCESS HX-OPT-26?"},
      {A3, {{"LocalCommRes", R"({"version": "1.4"})"}}, "M SUCCESS HX-OPT-26?"},
      {A3, {{"LocalCommRes", R"({})"}}, "M SUCCESS HX-OPT-26?"},
      {A3, {{"LocalCommRes", R"([])"}}, "M SUCCESS HX-OPT-26?"},
      {Ascend950, {{"LocalCommRes", R"({"version": "1.2"})"}}, "M SUCCESS HX-OPT-26?"},
  };
  expectRows(kRows);
}

TEST(HixlOptions, VersionsOfTheToolkit) { // HX-PLAT-05
  HixlSurroundings old;
  old.hdk = llvm::VersionTuple(25, 2);
  old.cann = llvm::VersionTuple(9, 0);
  HixlText fabric[] = {{"EnableUseFabricMem", "1"}};
  HixlText listed[] = {{"LocalCommRes", R"({"version": "1.3"})"}};
  EXPECT_EQ(summary(parseHixlOptions(fabric, A3, old)), "F SUCCESS HX-PLAT-05?");
  EXPECT_EQ(summary(parseHixlOptions(listed, A3, old)), "S SUCCESS HX-PLAT-05? HX-PLAT-05?");
  EXPECT_EQ(summary(parseHixlOptions({}, A3, old)), "M SUCCESS");
  old.hdk = llvm::VersionTuple(25, 5);
  EXPECT_EQ(summary(parseHixlOptions(fabric, A3, old)), "F SUCCESS");
}

TEST(HixlOptions, DefaultsStandInTheirRows) {
  HixlConfig config = parseHixlOptions({}, A3).config;
  EXPECT_EQ(config.number(HixlResource::MaxCapacity), 32);
  EXPECT_EQ(config.number(HixlResource::StartAddress), 40);
  EXPECT_EQ(config.number(HixlResource::TaskStreams), 1);
  EXPECT_EQ(config.number(HixlResource::AicpuUnfold), 1);
  EXPECT_EQ(config.number(HixlResource::ConnectThreads), 2);
  EXPECT_EQ(config.number(HixlResource::ConnectQueue), 128);
  EXPECT_EQ(config.number(HixlResource::ListenPort), 16666);
  EXPECT_EQ(config.number(HixlResource::MaxActiveChannels), 128);
  EXPECT_EQ(config.number(HixlResource::MaxChannel), 512);
  EXPECT_EQ(parseHixlOptions({}, Ascend950).config.number(HixlResource::ListenPort), 0);
  EXPECT_EQ(config.retryCount, 7);
  EXPECT_EQ(config.retryTimeout, 20);
}

TEST(HixlOptions, AllFaultsAreTold) {
  ParsedOptions parsed = parseHixlOptions(
      {{"RdmaTrafficClass", "5"}, {"AutoConnect", "yes"}, {"BufferPool", "8"}, {"colour", "red"}},
      A3);
  EXPECT_EQ(summary(parsed), "M PARAM_INVALID HX-OPT-08 HX-OPT-03 HX-OPT-01 HX-OPT-04");
}

TEST(HixlOptions, SayWhatIsMeant) {
  auto text = [](llvm::StringRef key, llvm::StringRef value) {
    return parseHixlOptions({{key, value}}, A3).faults.front().text;
  };
  EXPECT_EQ(text("RdmaTrafficClass", "6"),
            "`RdmaTrafficClass` is '6', but must be from 0 to 255 and a multiple of 4.");
  EXPECT_EQ(text("AutoConect", "1"), "'AutoConect' is no option of HIXL, and initialize refuses "
                                     "what it does not know. Did you mean `AutoConnect`?");
  EXPECT_EQ(text("connect_pool.thread_num", "1"),
            "'connect_pool.thread_num' is no option of HIXL, and initialize refuses what it does "
            "not know. It is a key inside the JSON of "
            "`GlobalResourceConfig`.");
  EXPECT_EQ(text("HCCL_RDMA_TC", "4"),
            "'HCCL_RDMA_TC' is no option of HIXL, and initialize refuses what it does not know. It "
            "is a variable of the environment.");
  EXPECT_EQ(text("GlobalResourceConfig", R"({"channel_pool": {}})"),
            "`GlobalResourceConfig` has the key 'channel_pool', which HIXL does not know and drops "
            "without a word. Its keys are written with a dot, as `channel_pool.max_channel`.");
  EXPECT_EQ(text("GlobalResourceConfig", R"({"connect_pool.thread_num": 0.5})"),
            "`connect_pool.thread_num` is 0.5, which is no integer and no string of digits.");
  EXPECT_EQ(text("LocalCommRes", R"({"version": 1.3})"),
            "`LocalCommRes` has the version 1.3 as a number. Only the string \"1.3\" selects the "
            "client-server engine; this selects the comm-domain engine without a word.");
}

} // namespace pto::test
