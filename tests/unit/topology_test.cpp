//===- topology_test.cpp - which way leads from rank to rank ----------------===//

#include "target/topology.h"

#include "gtest/gtest.h"

namespace pto {

static Topology topology(llvm::StringRef text) {
  llvm::Expected<Topology> parsed = parseTopology(text);
  EXPECT_TRUE(bool(parsed)) << text.str();
  if (parsed)
    return *parsed;
  llvm::consumeError(parsed.takeError());
  return {};
}

static std::string refusal(llvm::StringRef text) {
  llvm::Expected<Topology> parsed = parseTopology(text);
  return parsed ? "" : llvm::toString(parsed.takeError());
}

TEST(Topology, JoinsRanksByTheirInnermostCommonGroup) {
  Topology cluster = topology("cluster");
  EXPECT_EQ(cluster.linkBetween(0, 7).name, "HCCS");
  EXPECT_EQ(cluster.linkBetween(7, 8).name, "PCIe");
  EXPECT_EQ(cluster.linkBetween(8, 15).name, "HCCS");
  EXPECT_EQ(cluster.linkBetween(15, 16).name, "RoCE");
  EXPECT_EQ(cluster.linkBetween(0, 31).name, "RoCE");
  EXPECT_EQ(topology("dies").linkBetween(2, 3).name, "SIO");
  EXPECT_EQ(topology("dies").linkBetween(1, 2).name, "HCCS");
}

TEST(Topology, AGivenSizeScalesTheGroupsAround) {
  Topology cluster = topology("cluster:2");
  EXPECT_EQ(cluster.linkBetween(0, 1).name, "HCCS");
  EXPECT_EQ(cluster.linkBetween(1, 2).name, "PCIe");
  EXPECT_EQ(cluster.linkBetween(3, 4).name, "RoCE");
  EXPECT_EQ(cluster.text(), "cluster:2");
}

TEST(Topology, RefusesInWords) {
  EXPECT_EQ(refusal("ring"), "'ring' is no topology; there are mesh, dies, pcie, roce, cluster");
  EXPECT_EQ(refusal("roce:0"), "'0' is no number of ranks for the innermost group of roce");
  EXPECT_EQ(refusal("roce:"), "'' is no number of ranks for the innermost group of roce");
  EXPECT_EQ(refusal("roce:99999999999999999999"),
            "'99999999999999999999' is no number of ranks for the innermost group of roce");
  EXPECT_EQ(refusal("mesh:4"), "mesh has no groups, so they have no size");
}

TEST(Topology, TriesTransportsInTheOrderOfTheCall) {
  auto by = [](Platform platform, llvm::StringRef text, Route route, int32_t to) {
    return transportFor(platform, topology(text), route, 0, to);
  };
  EXPECT_EQ(by(Platform::A3, "mesh", Route::Rma, 1), Transport::SDMA);
  EXPECT_EQ(by(Platform::Ascend950, "mesh", Route::Rma, 1), Transport::UDMA);
  EXPECT_EQ(by(Platform::A2, "roce", Route::Rma, 8), Transport::ROCE);
  EXPECT_EQ(by(Platform::A2, "pcie", Route::Amo, 8), Transport::ROCE);
  EXPECT_EQ(by(Platform::A2, "mesh", Route::AmoBits, 1), Transport::ROCE);
  EXPECT_EQ(by(Platform::A2, "pcie", Route::ByMTE, 8), std::nullopt);
  EXPECT_EQ(by(Platform::A5, "mesh", Route::Rma, 1), std::nullopt);
  Topology mteOnly = topology("mesh");
  mteOnly.enabled = Transports(Transport::MTE);
  EXPECT_EQ(transportFor(Platform::A3, mteOnly, Route::Rma, 0, 1), Transport::MTE);
}

/// The last level holds all ranks, or two of them would be joined by nothing.
TEST(Topology, EveryRowEndsWithALevelOfAll) {
  for (const TopologyInfo &row : topologies())
    for (const TopologyLevel &level : row.levels)
      EXPECT_EQ(level.ranks == 0, &level == &row.levels.back()) << row.name.str();
}

} // namespace pto
