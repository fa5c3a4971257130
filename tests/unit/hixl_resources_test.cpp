//===- hixl_resources_test.cpp - the JSON of GlobalResourceConfig --------------===//
#include "unit/hixl_summary.h"

#include "gtest/gtest.h"

namespace pto::test {

using enum Platform;

/// The text of GlobalResourceConfig, and what comes of it.
using Resources = std::pair<const char *, const char *>;

static void expectResources(Platform platform, llvm::ArrayRef<Resources> rows) {
  for (const auto &[json, comes] : rows)
    EXPECT_EQ(summary(parseHixlOptions({{"GlobalResourceConfig", json}}, platform)), comes) << json;
}

TEST(HixlResources, AreAnObject) { // HX-OPT-10, HX-OPT-11
  const Resources kRows[] = {
      {"{}", "M SUCCESS"},
      {"", "M PARAM_INVALID HX-OPT-11"},
      {"[]", "M PARAM_INVALID HX-OPT-10"},
      {"7", "M PARAM_INVALID HX-OPT-10"},
      {"not JSON", "M PARAM_INVALID HX-OPT-10"},
      {R"({"connect_pool.thread_num": 4,})", "M PARAM_INVALID HX-OPT-10"},
      {R"({} // none)", "M PARAM_INVALID HX-OPT-10"},
      {R"({"connect_pool.thread_num": 04})", "M PARAM_INVALID HX-OPT-10"},
      {R"({"a": "\)", "M PARAM_INVALID HX-OPT-10"},
  };
  expectResources(A3, kRows);
  EXPECT_EQ(summary(parseHixlOptions(
                {{"GlobalResourceConfig", ""}, {"LocalCommRes", R"({"version": "1.3"})"}}, A3)),
            "S SUCCESS HX-OPT-11?");
  std::string deep(100000, '[');
  EXPECT_EQ(summary(parseHixlOptions({{"GlobalResourceConfig", deep}}, A3)),
            "M PARAM_INVALID HX-OPT-10");
}

TEST(HixlResources, Keys) { // HX-OPT-12
  const Resources kRows[] = {
      {R"({"connect_pool.thread_nums": 4})", "M SUCCESS HX-OPT-12?"},
      {R"({"connect_pool": {"thread_num": 4}})", "M SUCCESS HX-OPT-12?"},
      {R"({"thread_num": 4})", "M SUCCESS HX-OPT-12?"},
      {R"({"zebra": 4})", "M SUCCESS HX-OPT-12?"},
      {R"({"fabric_memory": 4})", "M SUCCESS HX-OPT-12?"},
      {R"({"fabric_memory": {"capacity": 4}})", "M SUCCESS HX-OPT-12?"},
  };
  expectResources(A3, kRows);
}

TEST(HixlResources, Numbers) { // HX-OPT-13 to HX-OPT-17, HX-OPT-22, T-21, T-66
  const Resources kRows[] = {
      {R"({"connect_pool.thread_num": 1})", "M SUCCESS"},
      {R"({"connect_pool.thread_num": "64"})", "M SUCCESS"},
      {R"({"connect_pool.thread_num": "0"})", "M PARAM_INVALID HX-OPT-14"},
      {R"({"connect_pool.thread_num": 65})", "M PARAM_INVALID HX-OPT-14"},
      {R"({"connect_pool.thread_num": -1})", "M PARAM_INVALID HX-OPT-14"},
      {R"({"connect_pool.thread_num": 4.0})", "M PARAM_INVALID HX-OPT-13"},
      {R"({"connect_pool.thread_num": 1e1})", "M PARAM_INVALID HX-OPT-13"},
      {R"({"connect_pool.thread_num": "4 "})", "M PARAM_INVALID HX-OPT-13"},
      {R"({"connect_pool.thread_num": ""})", "M PARAM_INVALID HX-OPT-13"},
      {R"({"connect_pool.thread_num": true})", "M PARAM_INVALID HX-OPT-13"},
      {R"({"connect_pool.thread_num": [4]})", "M PARAM_INVALID HX-OPT-13"},
      {R"({"connect_pool.task_queue_capacity": 65535})", "M SUCCESS"},
      {R"({"connect_pool.task_queue_capacity": 65536})", "M PARAM_INVALID HX-OPT-14"},
      {R"({"comm_resource_config.listen_port": 26666})", "M SUCCESS"},
      {R"({"comm_resource_config.listen_port": 0})", "M PARAM_INVALID HX-OPT-22"},
      {R"({"comm_resource_config.listen_port": 65536})", "M PARAM_INVALID HX-OPT-22"},
      {R"({"fabric_memory.max_capacity": 0})", "M PARAM_INVALID HX-OPT-15 HX-OPT-21?"},
  };
  expectResources(A3, kRows);
  static constexpr char kOnS[] = R"({"version": "1.3"})";
  for (auto [json, comes] : std::initializer_list<std::pair<const char *, const char *>>{
           {R"({"comm_resource_config.qos": 7})", "S SUCCESS"},
           {R"({"comm_resource_config.qos": "8"})", "S PARAM_INVALID HX-OPT-22"},
           {R"({"comm_resource_config.max_active_channels": 4096})", "S SUCCESS"},
           {R"({"comm_resource_config.max_active_channels": 0})", "S PARAM_INVALID HX-OPT-22"},
           {R"({"comm_resource_config.max_active_channels": 4294967296})",
            "S PARAM_INVALID HX-OPT-22"},
       })
    EXPECT_EQ(
        summary(parseHixlOptions({{"LocalCommRes", kOnS}, {"GlobalResourceConfig", json}}, A3)),
        comes)
        << json;
}

TEST(HixlResources, FabricMemory) { // T-68
  for (auto [json, comes] : std::initializer_list<std::pair<const char *, const char *>>{
           {R"({"fabric_memory.max_capacity": 1024, "fabric_memory.start_address": "0"})",
            "F SUCCESS"},
           {R"({"fabric_memory": {"max_capacity": 64, "start_address": 1024}})", "F SUCCESS"},
           {R"({"fabric_memory.max_capacity": 1025})", "F PARAM_INVALID HX-OPT-15"},
           {R"({"fabric_memory.start_address": 1025})", "F PARAM_INVALID HX-OPT-15"},
           {R"({"fabric_memory": {"task_stream_num": 9}})", "F PARAM_INVALID HX-OPT-15"},
           {R"({"fabric_memory.task_stream_num": 1})", "F SUCCESS"},
           {R"({"fabric_memory.task_stream_num": 4})", "F PARAM_INVALID HX-OPT-16"},
           {R"({"fabric_memory": {"task_stream_num": 4, "enable_aicpu_unfold": true}})",
            "F PARAM_INVALID HX-OPT-16"},
           {R"({"fabric_memory.task_stream_num": 4, "fabric_memory.enable_aicpu_unfold": false})",
            "F SUCCESS"},
           {R"({"fabric_memory.enable_aicpu_unfold": "false"})", "F PARAM_INVALID HX-OPT-17"},
           {R"({"comm_resource_config.qos": 1})", "F SUCCESS HX-OPT-21?"},
       })
    EXPECT_EQ(summary(parseHixlOptions(
                  {{"EnableUseFabricMem", "1"}, {"GlobalResourceConfig", json}}, A3)),
              comes)
        << json;
}

TEST(HixlResources, ChannelPool) { // HX-OPT-18 to HX-OPT-21, T-84
  static constexpr char kGood[] = R"({"channel_pool.max_channel": "10",
      "channel_pool.high_waterline": "0.3", "channel_pool.low_waterline": "0.1"})";
  expectResources(A3, Resources{kGood, "M SUCCESS"});
  EXPECT_EQ(parseHixlOptions({{"GlobalResourceConfig", kGood}}, A3).config.pool->high, 3);
  ParsedOptions onS = parseHixlOptions(
      {{"GlobalResourceConfig", kGood}, {"LocalCommRes", R"({"version": "1.3"})"}}, A3);
  EXPECT_EQ(summary(onS), "S SUCCESS HX-OPT-21? HX-OPT-21? HX-OPT-21?");
  EXPECT_FALSE(onS.config.pool);
}

