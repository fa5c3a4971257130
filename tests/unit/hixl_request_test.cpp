//===- hixl_request_test.cpp - requests, and what queries say of them ----------===//
#include "unit/hixl_run.h"

namespace pto::test {

// T-50, T-52: HX-REQ-02 to HX-REQ-04
TEST(HixlRequest, QueriesOfOne) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(optionsOf(kind));
    EXPECT_EQ(run.query(run.client, 0), "FAILED FAILED");
    EXPECT_EQ(run.said(), "HX-REQ-03");
    EXPECT_EQ(run.query(run.client, 4711), "PARAM_INVALID FAILED");
    EXPECT_EQ(run.said(), "HX-REQ-04");
    uint32_t request = run.start(run.client, 1, kSlow);
    EXPECT_EQ(run.query(run.client, request), "SUCCESS WAITING");
    EXPECT_EQ(run.copies.size(), 0u);
    run.passMs(100);
    EXPECT_EQ(run.copies.size(), 1u);
    EXPECT_EQ(run.query(run.server, request), "PARAM_INVALID FAILED");
    EXPECT_EQ(run.said(), "HX-REQ-04");
    EXPECT_EQ(run.query(run.client, request), "SUCCESS COMPLETED");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.query(run.client, request), "PARAM_INVALID FAILED");
    EXPECT_EQ(run.misuses.back().other, run.sites - 1);
    EXPECT_EQ(run.said(), "HX-REQ-02");

    run.breaks(HixlFaultKind::Stall, 2);
    request = run.start(run.client, 1);
    run.passMs(100000);
    EXPECT_EQ(run.query(run.client, request), "SUCCESS WAITING");
    EXPECT_EQ(run.said(), "");
  }
}

// T-51: HX-REQ-06, HX-REQ-01
TEST(HixlRequest, QueryAfterDisconnect) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(optionsOf(kind));
    uint32_t request = run.start(run.client, 1, kSlow);
    EXPECT_EQ(run.disconnect(run.client, 1), "SUCCESS");
    EXPECT_EQ(run.said(), "HX-REQ-01");
    EXPECT_EQ(run.query(run.client, request),
              kind == 'M' ? "NOT_CONNECTED FAILED" : "PARAM_INVALID FAILED");
    EXPECT_EQ(run.said(), "HX-REQ-06");
    run.passMs(100);
    EXPECT_EQ(run.copies.size(), 0u);

    run.connect(run.client, 1);
    request = run.start(run.client, 1, kSlow);
    EXPECT_EQ(run.query(run.client, request), "SUCCESS WAITING");
    EXPECT_EQ(run.disconnect(run.client, 1), "SUCCESS"); // Its own deadline has passed.
    EXPECT_EQ(run.said(), "");
    run.connect(run.client, 1);
    run.start(run.client, 1, kSlow);
    EXPECT_EQ(run.finalize(run.client), "SUCCESS");
    EXPECT_EQ(run.said(), "HX-REQ-01 HX-ENG-15?");
  }
}

// HX-REQ-05: only M leaves an id behind
TEST(HixlRequest, OfARefusedTransfer) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(optionsOf(kind));
    HixlCall call = run.batch(run.client, 1, false);
    call.ops.clear();
    HixlAnswer answer = run.go(call);
    EXPECT_EQ(run.text(answer.status), "PARAM_INVALID");
    EXPECT_EQ(answer.id != 0, kind == 'M');
    run.said();
    EXPECT_EQ(run.query(run.client, answer.id),
              kind == 'M' ? "PARAM_INVALID FAILED" : "FAILED FAILED");
    EXPECT_EQ(run.said(), kind == 'M' ? "HX-REQ-05" : "HX-REQ-03");
  }
}

