// Topologies of files: what they say of links, and how they are refused.

#include "target/topology_file.h"

#include <gtest/gtest.h>

namespace pto {
namespace {

Topology topologyIn(llvm::StringRef text) {
  llvm::Expected<Topology> read = readTopology(text, "rack.json");
  if (read)
    return *read;
  ADD_FAILURE() << llvm::toString(read.takeError());
  return {};
}

/// What is said behind "'rack.json' is no topology: ".
std::string refusal(llvm::StringRef text) {
  llvm::Expected<Topology> read = readTopology(text, "rack.json");
  if (read)
    return "";
  std::string why = llvm::toString(read.takeError());
  llvm::StringRef rest = why;
  EXPECT_TRUE(rest.consume_front("'rack.json' is no topology: ")) << why;
  return rest.str();
}

TEST(TopologyFile, LevelsAreGroupsInsideGroups) {
  Topology topology = topologyIn(R"({"levels": [{"ranks": 2, "link": "SIO"},
      {"ranks": 8, "link": "HCCS"}, {"link": "RoCE"}]})");
  EXPECT_EQ(topology.text(), "rack.json");
  EXPECT_EQ(topology.linkBetween(2, 3).name, "SIO");
  EXPECT_EQ(topology.linkBetween(1, 2).name, "HCCS");
  EXPECT_EQ(topology.linkBetween(7, 8).name, "RoCE");
  EXPECT_EQ(topology.linkBetween(1, 2).bytesPerUs, 0);
  EXPECT_FALSE(topology.isMesh());
  EXPECT_TRUE(Topology().isMesh());
}

TEST(TopologyFile, PairsHaveLinksOfTheirOwn) {
  Topology topology = topologyIn(R"({"name": "odd", "levels": [{"link": "HCCS"}],
      "pairs": [{"ranks": [5, 0], "link": "PCIe"}]})");
  EXPECT_EQ(topology.text(), "odd");
  EXPECT_EQ(topology.linkBetween(0, 5).name, "PCIe");
  EXPECT_EQ(topology.linkBetween(5, 0).name, "PCIe");
  EXPECT_EQ(topology.linkBetween(0, 4).name, "HCCS");
}

TEST(TopologyFile, LinksOfTheTableChangeInWhatIsSaid) {
  Topology topology = topologyIn(R"({"links": [{"name": "HCCS", "gb_per_s": 28}],
      "levels": [{"link": "HCCS"}]})");
  const LinkInfo &link = topology.linkBetween(0, 1);
  EXPECT_EQ(link.bytesPerUs, 28000);
  EXPECT_EQ(link.latencyPs, 0);
  EXPECT_TRUE(link.carries.contains(Transport::SDMA));
  EXPECT_EQ(links()[0].bytesPerUs, 0) << "the table itself does not";
}

TEST(TopologyFile, LinksOfItsOwnSayWhatTheyCarry) {
  Topology topology = topologyIn(R"({"links": [
      {"name": "NET", "carries": ["ROCE"], "gb_per_s": 0.5, "latency_us": 9.5}],
      "levels": [{"ranks": 4, "link": "HCCS"}, {"link": "NET"}]})");
  const LinkInfo &link = topology.linkBetween(0, 4);
  EXPECT_EQ(link.name, "NET");
  EXPECT_EQ(link.carries, Transports(Transport::ROCE));
  EXPECT_EQ(link.bytesPerUs, 500);
  EXPECT_EQ(link.latencyPs, 9'500'000);
  EXPECT_EQ(transportFor(Platform::A3, topology, Route::Rma, 0, 4), Transport::ROCE);
  EXPECT_EQ(transportFor(Platform::A3, topology, Route::BySDMA, 0, 4), std::nullopt);
  Topology copy = topology; // Names live as long as any copy does.
  topology = Topology();
  EXPECT_EQ(copy.linkBetween(0, 4).name, "NET");
}

TEST(TopologyFile, ARankReachesItself) {
  Topology topology = topologyIn(R"({"levels": [{"link": "RoCE"}]})");
  EXPECT_EQ(transportFor(Platform::A3, topology, Route::BySDMA, 3, 3), Transport::SDMA);
  EXPECT_EQ(transportFor(Platform::A3, topology, Route::BySDMA, 3, 4), std::nullopt);
}

