//===- hixl_pool_run_test.cpp - links that a channel pool takes away -----------===//
#include "unit/hixl_run.h"

namespace pto::test {

static Options pool(int max, const char *high, const char *low, bool isAutomatic = false) {
  std::string text = R"({"channel_pool.max_channel": )" + std::to_string(max) +
                     R"(, "channel_pool.high_waterline": )" + high +
                     R"(, "channel_pool.low_waterline": )" + low + "}";
  Options options = {{"BufferPool", "0:0"}, {"GlobalResourceConfig", text}};
  if (isAutomatic)
    options.push_back({"AutoConnect", "1"});
  return options;
}
static const Options kTen() { return pool(10, "0.3", "0.1"); }

// T-80: HX-POOL-01
TEST(HixlPoolRun, AClientOfFourServers) {
  HixlRun run;
  uint32_t client = run.ready(9, kTen());
  for (int32_t host = 1; host != 5; ++host) {
    run.ready(host, kTen());
    EXPECT_EQ(run.connect(client, host), "SUCCESS");
  }
  EXPECT_EQ(run.said(), "");
  for (int32_t host : {1, 2}) {
    EXPECT_EQ(run.disconnect(client, host), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-POOL-01?");
    EXPECT_EQ(run.notify(client, host, "n"), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-POOL-01?");
  }
  EXPECT_EQ(run.connect(client, 1), "SUCCESS");
  EXPECT_EQ(run.disconnect(client, 4), "SUCCESS");
  EXPECT_EQ(run.said(), "");
}

// T-81: the links that lead to a server count for it
TEST(HixlPoolRun, AServerOfFourClients) {
  HixlRun run;
  run.ready(9, kTen());
  std::vector<uint32_t> clients;
  for (int32_t host = 1; host != 5; ++host) {
    clients.push_back(run.ready(host, kTen()));
    EXPECT_EQ(run.connect(clients.back(), 9), "SUCCESS");
  }
  EXPECT_EQ(run.disconnect(clients[0], 9), "NOT_CONNECTED");
  EXPECT_EQ(run.disconnect(clients[1], 9), "NOT_CONNECTED");
  EXPECT_EQ(run.said(), "HX-POOL-01? HX-POOL-01?");
  EXPECT_EQ(run.disconnect(clients[2], 9), "SUCCESS");
  EXPECT_EQ(run.disconnect(clients[3], 9), "SUCCESS");
}

// T-82, T-83
TEST(HixlPoolRun, ALinkThatHasTransferredStays) {
  HixlRun run;
  uint32_t client = run.ready(9, kTen());
  for (int32_t host = 1; host != 5; ++host) {
    run.ready(host, kTen());
    if (host == 1)
      EXPECT_EQ(run.read(client, 1), "SUCCESS"); // It connects by itself.
    else
      EXPECT_EQ(run.connect(client, host), "SUCCESS");
  }
  EXPECT_EQ(run.said(), "");
  EXPECT_EQ(run.connect(client, 1), "ALREADY_CONNECTED");
  EXPECT_EQ(run.said(), "HX-CON-17~");
  EXPECT_EQ(run.disconnect(client, 1), "SUCCESS");
  EXPECT_EQ(run.disconnect(client, 2), "NOT_CONNECTED");
}

// T-85: a link with an open request stays, and the pool goes on
TEST(HixlPoolRun, ARequestPinsItsLink) {
  HixlRun run;
  uint32_t client = run.ready(9, kTen());
  uint32_t request = 0;
  for (int32_t host = 1; host != 8; ++host) {
    run.ready(host, kTen());
    EXPECT_EQ(run.connect(client, host), "SUCCESS");
    if (host == 1)
      request = run.start(client, 1, kAll / 2);
  }
  EXPECT_EQ(run.said(), ""); // Links without a transfer go before it.
  run.passMs(100);
  EXPECT_EQ(run.query(client, request), "SUCCESS COMPLETED");
  EXPECT_EQ(run.disconnect(client, 1), "SUCCESS");
}

// T-86: HX-POOL-03
TEST(HixlPoolRun, EveryPlaceIsPinned) {
  HixlRun run;
  Options options = pool(3, "0.67", "0.33");
  uint32_t client = run.ready(9, options);
  std::vector<uint32_t> requests;
  for (int32_t host = 1; host != 4; ++host) {
    run.ready(host, options);
    EXPECT_EQ(run.connect(client, host), "SUCCESS");
    requests.push_back(run.start(client, host, 64, HixlOp::Read, host * 64));
  }
  EXPECT_EQ(run.said(), "HX-POOL-02?");
  run.ready(4, options);
  int64_t before = run.now;
  EXPECT_EQ(run.connect(client, 4, 500), "RESOURCE_EXHAUSTED");
  EXPECT_GE(run.now - before, 500 * int64_t(1000000000));
  EXPECT_NE(run.said().find("HX-POOL-03"), std::string::npos);
  for (uint32_t request : requests)
    EXPECT_EQ(run.query(client, request), "SUCCESS COMPLETED");
  EXPECT_EQ(run.connect(client, 4, 500), "SUCCESS");
  EXPECT_EQ(run.said(), "");
}

// HX-POOL-06, HX-POOL-07, HX-OPT-34
TEST(HixlPoolRun, WhatElseAPoolChanges) {
  HixlRun run;
  run.ready(1, kTen());
  uint32_t client = run.ready(9, kTen());
  run.connect(client, 1);
  run.cluster.fault({HixlFaultKind::Transfer, 9, 0, run.now, 0});
  EXPECT_EQ(run.read(client, 1), "FAILED");
  EXPECT_EQ(run.said(), "HX-POOL-06~");
  EXPECT_EQ(run.read(client, 1), "SUCCESS");
  run.disconnect(client, 1);
  run.connect(client, 1);
  run.notify(client, 1, "unread");
  for (int32_t host = 2; host != 5; ++host) {
    run.ready(host, kTen());
    run.connect(client, host);
  }
  EXPECT_EQ(run.said(), "HX-POOL-07?");
  run.ready(6, optionsOf('M'));
  EXPECT_EQ(run.connect(client, 6), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-OPT-34?");
}

// T-87: the larger side gives first, then both in turn
TEST(HixlPoolRun, VictimsOfBothSides) {
  HixlRun run;
  Options options = pool(10, "0.6", "0.2");
  uint32_t middle = run.ready(9, options);
  std::vector<uint32_t> clients;
  for (int32_t host = 1; host != 5; ++host) {
    run.ready(host, options);
    run.connect(middle, host); // Four links lead away,
  }
  for (int32_t host = 11; host != 13; ++host) {
    clients.push_back(run.ready(host, options));
    run.connect(clients.back(), 9); // and two lead here.
  }
  run.ready(5, options);
  EXPECT_EQ(run.connect(middle, 5), "SUCCESS"); // Four victims: 1 and 2, then 3 and client 11.
  for (int32_t host = 1; host != 4; ++host)
    EXPECT_EQ(run.disconnect(middle, host), "NOT_CONNECTED") << host;
  EXPECT_EQ(run.disconnect(middle, 4), "SUCCESS");
  EXPECT_EQ(run.disconnect(clients[0], 9), "NOT_CONNECTED");
  EXPECT_EQ(run.disconnect(clients[1], 9), "SUCCESS");
}

} // namespace pto::test
