// `--topology FILE.json`: what is read from a file, from anywhere.

#include "tools/tool.h"

#include <gtest/gtest.h>

namespace pto::test {
namespace {

constexpr llvm::StringLiteral kProgram = R"(import shmem;
window inbox: f32[262144];
window data:  f32[262144];
kernel put() {
    if rank == 0 {
        shmem.sdma_put_nbi(inbox@1, data);
        shmem.sdma_quiet();
    }
}
kernel tput_to(peer: i32) {
    tile t: f32[1, 1024];
    if rank == 0 {
        tput(inbox@peer[0..1024], data[0..1024], t);
        pipe_barrier(ALL);
    }
}
host put_it(ranks = 2) {
    fill data = 1.0;
    barrier();
    let start = time_ns();
    launch put();
    sync;
    if rank == 0 { print("{}", time_ns() - start); }
}
host across(ranks = 6) {
    fill data = 1.0;
    launch tput_to(4);
}
host far(ranks = 6) {
    fill data = 1.0;
    launch tput_to(5);
}
)";

constexpr llvm::StringLiteral kRack = R"({"name": "rack",
  "links": [{"name": "HCCS", "gb_per_s": 28, "latency_us": 3},
            {"name": "NET", "carries": ["ROCE"]}],
  "levels": [{"ranks": 4, "link": "HCCS"}, {"link": "NET"}],
  "pairs": [{"ranks": [0, 4], "link": "PCIe"}]}
)";

class TopologyFileTool : public ::testing::Test {
protected:
  TopologyFileTool() {
    place.write("move.pto", kProgram);
    place.write("rack.json", kRack);
  }
  Ran run(const std::string &host, const std::string &topology) {
    std::vector<std::string> words{"run", "move.pto", "--host", host};
    if (!topology.empty())
      words.insert(words.end(), {"--topology", topology});
    return place.pto(words);
  }
  /// The nanoseconds that the host printed.
  int64_t timeOf(const Ran &ran) {
    EXPECT_EQ(ran.exit, 0) << ran.text();
    llvm::StringRef text = ran.out;
    int64_t ns = 0;
    EXPECT_TRUE(text.consume_front("[rank 0] ") && !text.consumeInteger(10, ns)) << ran.text();
    return ns;
  }

  Workplace place;
};

TEST_F(TopologyFileTool, ASlowerLinkTakesItsTime) {
  int64_t mesh = timeOf(run("put_it", "mesh")), rack = timeOf(run("put_it", "rack.json"));
  // 1 MiB at 28 and at 161 GB/s is 31 us apart; 2 us more there, and 2 us more back.
  EXPECT_GT(rack - mesh, 31'000);
  EXPECT_LT(rack - mesh, 42'000);
}

TEST_F(TopologyFileTool, SaysItsNameWhereItLeadsNowhere) {
  Ran across = run("across", "rack.json");
  EXPECT_EQ(across.exit, 3);
  EXPECT_NE(across.text().find("PCIe (topology rack), which carries SDMA and ROCE"),
            std::string::npos)
      << across.text();
  Ran far = run("far", "rack.json");
  EXPECT_EQ(far.exit, 3);
  EXPECT_NE(far.text().find("NET (topology rack), which carries ROCE"), std::string::npos)
      << far.text();
  EXPECT_NE(far.text().find("--topology rack.json"), std::string::npos) << far.text();
}

TEST_F(TopologyFileTool, RefusesFilesInWords) {
  Ran missing = run("put_it", "none.json");
  EXPECT_EQ(missing.exit, 2);
  EXPECT_NE(missing.err.find("none.json"), std::string::npos) << missing.text();
  place.write("bad.json", "{\"levels\": [");
  Ran bad = run("put_it", "bad.json");
  EXPECT_EQ(bad.exit, 2);
  EXPECT_EQ(bad.err, "pto: error: 'bad.json' is no topology: it is not JSON\n");
  place.write("deep.json", std::string(1 << 20, '['));
  Ran deep = run("put_it", "deep.json");
  EXPECT_EQ(deep.exit, 2);
  EXPECT_EQ(deep.err, "pto: error: 'deep.json' is no topology: it is nested too deep\n");
}

} // namespace
} // namespace pto::test