// 1.5, device failure; HX-XFER-23
TEST(HixlRequest, TheDeviceFails) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(optionsOf(kind));
    uint32_t request = run.start(run.client, 1, kSlow);
    run.breaks(HixlFaultKind::Transfer, 2);
    run.pass(run.now);
    EXPECT_EQ(run.query(run.client, request), kind == 'M' ? "SUCCESS WAITING" : "SUCCESS FAILED");
    EXPECT_EQ(run.said(), "");
    bool isLatched = kind == 'S';
    EXPECT_EQ(run.read(run.client, 1), isLatched ? "FAILED" : "SUCCESS");
    EXPECT_EQ(run.said(), isLatched ? "HX-CON-18" : kind == 'M' ? "HX-XFER-16" : "");
  }
  HixlLinked run(optionsOf('F'));
  run.breaks(HixlFaultKind::Transfer, 2);
  run.pass(run.now);
  uint32_t first = run.start(run.client, 1, 1 << 24);
  uint32_t second = run.start(run.client, 1, kSlow, HixlOp::Read, kSlow);
  run.passMs(1);
  EXPECT_EQ(run.said(), "HX-XFER-23?");
  EXPECT_EQ(run.query(run.client, first), "SUCCESS FAILED");
  EXPECT_EQ(run.query(run.client, second), "PARAM_INVALID FAILED");
  EXPECT_EQ(run.said(), "");
}

// T-54: HX-PLAT-07
TEST(HixlRequest, QueriesOfAllAreOfS) {
  for (char kind : {'M', 'F'}) {
    HixlLinked run(optionsOf(kind));
    HixlAnswer answer = run.go(run.of(run.client, HixlCallKind::GetTransferStatuses));
    EXPECT_EQ(run.text(answer.status), "UNSUPPORTED");
    EXPECT_EQ(run.said(), "HX-PLAT-07");
  }
}

// T-53: HX-REQ-10, HX-REQ-11
TEST(HixlRequest, QueriesOfAll) {
  HixlLinked run(optionsOf('S'));
  HixlCall all = run.of(run.client, HixlCallKind::GetTransferStatuses);
  EXPECT_EQ(run.go(all).requests.size(), 0u);
  std::vector<uint32_t> requests;
  for (uint64_t i = 0; i != 3; ++i) {
    HixlCall call = run.batch(run.client, 1, false, HixlOp::Read, int64_t(i) * 64);
    call.userData = 10 + i;
    requests.push_back(run.go(call).id);
  }
  run.passMs(1);
  uint32_t slow = run.start(run.client, 1, kSlow, HixlOp::Read, kSlow);
  EXPECT_EQ(run.said(), "");
  all.maxQueries = 0;
  EXPECT_TRUE(run.go(all).requests.empty() && run.said() == "HX-REQ-11~");
  all.maxQueries = 2;
  HixlAnswer answer = run.go(all);
  ASSERT_EQ(answer.requests.size(), 2u);
  EXPECT_EQ(answer.requests[0].request, requests[0]);
  EXPECT_EQ(answer.requests[1].userData, 11u);
  all.maxQueries = 100;
  all.skipsWaiting = true;
  ASSERT_EQ(run.go(all).requests.size(), 1u);
  all.skipsWaiting = false;
  answer = run.go(all);
  ASSERT_EQ(answer.requests.size(), 1u);
  EXPECT_EQ(answer.requests[0].status, HixlTransferStatus::Waiting);
  EXPECT_EQ(run.said(), "");
  EXPECT_EQ(run.query(run.client, requests[0]), "PARAM_INVALID FAILED");
  EXPECT_EQ(run.said(), "HX-REQ-10?");
  run.breaks(HixlFaultKind::Transfer, 2);
  uint32_t next = run.start(run.client, 1, 64, HixlOp::Read, 0);
  run.passMs(1);
  answer = run.go(all);
  ASSERT_EQ(answer.requests.size(), 2u);
  EXPECT_EQ(run.text(answer.status), "SUCCESS");
  EXPECT_EQ(answer.requests[0].request, slow);
  EXPECT_EQ(answer.requests[0].status, HixlTransferStatus::Failed);
  EXPECT_EQ(answer.requests[1].request, next);
}

// T-53: with AutoConnect one failure takes its link, and with it the other requests
TEST(HixlRequest, QueriesOfAllOverALinkThatIsDropped) {
  HixlLinked run(automatic('S'));
  run.breaks(HixlFaultKind::Transfer, 2);
  run.start(run.client, 1);
  run.start(run.client, 1, kSlow, HixlOp::Read, kSlow);
  run.passMs(1);
  HixlAnswer answer = run.go(run.of(run.client, HixlCallKind::GetTransferStatuses));
  ASSERT_EQ(answer.requests.size(), 2u);
  for (const HixlRequestAnswer &request : answer.requests)
    EXPECT_EQ(request.status, HixlTransferStatus::Failed);
  EXPECT_EQ(run.disconnect(run.client, 1), "NOT_CONNECTED");
}