TEST(TopologyFile, ALinkIsSlowerThanAnEngineOrDoesNotMatter) {
  LinkInfo link{"x", Transports(), "", 1000, 2000};
  EXPECT_EQ(link.extraBytesPs(1000, 4000), 750'000);
  EXPECT_EQ(link.extraBytesPs(1000, 500), 0);
  EXPECT_EQ(link.extraLatencyPs(500), 1500);
  EXPECT_EQ(link.extraLatencyPs(3000), 0);
  EXPECT_EQ(LinkInfo().extraBytesPs(1000, 500), 0);
}

TEST(TopologyFile, RefusesWhatIsNoJson) {
  EXPECT_EQ(refusal(""), "it is not JSON");
  EXPECT_EQ(refusal("{\"levels\": [}"), "it is not JSON");
  EXPECT_EQ(refusal("[]"), "it is no object");
  EXPECT_EQ(refusal(std::string(100000, '[')), "it is nested too deep");
  EXPECT_EQ(refusal(std::string((size_t(8) << 20) + 1, ' ')), "it is larger than 8388608 bytes");
}

TEST(TopologyFile, RefusesLevelsThatLeaveSomebodyOut) {
  EXPECT_EQ(refusal("{}"),
            "`levels` is missing: the last one joins all ranks, and has no \"ranks\"");
  EXPECT_EQ(refusal(R"({"levels": 3})"), "`levels` is no list");
  EXPECT_EQ(refusal(R"({"levels": [3]})"), "`levels[0]` is no object");
  EXPECT_EQ(refusal(R"({"levels": [{"ranks": 4, "link": "HCCS"}]})"),
            "`levels[0]` is the last one, so it joins all ranks and has no \"ranks\"");
  EXPECT_EQ(refusal(R"({"levels": [{"link": "HCCS"}, {"link": "HCCS"}]})"),
            "`levels[0]` joins all ranks, so it has to be the last one");
  EXPECT_EQ(refusal(R"({"levels": [{"ranks": 4, "link": "HCCS"}, {"ranks": 6, "link": "PCIe"},
                        {"link": "RoCE"}]})"),
            "`levels[0]` has groups of 4, and those around of 6 do not hold some of them whole");
  EXPECT_EQ(refusal(R"({"levels": [{"ranks": 0, "link": "HCCS"}, {"link": "HCCS"}]})"),
            "`levels[0]` has \"ranks\" that are no number from 1 to 65536");
  EXPECT_EQ(refusal(R"({"levels": [{"link": "UB"}]})"),
            "`levels[0]` names no \"link\" that there is: HCCS, SIO, PCIe and RoCE");
}

TEST(TopologyFile, RefusesLinksInWords) {
  auto link = [](llvm::StringRef keys) {
    return refusal(("{\"links\": [{" + keys + "}], \"levels\": [{\"link\": \"HCCS\"}]}").str());
  };
  EXPECT_EQ(link(""), "`links[0]` has no \"name\" of letters, digits, `_` and `-`, 40 at most");
  EXPECT_EQ(link(R"("name": "A B")"),
            "`links[0]` has no \"name\" of letters, digits, `_` and `-`, 40 at most");
  EXPECT_EQ(link(R"("name": "NET")"),
            "`links[0]` does not say what it \"carries\": a list of MTE, SDMA, UDMA, ROCE");
  EXPECT_EQ(link(R"("name": "NET", "carries": ["TCP"])"),
            "`links[0]` \"carries\" what is no transport; there are MTE, SDMA, UDMA and ROCE");
  EXPECT_EQ(link(R"("name": "HCCS", "gb_per_s": 0)"),
            "`links[0]` has a \"gb_per_s\" that is no number from 0.001 to 1000000");
  EXPECT_EQ(link(R"("name": "HCCS", "latency_us": -1)"),
            "`links[0]` has a \"latency_us\" that is no number from 0 to 1000000");
  EXPECT_EQ(link(R"("name": "HCCS", "rate": 5)"),
            "`links[0]` has a key \"rate\"; there are name, carries, gb_per_s and latency_us");
}

TEST(TopologyFile, RefusesPairsInWords) {
  auto pairs = [](llvm::StringRef text) {
    return refusal(("{\"levels\": [{\"link\": \"HCCS\"}], \"pairs\": [" + text + "]}").str());
  };
  std::string ends = "`pairs[0]` has no \"ranks\": a list of two from 0 to 65535";
  EXPECT_EQ(pairs(R"({"ranks": [0], "link": "SIO"})"), ends);
  EXPECT_EQ(pairs(R"({"ranks": [0, 65536], "link": "SIO"})"), ends);
  EXPECT_EQ(pairs(R"({"ranks": [-1, 0], "link": "SIO"})"), ends);
  EXPECT_EQ(pairs(R"({"ranks": [4, 4], "link": "SIO"})"), "`pairs[0]` joins a rank with itself");
  EXPECT_EQ(pairs(R"({"ranks": [1, 2], "link": "SIO"}, {"ranks": [2, 1], "link": "SIO"})"),
            "`pairs[1]` joins two ranks that an earlier pair joins");
}

} // namespace
} // namespace pto
