//===- hixl_batch_test.cpp - what a transfer may move over its link ------------===//
#include "unit/hixl_run.h"

namespace pto::test {

namespace {
struct Row {
  char kind;
  bool isSync;
  int64_t local, remote, bytes;
  const char *comes;
};
constexpr int64_t kLate = 2 * kAll, kNone = 3 * kAll;
constexpr Row kRows[] = {
    {'S', true, 0, 0, 64, "SUCCESS "},
    {'S', true, -1, 0, 64, "PARAM_INVALID HX-XFER-02"},
    {'S', true, 0, 0, 0, "PARAM_INVALID HX-XFER-02"},
    {'F', true, 0, 0, 0, "PARAM_INVALID HX-XFER-02"},
    {'M', true, 0, 0, 0, "SUCCESS HX-XFER-02"},
    {'S', true, kNone, 0, 64, "PARAM_INVALID HX-XFER-05"},
    {'S', true, 0, kNone, 64, "PARAM_INVALID HX-XFER-06"},
    {'S', true, kLate, 0, 64, "PARAM_INVALID HX-MEM-05"},
    {'S', true, 0, kLate, 64, "PARAM_INVALID HX-MEM-06"},
    {'S', true, kAll - 32, 0, 64, "SUCCESS "},
    {'S', true, kAll + 32, 0, 128, "PARAM_INVALID HX-XFER-07"},
    {'S', false, 0, kLate, 64, "PARAM_INVALID HX-MEM-06"},
    {'F', true, kNone, 0, 64, "SUCCESS HX-XFER-05"},
    {'F', true, kLate, 0, 64, "SUCCESS "},
    {'F', true, 0, kLate, 64, "PARAM_INVALID HX-MEM-06"},
    {'F', true, 0, kNone, 64, "PARAM_INVALID HX-XFER-06"},
    {'M', true, kLate, 0, 64, "FAILED HX-MEM-05"},
    {'M', false, 0, kNone, 64, "FAILED HX-XFER-11"},
    {'R', true, kNone, 0, 64, "SUCCESS HX-XFER-12?"},
    {'R', true, 0, kLate, 64, "SUCCESS HX-MEM-06"},
    {'R', false, 0, kNone, 64, "FAILED HX-XFER-11"},
};
} // namespace

// HX-XFER-01 to HX-XFER-06, HX-MEM-05, HX-MEM-06, HX-XFER-07, HX-XFER-11, HX-XFER-12
TEST(HixlBatch, Ranges) {
  for (const Row &row : kRows) {
    HixlPair run(optionsOf(row.kind));
    run.memory(run.client, 2, kAll, 64); // It touches the first range.
    run.memory(run.client, 2, kAll + 128, 64);
    run.connect(run.client, 1);
    run.memory(run.client, 2, kLate, 64);
    run.memory(run.server, 1, kLate, 64);
    HixlCall call =
        run.batch(run.client, 1, row.isSync, HixlOp::Read, row.local, row.remote, row.bytes);
    std::string comes = run.text(run.go(call).status);
    EXPECT_EQ(comes + " " + run.said(), row.comes)
        << row.kind << row.isSync << ' ' << row.local << ' ' << row.remote << ' ' << row.bytes;
  }
}

// HX-XFER-01, HX-XFER-03, HX-XFER-04, HX-CON-15
TEST(HixlBatch, TransfersWithoutALink) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlPair run(optionsOf(kind));
    EXPECT_EQ(run.read(run.client, 1), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-XFER-04");
    HixlCall empty = run.batch(run.client, 1, true);
    empty.ops.clear();
    EXPECT_EQ(run.text(run.go(empty).status), kind == 'S' ? "NOT_CONNECTED" : "PARAM_INVALID");
    EXPECT_EQ(run.said(), kind == 'S' ? "HX-XFER-04" : "HX-XFER-01");
    run.connect(run.client, 1);
    EXPECT_EQ(run.text(run.go(empty).status), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-XFER-01");
    HixlCall untimed = run.batch(run.client, 1, true);
    untimed.timeoutMs = 0;
    EXPECT_EQ(run.text(run.go(untimed).status), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-XFER-03");
    EXPECT_EQ(run.read(run.server, 2), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-CON-15");
  }
}

// HX-XFER-08 to HX-XFER-10, HX-PLAT-02, HX-XFER-14
TEST(HixlBatch, Batches) {
  auto two = [](HixlRun &run, uint32_t engine, HixlMemType second) {
    HixlCall call = run.batch(engine, 1, true);
    call.ops.push_back({{2, second, 64}, {1, HixlMemType::Device, 64}, 64});
    std::string status = run.text(run.go(call).status);
    return status + " " + run.said();
  };
  HixlPair relay(optionsOf('R')), fabric(optionsOf('F')), server(optionsOf('S'));
  HixlPair old(optionsOf('M'), on(Platform::A2));
  for (HixlPair *run : {&relay, &fabric, &server, &old}) {
    run->connect(run->client, 1);
    EXPECT_EQ(two(*run, run->client, HixlMemType::Device), "SUCCESS ");
  }
  EXPECT_EQ(two(fabric, fabric.client, HixlMemType::Host), "PARAM_INVALID HX-XFER-09");
  EXPECT_EQ(two(server, server.client, HixlMemType::Host), "SUCCESS ");
  EXPECT_EQ(two(old, old.client, HixlMemType::Host), "UNSUPPORTED HX-PLAT-02");
  HixlCall relayed = relay.batch(relay.client, 1, true, HixlOp::Read, kAll * 2);
  relayed.ops.push_back({{2, HixlMemType::Host, 64}, {1, HixlMemType::Device, 64}, 64});
  EXPECT_EQ(relay.text(relay.go(relayed).status), "PARAM_INVALID");
  EXPECT_EQ(relay.said(), "HX-XFER-12? HX-XFER-08");
  HixlCall twice = server.batch(server.client, 1, true);
  twice.ops.push_back({{2, HixlMemType::Device, 32}, {1, HixlMemType::Device, 128}, 64});
  EXPECT_EQ(server.text(server.go(twice).status), "SUCCESS");
  EXPECT_EQ(server.said(), "HX-XFER-14");
  twice.op = HixlOp::Write;
  server.go(twice);
  EXPECT_EQ(server.said(), "");
}

// HX-XFER-10: links of UB between two places each; HX-PLAT-06
TEST(HixlBatch, PlacesOfUb) {
  static constexpr char kDevice[] =
      R"({"protocol": "ub_ctp", "placement": "device", "comm_id": "00000000000000000000000000000001"})";
  static constexpr char kHost[] =
      R"({"protocol": "ub_ctp", "placement": "host", "comm_id": "00000000000000000000000000000002"})";
  HixlRun run(on(Platform::Ascend950));
  run.ready(1, listed(kDevice));
  uint32_t client = run.ready(2, listed((llvm::Twine(kDevice) + "," + kHost).str()));
  run.said();
  EXPECT_EQ(run.connect(client, 1), "SUCCESS");
  EXPECT_EQ(run.read(client, 1), "SUCCESS");
  EXPECT_EQ(run.said(), "");
  HixlCall call = run.batch(client, 1, true);
  call.ops[0].remote.space = HixlMemType::Host;
  EXPECT_EQ(run.text(run.go(call).status), "FAILED");
  EXPECT_EQ(run.said(), "HX-XFER-10");
  uint32_t third = run.ready(3, listed(kHost), false);
  EXPECT_EQ(run.text(run.memory(third, 3, 0, 64).status), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-PLAT-06");
}

// The path through the NIC of the host holds 4096 requests, and does not see a device fail.
TEST(HixlBatch, RoceOfTheHost) {
  HixlPair run(listed(R"({"protocol": "roce", "placement": "host", "comm_id": "10.1.0.1"})"),
               on(Platform::Ascend950));
  EXPECT_EQ(run.connect(run.client, 1), "SUCCESS");
  for (int64_t i = 0; i != 4096; ++i)
    run.start(run.client, 1, 64, HixlOp::Read, i * 64);
  run.said();
  EXPECT_EQ(run.text(run.go(run.batch(run.client, 1, false, HixlOp::Read, kSlow, kSlow)).status),
            "RESOURCE_EXHAUSTED");
  EXPECT_EQ(run.said(), "HX-REQ-01");
  run.disconnect(run.client, 1);
  run.connect(run.client, 1);
  run.breaks(HixlFaultKind::Transfer, 2);
  uint32_t request = run.start(run.client, 1);
  run.passMs(100);
  EXPECT_EQ(run.query(run.client, request), "SUCCESS WAITING");
}

} // namespace pto::test
