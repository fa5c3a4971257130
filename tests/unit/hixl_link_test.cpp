//===- hixl_link_test.cpp - connects and what becomes of links ----------------===//
#include "unit/hixl_run.h"

namespace pto::test {

// T-22, T-23: HX-CON-01 to HX-CON-06
TEST(HixlLink, ConnectAndDisconnect) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlPair run(optionsOf(kind));
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
    HixlPair run(optionsOf(kind));
    HixlCall call = run.of(run.client, HixlCallKind::Connect);
    call.remote = HixlRun::nameOf(1);
    run.begin(call);
    run.begin(call);
    run.passMs(100);
    ASSERT_EQ(run.wakes.size(), 2u);
    EXPECT_EQ(run.text(run.wakes[0].answer.status), "SUCCESS");
    EXPECT_EQ(run.text(run.wakes[1].answer.status), "ALREADY_CONNECTED");
    EXPECT_EQ(run.said(), "HX-CON-04?");
  }
}

// T-25, T-26, HX-ENG-07
TEST(HixlLink, OneSideGoes) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlPair run(optionsOf(kind));
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
    HixlPair run(automatic(kind));
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
    HixlPair run(automatic(kind));
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
  HixlPair run(automatic('S'));
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
    HixlPair run(optionsOf(kind));
    run.connect(run.client, 1);
    uint32_t request = run.start(run.client, 1, kSlow);
    run.breaks(HixlFaultKind::Stall, 2);
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

    HixlPair automatically(automatic(kind));
    automatically.cluster.fault({HixlFaultKind::Stall, 2, 0, 0, 0});
    EXPECT_EQ(automatically.read(automatically.client, 1), "TIMEOUT");
    EXPECT_EQ(automatically.read(automatically.client, 1), "SUCCESS");
    EXPECT_EQ(automatically.said(), "");
  }
}

TEST(HixlLink, ALostLink) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlPair run(optionsOf(kind));
    run.connect(run.client, 1);
    uint32_t request = run.start(run.client, 1, kSlow);
    HixlFault cut{HixlFaultKind::Link, 1, 2, run.now, run.now + 500 * kMs};
    run.cluster.fault(cut);
    run.passMs(100);
    EXPECT_EQ(run.query(run.client, request), kind == 'M' ? "SUCCESS WAITING" : "SUCCESS FAILED");
    EXPECT_EQ(run.copies.size(), 0u);
    run.passMs(500);
    EXPECT_EQ(run.read(run.client, 1), kind == 'S' ? "FAILED" : "SUCCESS");
    run.disconnect(run.client, 1);
    EXPECT_EQ(run.connect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.read(run.client, 1), "SUCCESS");
    run.breaks(HixlFaultKind::Host, 1);
    EXPECT_EQ(run.read(run.client, 1), "FAILED");
    run.disconnect(run.client, 1);
    run.said();
    EXPECT_EQ(run.connect(run.client, 1), "TIMEOUT");
    EXPECT_EQ(run.said(), "") << "what a fault alone has done is no misuse";
  }
}

// T-38, T-39: HX-CON-14, HX-XFER-10, HX-PLAT-04, HX-OPT-33, HX-OPT-34
TEST(HixlLink, Endpoints) {
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

  HixlRun ub(on(Platform::Ascend950));
  const char *kDesc = R"({"comm_resource_config.protocol_desc": "ub_ctp:device"})";
  ub.ready(1, {{"GlobalResourceConfig", kDesc}});
  client = ub.ready(2, {{"GlobalResourceConfig", kDesc}});
  EXPECT_EQ(ub.connect(client, 1), "SUCCESS");
  ub.said();
  EXPECT_EQ(ub.read(client, 1), "SUCCESS");
  EXPECT_EQ(ub.said(), "");
}

// A cut that heals within a heartbeat is not seen; one that lasts takes the link.
TEST(HixlLink, TheHeartbeatOverALostLink) {
  for (int64_t lastsMs : {2000, 20000}) {
    HixlPair run(automatic('S'));
    run.connect(run.client, 1);
    int64_t until = run.now + lastsMs * kMs;
    run.cluster.fault({HixlFaultKind::Link, 1, 2, run.now, until});
    run.passMs(30000);
    EXPECT_EQ(run.disconnect(run.client, 1), lastsMs > 10000 ? "NOT_CONNECTED" : "SUCCESS");
  }
}

// HX-OPT-35, HX-OPT-36
TEST(HixlLink, EnginesOfOneProcess) {
  HixlRun run;
  uint32_t first = run.ready(1, optionsOf('F'), false), second = run.add(1);
  EXPECT_EQ(run.initialize(
                second, "10.0.0.1:26001",
                optionsWith('F', "GlobalResourceConfig", R"({"fabric_memory.max_capacity": 16})")),
            "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-OPT-36");
  EXPECT_EQ(run.initialize(second, "10.0.0.1:26001", optionsOf('F')), "SUCCESS");
  EXPECT_EQ(run.connect(second, 1), "SUCCESS");
  EXPECT_EQ(run.said(), "");
  run.finalize(second);
  run.finalize(first);
  run.said();

  run.ready(2, optionsOf('S'), false);
  run.ready(3, optionsOf('S'), false);
  EXPECT_EQ(run.initialize(second, "10.0.0.1:26001",
                           optionsWith('S', "GlobalResourceConfig",
                                       R"({"comm_resource_config.max_active_channels": 16})")),
            "SUCCESS");
  EXPECT_EQ(run.initialize(first, "10.0.0.1:26000", optionsOf('S')), "SUCCESS");
  EXPECT_EQ(run.connect(first, 3), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-OPT-35");
}

// A remote that lists nothing, and one that registered nothing but 0 bytes.
TEST(HixlLink, RemotesThatCannotBeConnectedTo) {
  const HixlText kVariables[] = {{"HCCL_INTRA_ROCE_ENABLE", "1"}};
  HixlClusterConfig config = on(Platform::Ascend950);
  config.surroundings.variables = kVariables;
  HixlRun run(config);
  run.ready(1, {}, false);
  uint32_t client = run.ready(2, {}, false);
  run.said();
  EXPECT_EQ(run.connect(client, 1), "FAILED");
  EXPECT_EQ(run.said(), "HX-CON-14");

  HixlPair pair(optionsOf('S'));
  pair.memory(pair.server, 1, kAll * 2, 0);
  EXPECT_EQ(pair.said(), "HX-MEM-01");
  EXPECT_EQ(pair.connect(pair.client, 1), "PARAM_INVALID");
  EXPECT_EQ(pair.said(), "HX-MEM-01");
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
