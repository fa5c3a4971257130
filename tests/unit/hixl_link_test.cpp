//===- hixl_link_test.cpp - connects, links and transfers over them ------------===//
#include "unit/hixl_run.h"

namespace pto::test {

static Options with(char kind, const char *key, const char *value) {
  Options options = optionsOf(kind);
  options.push_back({key, value});
  return options;
}
static Options automatic(char kind) { return with(kind, "AutoConnect", "1"); }

namespace {
/// A server on host 1 and a client on host 2, each with memory.
struct Pair : HixlRun {
  explicit Pair(const Options &options, HixlClusterConfig config = {}) : HixlRun(config) {
    server = ready(1, options);
    client = ready(2, options);
  }
  uint32_t server;
  uint32_t client;
};
} // namespace

// T-22, T-23: HX-CON-01 to HX-CON-06
TEST(HixlLink, ConnectAndDisconnect) {
  for (char kind : {'M', 'S', 'F'}) {
    Pair run(optionsOf(kind));
    EXPECT_EQ(run.connect(run.client, 7), "FAILED");
    EXPECT_EQ(run.said(), "HX-CON-03");
    EXPECT_EQ(run.connect(run.client, 1, 0), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-CON-01");
    EXPECT_EQ(run.connect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.connect(run.client, 1), "ALREADY_CONNECTED");
    EXPECT_EQ(run.misuses.back().other, run.sites - 1);
    EXPECT_EQ(run.said(), "HX-CON-04?");
    EXPECT_EQ(run.disconnect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.disconnect(run.client, 1), "NOT_CONNECTED");
    EXPECT_EQ(run.misuses.back().other, run.sites - 1);
    EXPECT_EQ(run.said(), "HX-CON-06?");
    EXPECT_EQ(run.connect(run.client, 1, 199), "SUCCESS");
    EXPECT_EQ(run.said(), "HX-CON-02~");
    EXPECT_EQ(run.connect(run.server, 2, 1), "TIMEOUT");
    EXPECT_EQ(run.said(), "HX-CON-02~ HX-CON-03");
    EXPECT_EQ(run.connect(run.client, 2), kind == 'F' ? "SUCCESS" : "PARAM_INVALID");
    EXPECT_EQ(run.said(), kind == 'F' ? "" : "HX-CON-05");
    HixlCall call = run.of(run.client, HixlCallKind::Connect);
    call.remote = "10.0.0.1";
    EXPECT_EQ(run.text(run.go(call).status), kind == 'F' ? "PARAM_INVALID" : "FAILED");
    EXPECT_EQ(run.said(), "HX-CON-03");
  }
}

// T-24: two callers, one link
TEST(HixlLink, TwoConnectsRace) {
  for (char kind : {'S', 'F'}) {
    Pair run(optionsOf(kind));
    HixlCall call = run.of(run.client, HixlCallKind::Connect);
    call.remote = HixlRun::nameOf(1);
    run.begin(call);
    run.begin(call);
    run.passMs(100);
    ASSERT_EQ(run.wakes.size(), 2u);
    EXPECT_EQ(run.text(run.wakes[0].answer.status), "SUCCESS");
    EXPECT_EQ(run.text(run.wakes[1].answer.status), "ALREADY_CONNECTED");
  }
}

// T-25, T-26, HX-ENG-07
TEST(HixlLink, OneSideGoes) {
  for (char kind : {'M', 'S', 'F'}) {
    Pair run(optionsOf(kind));
    run.connect(run.client, 1);
    run.finalize(run.client);
    run.said();
    EXPECT_EQ(run.initialize(run.client, HixlRun::nameOf(2), optionsOf(kind)), "SUCCESS");
    EXPECT_EQ(run.connect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    run.finalize(run.server);
    EXPECT_EQ(run.said(), "HX-ENG-07 HX-ENG-15?");
    EXPECT_EQ(run.disconnect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.disconnect(run.client, 1), "NOT_CONNECTED");
  }
}

// T-27, T-37: the heartbeat
TEST(HixlLink, HeartbeatDropsTheLinkOfADeadPeer) {
  for (char kind : {'M', 'S', 'F'}) {
    Pair run(automatic(kind));
    run.connect(run.client, 1);
    run.finalize(run.server);
    run.said();
    run.passMs(10000);
    EXPECT_EQ(run.disconnect(run.client, 1), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-CON-06?");
  }
}

// T-33: HX-CON-17
TEST(HixlLink, AutoConnect) {
  for (char kind : {'M', 'S', 'F'}) {
    Pair run(automatic(kind));
    EXPECT_EQ(run.read(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.connect(run.client, 1), "ALREADY_CONNECTED");
    EXPECT_EQ(run.said(), "HX-CON-17~");
    EXPECT_EQ(run.disconnect(run.client, 1), "SUCCESS");
    uint32_t request = run.start(run.client, 1);
    run.passMs(10);
    EXPECT_EQ(run.query(run.client, request), "SUCCESS COMPLETED");
    EXPECT_EQ(run.read(run.client, 7), kind == 'M' ? "NOT_CONNECTED" : "FAILED");
    EXPECT_EQ(run.said(), "HX-CON-03");
  }
}

// T-34: HX-XFER-20
TEST(HixlLink, AutoConnectDropsTheLinkOfAFailedTransfer) {
  Pair run(automatic('S'));
  uint32_t request = run.start(run.client, 1, kSlow);
  HixlCall call = run.batch(run.client, 1, true, HixlOp::Read, kAll, 0, 64);
  EXPECT_EQ(run.text(run.go(call).status), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-XFER-05 HX-XFER-20?");
  EXPECT_EQ(run.disconnect(run.client, 1), "NOT_CONNECTED");
  EXPECT_EQ(run.query(run.client, request), "PARAM_INVALID FAILED");
}

// T-35, T-36: HX-CON-18, HX-XFER-22
TEST(HixlLink, ABrokenLinkStaysBroken) {
  for (char kind : {'M', 'S'}) {
    Pair run(optionsOf(kind));
    run.connect(run.client, 1);
    uint32_t request = run.start(run.client, 1, kSlow);
    run.cluster.fault({HixlFaultKind::Stall, 2, 0, run.now, 0});
    run.pass(run.now);
    HixlCall call = run.batch(run.client, 1, true, HixlOp::Read, kSlow, kSlow);
    EXPECT_EQ(run.text(run.go(call).status), "TIMEOUT");
    EXPECT_EQ(run.said(), kind == 'M' ? "HX-XFER-22?" : "") << kind;
    EXPECT_EQ(run.query(run.client, request), kind == 'M' ? "FAILED FAILED" : "SUCCESS COMPLETED");
    EXPECT_EQ(run.read(run.client, 1), "FAILED");
    EXPECT_EQ(run.said(), "HX-CON-18");
    EXPECT_EQ(run.text(run.go(run.batch(run.client, 1, false)).status), "FAILED");
    EXPECT_EQ(run.said(), "HX-CON-18");
    EXPECT_EQ(run.disconnect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.connect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.read(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "");

    Pair automatically(automatic(kind));
    automatically.cluster.fault({HixlFaultKind::Stall, 2, 0, 0, 0});
    EXPECT_EQ(automatically.read(automatically.client, 1), "TIMEOUT");
    EXPECT_EQ(automatically.read(automatically.client, 1), "SUCCESS");
    EXPECT_EQ(automatically.said(), "");
  }
}

TEST(HixlLink, ALostLink) {
  for (char kind : {'M', 'S', 'F'}) {
    Pair run(optionsOf(kind));
    run.connect(run.client, 1);
    uint32_t request = run.start(run.client, 1, kSlow);
    HixlFault cut{HixlFaultKind::Link, 1, 2, run.now, run.now + 500 * int64_t(1000000000)};
    run.cluster.fault(cut);
    run.passMs(100);
    EXPECT_EQ(run.query(run.client, request), kind == 'M' ? "SUCCESS WAITING" : "SUCCESS FAILED");
    EXPECT_EQ(run.copies.size(), 0u);
    run.passMs(500);
    EXPECT_EQ(run.read(run.client, 1), kind == 'S' ? "FAILED" : "SUCCESS");
    run.disconnect(run.client, 1);
    EXPECT_EQ(run.connect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.read(run.client, 1), "SUCCESS");
    run.cluster.fault({HixlFaultKind::Host, 1, 0, run.now, 0});
    EXPECT_EQ(run.read(run.client, 1), "FAILED");
    run.disconnect(run.client, 1);
    EXPECT_EQ(run.connect(run.client, 1), "TIMEOUT");
  }
}

// HX-XFER-01 to HX-XFER-06, HX-MEM-05, HX-MEM-06, HX-XFER-07, HX-XFER-11, HX-XFER-12
TEST(HixlLink, Ranges) {
  struct Row {
    char kind;
    bool isSync;
    int64_t local, remote, bytes;
    const char *comes;
  };
  constexpr int64_t kLate = 2 * kAll, kNone = 3 * kAll;
  const Row kRows[] = {
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
      {'R', true, 0, kLate, 64, "SUCCESS HX-XFER-12?"},
      {'R', false, 0, kNone, 64, "FAILED HX-XFER-11"},
  };
  for (const Row &row : kRows) {
    Pair run(row.kind == 'R' ? Options{{"BufferPool", "4:8"}} : optionsOf(row.kind));
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
TEST(HixlLink, TransfersWithoutALink) {
  for (char kind : {'M', 'S', 'F'}) {
    Pair run(optionsOf(kind));
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
TEST(HixlLink, Batches) {
  auto two = [](HixlRun &run, uint32_t engine, HixlMemType second) {
    HixlCall call = run.batch(engine, 1, true);
    call.ops.push_back({{2, second, 64}, {1, HixlMemType::Device, 64}, 64});
    std::string status = run.text(run.go(call).status);
    return status + " " + run.said();
  };
  Pair relay(Options{{"BufferPool", "4:8"}}), fabric(optionsOf('F')), server(optionsOf('S'));
  HixlClusterConfig a2;
  a2.platform = Platform::A2;
  Pair old(optionsOf('M'), a2);
  for (Pair *run : {&relay, &fabric, &server, &old}) {
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

// T-38, T-39: HX-CON-14, HX-XFER-10, HX-PLAT-04, HX-OPT-33, HX-OPT-34
TEST(HixlLink, Endpoints) {
  auto listed = [](const char *endpoints, const char *pod = "pod") {
    return Options{{"LocalCommRes", std::string(R"({"version": "1.3", "net_instance_id": ")") +
                                        pod + R"(", "endpoint_list": [)" + endpoints + "]}"}};
  };
  const char *kRoce = R"({"protocol": "roce", "comm_id": "10.1.0.1", "placement": "device"})";
  const char *kHccs = R"({"protocol": "hccs", "comm_id": "1", "placement": "device"})";
  HixlRun run;
  uint32_t client = run.ready(2, listed(kRoce));
  run.ready(1, listed(kHccs));
  EXPECT_EQ(run.connect(client, 1), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-CON-14");
  uint32_t third = run.ready(3, listed(kHccs, "elsewhere"));
  EXPECT_EQ(run.connect(third, 1), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-PLAT-04");
  run.ready(4, optionsOf('M'));
  EXPECT_EQ(run.connect(client, 4), "FAILED");
  EXPECT_EQ(run.said(), "HX-OPT-33");
  uint32_t relay = run.ready(5, {});
  EXPECT_EQ(run.connect(relay, 4), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-OPT-33");

  HixlClusterConfig config;
  config.platform = Platform::Ascend950;
  HixlRun ub(config);
  const char *kDesc = R"({"comm_resource_config.protocol_desc": "ub_ctp:device"})";
  ub.ready(1, {{"GlobalResourceConfig", kDesc}});
  client = ub.ready(2, {{"GlobalResourceConfig", kDesc}});
  EXPECT_EQ(ub.connect(client, 1), "SUCCESS");
  ub.said();
  EXPECT_EQ(ub.read(client, 1), "SUCCESS");
  EXPECT_EQ(ub.said(), "");
}

// HX-CON-13
TEST(HixlLink, ManyLinks) {
  HixlRun run;
  uint32_t client = run.ready(1, optionsOf('M'), false);
  for (int32_t host = 2; host != 515; ++host) {
    uint32_t server = run.add(host);
    std::string name = "10.0." + std::to_string(host) + ".1:26000";
    name = "10." + std::to_string(host / 250) + "." + std::to_string(host % 250) + ".1:26000";
    run.initialize(server, name, optionsOf('M'));
    EXPECT_EQ(run.said(), "");
    HixlCall call = run.of(client, HixlCallKind::Connect);
    call.remote = name;
    EXPECT_EQ(run.text(run.go(call).status), "SUCCESS");
  }
  EXPECT_EQ(run.said(), "HX-CON-13?");
  uint32_t beside = run.add(1);
  run.initialize(beside, "10.9.9.9:26000", optionsOf('M'));
  EXPECT_EQ(run.connect(beside, 1), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-CON-05");
}

} // namespace pto::test
