//===- hixl_async_connect_test.cpp - connects that workers do ------------------===//
#include "unit/hixl_run.h"

namespace pto::test {

using enum HixlCallKind;

static Options workers(char kind, int threads, int queue) {
  Options options = optionsOf(kind);
  options.push_back({"GlobalResourceConfig", R"({"connect_pool.thread_num": )" +
                                                 std::to_string(threads) +
                                                 R"(, "connect_pool.task_queue_capacity": )" +
                                                 std::to_string(queue) + "}"});
  return options;
}

// T-28
TEST(HixlAsyncConnect, ToThreeServers) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlRun run;
    uint32_t client = run.ready(9, workers(kind, 2, 8));
    for (int32_t host = 1; host != 4; ++host) {
      run.ready(host, workers(kind, 2, 8));
      EXPECT_EQ(run.with(client, ConnectAsync, host), "SUCCESS");
    }
    EXPECT_EQ(run.asyncStatus(client, 3), "CONNECT_PENDING");
    EXPECT_EQ(run.asyncStatus(client, 5), "NOT_CONNECT");
    run.pass(run.now + 20000000);
    EXPECT_EQ(run.asyncStatus(client, 1), "CONNECTING");
    EXPECT_EQ(run.asyncStatus(client, 3), "CONNECT_PENDING");
    run.passMs(100);
    HixlAnswer all = run.go(run.of(client, GetAsyncConnectAll));
    ASSERT_EQ(all.connections.size(), 3u);
    for (const auto &[remote, status] : all.connections)
      EXPECT_EQ(status, HixlConnectStatus::Connected);
    EXPECT_EQ(run.read(client, 2), "SUCCESS");
    for (int32_t host = 1; host != 4; ++host)
      EXPECT_EQ(run.with(client, DisconnectAsync, host), "SUCCESS");
    EXPECT_EQ(run.asyncStatus(client, 1), "DISCONNECT_PENDING");
    run.passMs(100);
    EXPECT_EQ(run.go(run.of(client, GetAsyncConnectAll)).connections.size(), 0u);
    EXPECT_EQ(run.read(client, 2), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-XFER-04");
  }
}

// T-29, T-30: HX-CON-09, HX-CON-11
TEST(HixlAsyncConnect, ToNobody) {
  HixlRun run;
  uint32_t client = run.ready(9, optionsOf('S'));
  EXPECT_EQ(run.with(client, ConnectAsync, 1), "SUCCESS");
  EXPECT_EQ(run.said(), "");
  run.passMs(100);
  EXPECT_EQ(run.said(), "HX-CON-03");
  EXPECT_EQ(run.asyncStatus(client, 1), "CONNECT_FAILED");
  EXPECT_EQ(run.read(client, 1), "NOT_CONNECTED");
  EXPECT_EQ(run.said(), "HX-CON-09");
  EXPECT_EQ(run.with(client, DisconnectAsync, 1), "SUCCESS");
  run.passMs(100);
  EXPECT_EQ(run.asyncStatus(client, 1), "NOT_CONNECT");
  EXPECT_EQ(run.said(), "HX-CON-11~");
  EXPECT_EQ(run.with(client, ConnectAsync, 1, 0), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-CON-01");
}

// HX-CON-08
TEST(HixlAsyncConnect, UsedBeforeItIsThere) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlRun run;
    run.ready(1, optionsOf(kind));
    uint32_t client = run.ready(2, optionsOf(kind));
    run.with(client, ConnectAsync, 1);
    EXPECT_EQ(run.read(client, 1), "NOT_CONNECTED");
    EXPECT_EQ(run.said(), "HX-CON-08");
    run.passMs(100);
    EXPECT_EQ(run.read(client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "HX-CON-08");
    EXPECT_EQ(run.asyncStatus(client, 1), "CONNECTED");
    EXPECT_EQ(run.read(client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "");
  }
}

// HX-CON-07
TEST(HixlAsyncConnect, MixedWithTheOtherKind) {
  HixlRun run;
  run.ready(1, optionsOf('S'));
  uint32_t client = run.ready(2, optionsOf('S'));
  run.with(client, ConnectAsync, 1);
  run.passMs(100);
  EXPECT_EQ(run.said(), "");
  EXPECT_EQ(run.disconnect(client, 1), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-CON-07");
  EXPECT_EQ(run.asyncStatus(client, 1), "CONNECTED"); // It is stale.
  EXPECT_EQ(run.read(client, 1), "NOT_CONNECTED");
}

// HX-CON-10, HX-CON-12
TEST(HixlAsyncConnect, TheQueueIsFull) {
  HixlRun run;
  uint32_t client = run.ready(9, workers('S', 1, 2), false);
  for (int32_t host = 1; host != 4; ++host)
    run.ready(host, workers('S', 1, 2), false);
  EXPECT_EQ(run.with(client, ConnectAsync, 1), "SUCCESS");
  EXPECT_EQ(run.with(client, ConnectAsync, 2), "SUCCESS");
  EXPECT_EQ(run.with(client, ConnectAsync, 3), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(run.said(), "HX-CON-10");
  EXPECT_EQ(run.asyncStatus(client, 3), "NOT_CONNECT");
  run.pass(run.now + 20000000);
  EXPECT_EQ(run.with(client, ConnectAsync, 3), "SUCCESS");
  EXPECT_EQ(run.finalize(client), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-CON-12?"); // It has waited for the connect to 1.
  run.passMs(100);
  EXPECT_EQ(run.said(), "");
}

// The latest request wins, but two of a kind show the first one's end.
TEST(HixlAsyncConnect, TheLatestRequestWins) {
  HixlRun run;
  run.ready(1, optionsOf('S'));
  uint32_t client = run.ready(2, optionsOf('S'));
  run.with(client, ConnectAsync, 1);
  run.with(client, DisconnectAsync, 1);
  run.pass(run.now + 20000000);
  EXPECT_EQ(run.asyncStatus(client, 1), "DISCONNECT_PENDING");
  run.passMs(100);
  EXPECT_EQ(run.asyncStatus(client, 1), "NOT_CONNECT");
  run.with(client, ConnectAsync, 1);
  run.with(client, ConnectAsync, 1);
  run.pass(run.now + 20000000);
  EXPECT_EQ(run.asyncStatus(client, 1), "CONNECTING");
  run.passMs(100);
  EXPECT_EQ(run.asyncStatus(client, 1), "CONNECTED");
  EXPECT_EQ(run.said(), "");
}

} // namespace pto::test
