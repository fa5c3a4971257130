//===- topology_file.h - a topology that a file describes -------*- C++ -*-===//
//
// JSON with the columns of PTO_LINK and PTO_TOPOLOGY:
//
//   {"name": "rack",
//    "links": [{"name": "HCCS", "gb_per_s": 28}, {"name": "NET", "carries": ["ROCE"], "latency_us":
//    9}], "levels": [{"ranks": 8, "link": "HCCS"}, {"link": "NET"}], "pairs": [{"ranks": [0, 8],
//    "link": "PCIe"}]}
//
// A link of the table may be named as it is, or changed in what the file says of it; a new one says
// what it carries. Levels are groups of ranks inside groups, the last one holds all. A pair is
// joined by its own link, whatever levels it shares. The text may come from anywhere.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TARGET_TOPOLOGY_FILE_H
#define PTO_TARGET_TOPOLOGY_FILE_H

#include "target/topology.h"

#include <deque>
#include <map>
#include <vector>

namespace pto {

struct GivenTopology {
  std::string name;
  std::deque<std::string> names; ///< Of links that the table does not have.
  std::vector<LinkInfo> links;
  std::vector<TopologyLevel> levels;
  std::map<std::pair<int32_t, int32_t>, uint8_t> pairs; ///< The lower rank first.

  [[nodiscard]] const LinkInfo &linkBetween(int32_t one, int32_t other) const;
};

/// `file` names a topology that does not name itself.
[[nodiscard]] llvm::Expected<Topology> readTopology(llvm::StringRef text, llvm::StringRef file);

} // namespace pto

#endif