TEST(HixlResources, FilesOfLocalCommRes) { // HX-OPT-31, HX-OPT-32
  std::string large(size_t(limit(HixlLimit::ResourceFileBytes)) + 1, ' ');
  const HixlText kFiles[] = {{"s.json", R"({"version": "1.3"})"},
                             {"m.json", R"({"version": "1.0"})"},
                             {"empty.json", ""},
                             {"bad.json", "{"},
                             {"large.json", large}};
  HixlSurroundings surroundings;
  surroundings.files = kFiles;
  for (auto [path, comes] : std::initializer_list<std::pair<const char *, const char *>>{
           {R"("s.json")", "S SUCCESS"},
           {R"("m.json")", "M SUCCESS"},
           {R"("empty.json")", "M PARAM_INVALID HX-OPT-31"},
           {R"("large.json")", "M PARAM_INVALID HX-OPT-31"},
           {R"("none.json")", "M PARAM_INVALID HX-OPT-31"},
           {R"("bad.json")", "M PARAM_INVALID HX-OPT-26"},
           {R"("")", "M PARAM_INVALID HX-OPT-31"},
           {R"(7)", "M PARAM_INVALID HX-OPT-31"},
       }) {
    std::string json = std::string("{\"local_comm_res_path\": ") + path + "}";
    EXPECT_EQ(summary(parseHixlOptions({{"GlobalResourceConfig", json}}, A3, surroundings)), comes)
        << json;
  }
  const HixlText kBoth[] = {{"GlobalResourceConfig", R"({"local_comm_res_path": "none.json"})"},
                            {"LocalCommRes", R"({"version": "1.3"})"}};
  EXPECT_EQ(summary(parseHixlOptions(kBoth, A3, surroundings)), "S SUCCESS HX-OPT-32?");
  EXPECT_EQ(summary(parseHixlOptions(llvm::ArrayRef(kBoth).take_front(), A3)), "M SUCCESS")
      << "nothing is known of files";
  EXPECT_EQ(summary(parseHixlOptions(llvm::ArrayRef(kBoth).take_front(), Ascend950)), "S SUCCESS");
}

} // namespace pto::test
