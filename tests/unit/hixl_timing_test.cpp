//===- hixl_timing_test.cpp - rates of paths -----------------------------------===//
#include "unit/hixl_run.h"

#include "hixl_model/rate.h"

namespace pto::test {

TEST(HixlTiming, RatesAreThoseOfTheRows) {
  using enum HixlDirection;
  HixlPath path{Platform::A3, HixlEngine::ClientServer, HixlProtocol::Hccs, false, false};
  HixlRate rate = hixlRate(path, D2rD, 16384);
  EXPECT_NEAR(rate.gigabytes, 18.018, 1e-9);
  EXPECT_TRUE(rate.isKnown);
  EXPECT_NEAR(hixlRate(path, D2rD, 2 << 20).gigabytes, 164.610, 1e-9);
  EXPECT_NEAR(hixlRate(path, D2rD, 1 << 30).gigabytes, 164.610, 1e-9);
  double middle = hixlRate(path, D2rD, 185364).gigabytes;
  EXPECT_NEAR(middle, 54.461, 0.01); // The geometric mean of both.
  EXPECT_EQ(hixlBlockPs(path, D2rD, 64), hixlBlockPs(path, D2rD, 16384));
  EXPECT_FALSE(hixlRate(path, D2rH, 16384).isKnown);
  path.crossesServers = true; // Only the comm domain was measured there.
  EXPECT_FALSE(hixlRate(path, D2rD, 16384).isKnown);
}

TEST(HixlTiming, A950HasNoFigure) {
  HixlPath path{Platform::Ascend950, HixlEngine::ClientServer, HixlProtocol::UbCtp, false, false};
  HixlRate rate = hixlRate(path, HixlDirection::D2rD, 1 << 20);
  EXPECT_FALSE(rate.isKnown);
  EXPECT_NEAR(rate.gigabytes, 56, 1e-9);
}

TEST(HixlTiming, OneSeedOneRun) {
  auto ends = [](uint64_t seed) {
    HixlClusterConfig config;
    config.seed = seed;
    HixlRun run(config);
    run.ready(1, optionsOf('S'));
    uint32_t client = run.ready(2, optionsOf('S'));
    run.connect(client, 1);
    run.go(run.batch(client, 1, true, HixlOp::Read, 0, 0, kSlow));
    return run.now;
  };
  EXPECT_EQ(ends(1), ends(1));
  EXPECT_NE(ends(1), ends(2));
}

} // namespace pto::test
