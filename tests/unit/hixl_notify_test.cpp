//===- hixl_notify_test.cpp - notifies, their queues and their limits ----------===//
#include "unit/hixl_run.h"

namespace pto::test {

// T-57, T-58, T-59
TEST(HixlNotify, ArriveInOrderAndOnce) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    uint32_t second = run.ready(3, optionsOf(kind));
    run.connect(second, 1);
    for (int i = 0; i != 5; ++i) {
      EXPECT_EQ(run.notify(run.client, 1, "n", std::to_string(i)), "SUCCESS");
      EXPECT_EQ(run.notify(second, 1, "m", std::to_string(i)), "SUCCESS");
    }
    std::string seen;
    for (const HixlNotice &notice : run.notifies(run.server))
      seen += notice.name + notice.message + " ";
    EXPECT_EQ(seen,
              kind == 'M' ? "n0 n1 n2 n3 n4 m0 m1 m2 m3 m4 " : "n0 m0 n1 m1 n2 m2 n3 m3 n4 m4 ");
    EXPECT_EQ(run.notifies(run.server).size(), 0u);
    EXPECT_EQ(run.said(), "");
  }
}

// T-61: HX-NTF-01, HX-NTF-02
TEST(HixlNotify, Arguments) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    std::string most(1024, 'x'), more(1025, 'x');
    EXPECT_EQ(run.notify(run.client, 1, most, most), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.notify(run.client, 1, more, "", 0), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-NTF-01");
    EXPECT_EQ(run.notify(run.client, 1, "n", more, 0), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-NTF-02");
    EXPECT_EQ(run.notify(run.client, 1, "n", more), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-NTF-01");
    EXPECT_EQ(run.notifies(run.server).size(), 1u);
  }
}

// T-62: HX-NTF-03, HX-NTF-04
TEST(HixlNotify, WithoutALink) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlRun run;
    uint32_t server = run.ready(1, optionsOf(kind)), client = run.ready(2, optionsOf(kind));
    bool isFree = kind == 'F';
    EXPECT_EQ(run.notify(client, 1, "n"), isFree ? "SUCCESS" : "NOT_CONNECTED");
    EXPECT_EQ(run.said(), isFree ? "" : "HX-NTF-03");
    EXPECT_EQ(run.notifies(server).size(), isFree ? 1u : 0u);
    run.connect(client, 1);
    run.finalize(server);
    run.said();
    EXPECT_EQ(run.notify(client, 1, "n"), "FAILED");
    EXPECT_EQ(run.said(), "HX-NTF-04");
    run.disconnect(client, 1);
    run.notify(client, 1, "n");
    EXPECT_EQ(run.said(), isFree ? "HX-NTF-04" : "HX-NTF-03");
  }
}

// T-60
TEST(HixlNotify, AMillisecondIsTooShortOnM) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    EXPECT_EQ(run.notify(run.client, 1, "n", "", 1), kind == 'M' ? "TIMEOUT" : "SUCCESS");
    EXPECT_EQ(run.said(), kind == 'M' ? "HX-NTF-04" : "");
    run.passMs(100);
    EXPECT_EQ(run.notifies(run.server).size(), kind == 'M' ? 0u : 1u);
  }
}

// T-63: HX-NTF-05
TEST(HixlNotify, TheQueueIsFull) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    for (int i = 0; i != 4096; ++i)
      ASSERT_EQ(run.notify(run.client, 1, "n"), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.notify(run.client, 1, "n"), kind == 'M'   ? "TIMEOUT"
                                              : kind == 'S' ? "RESOURCE_EXHAUSTED"
                                                            : "SUCCESS");
    EXPECT_EQ(run.said(), "HX-NTF-05");
    EXPECT_EQ(run.notifies(run.server).size(), 4096u);
    EXPECT_EQ(run.notify(run.client, 1, "n"), "SUCCESS");
    EXPECT_EQ(run.said(), "");
  }
}

// HX-NTF-06
TEST(HixlNotify, BeforeItsWriteIsCompleted) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    uint32_t request = run.start(run.client, 1, 64, HixlOp::Write);
    run.passMs(10);
    run.notify(run.client, 1, "done");
    EXPECT_EQ(run.said(), "HX-NTF-06");
    EXPECT_EQ(run.query(run.client, request), "SUCCESS COMPLETED");
    run.notify(run.client, 1, "done");
    EXPECT_EQ(run.said(), "");
    request = run.start(run.client, 1);
    run.notify(run.client, 1, "reading");
    EXPECT_EQ(run.said(), "");
  }
}

// HX-NTF-08
TEST(HixlNotify, AListThatIsNotEmpty) {
  const HixlNotice kOld{"old", ""}, kNew{"new", ""};
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    run.notify(run.client, 1, "new");
    std::vector<HixlNotice> got = run.notifies(run.server, {kOld});
    EXPECT_EQ(run.said(), "HX-NTF-08?");
    EXPECT_EQ(got.size(), kind == 'M' ? 2u : 1u);
    EXPECT_EQ(got.back(), kNew);
    EXPECT_EQ(run.notifies(run.server).size(), kind == 'F' ? 1u : 0u);
    EXPECT_EQ(run.said(), "");
  }
}

// Two hosts that wait for each other: nothing is to come, which the world sees.
TEST(HixlNotify, APairThatWaitsForEachOther) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlLinked run(kind);
    EXPECT_EQ(run.connect(run.server, 2), "SUCCESS");
    EXPECT_EQ(run.notifies(run.server).size(), 0u);
    EXPECT_EQ(run.notifies(run.client).size(), 0u);
    EXPECT_EQ(run.cluster.nextPs(), std::nullopt);
  }
}

} // namespace pto::test