// HX-XFER-15, HX-XFER-16
TEST(HixlRequest, ConflictsOfOpenRequests) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(optionsOf(kind));
    uint32_t read = run.start(run.client, 1, kSlow);
    EXPECT_EQ(run.said(), "");
    run.start(run.client, 1, kSlow, HixlOp::Read, kSlow); // Other bytes.
    EXPECT_EQ(run.said(), "");
    run.start(run.client, 1, 64, HixlOp::Write, 128);
    EXPECT_EQ(run.misuses.back().other, run.sites - 2);
    EXPECT_EQ(run.said(), "HX-XFER-16");
    run.passMs(100);
    run.start(run.client, 1, 64, HixlOp::Read, 0); // The first was not polled.
    EXPECT_EQ(run.said(), "HX-XFER-16");
    EXPECT_EQ(run.query(run.client, read), "SUCCESS COMPLETED");
    run.passMs(1);

    uint32_t third = run.ready(3, optionsOf(kind));
    run.connect(third, 1);
    run.start(run.client, 1, kSlow, HixlOp::Write, 2 * kSlow);
    EXPECT_EQ(run.said(), "");
    run.start(third, 1, 64, HixlOp::Read, 2 * kSlow);
    EXPECT_EQ(run.said(), "HX-XFER-15");
    run.passMs(100);
    run.start(third, 1, 64, HixlOp::Read, 2 * kSlow + 4096);
    EXPECT_EQ(run.said(), "");
  }
}

// HX-XFER-18, HX-XFER-24
TEST(HixlRequest, NoStreamIsFree) {
  struct Row {
    char kind;
    const char *resources;
    int32_t links;
    const char *sync;
    const char *async;
  };
  const Row kRows[] = {
      {'S', R"({"comm_resource_config.max_active_channels": 2})", 2,
       "RESOURCE_EXHAUSTED HX-XFER-18?", "RESOURCE_EXHAUSTED HX-XFER-24?"},
      {'F', R"({"fabric_memory.enable_aicpu_unfold": false, "fabric_memory.task_stream_num": 8})",
       64, "TIMEOUT HX-XFER-18?", "FAILED HX-XFER-24?"},
  };
  for (const Row &row : kRows) {
    HixlRun run;
    Options options = optionsOf(row.kind);
    options.push_back({"GlobalResourceConfig", row.resources});
    uint32_t client = run.ready(0, options);
    std::vector<uint32_t> requests;
    for (int32_t host = 1; host <= row.links + 1; ++host) {
      run.ready(host, options);
      EXPECT_EQ(run.connect(client, host), "SUCCESS");
      if (host > row.links)
        break;
      requests.push_back(run.start(client, host, 64, HixlOp::Read, host * 64));
    }
    EXPECT_EQ(run.said(), "");
    std::string sync = run.read(client, row.links + 1);
    EXPECT_EQ(sync + " " + run.said(), row.sync);
    std::string async = run.text(run.go(run.batch(client, row.links + 1, false)).status);
    EXPECT_EQ(async + " " + run.said(), row.async);
    run.passMs(1);
    EXPECT_EQ(run.query(client, requests[0]), "SUCCESS COMPLETED");
    if (row.kind == 'F')
      EXPECT_EQ(run.read(client, row.links + 1), "SUCCESS");
  }
}

// Requests of a link of M follow each other; those of S and F do not.
TEST(HixlRequest, OneStreamOfM) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(optionsOf(kind));
    uint32_t slow = run.start(run.client, 1, kSlow);
    uint32_t quick = run.start(run.client, 1, 64, HixlOp::Read, kSlow);
    run.pass(run.now + 100000000);
    EXPECT_EQ(run.query(run.client, slow), "SUCCESS WAITING");
    EXPECT_EQ(run.query(run.client, quick), kind == 'M' ? "SUCCESS WAITING" : "SUCCESS COMPLETED");
  }
}

} // namespace pto::test
