#include "hixl_model/rate.h"

#include "hixl/columns.h"
#include "target/topology.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace pto {

namespace {
/// GB/s with small and with large blocks; 0: the source calls the direction unsupported.
struct Ends {
  double small;
  double large;
};
struct RateRow {
  Platform platform;
  int32_t servers;
  HixlProtocol protocol;
  HixlEngine engine;
  bool unfolds;
  Ends ends[8]; ///< By direction.
  llvm::StringLiteral source;
};

constexpr RateRow kRates[] = {
#define R(Small, Large)                                                                            \
  Ends { Small, Large }
#define NONE Ends{0, 0}
#define PTO_HIXL_RATE(Where, Servers, Protocol, Engine, Unfolds, A, B, C, D, E, F, G, H, Source)   \
  {Platform::Where,                                                                                \
   Servers,                                                                                        \
   HixlProtocol::Protocol,                                                                         \
   HixlEngine::Engine,                                                                             \
   bool(Unfolds),                                                                                  \
   {A, B, C, D, E, F, G, H},                                                                       \
   llvm::StringLiteral(Source)},
#include "hixl_model/rate.def"
#undef R
#undef NONE
};
struct CostRow {
  int64_t ps;
  llvm::StringLiteral text;
  llvm::StringLiteral source;
};
constexpr CostRow kCosts[] = {
#define PTO_HIXL_COST(Enum, Ps, Text, Source)                                                      \
  {Ps, llvm::StringLiteral(Text), llvm::StringLiteral(Source)},
#include "hixl_model/rate.def"
};
constexpr double kSmall = 16 * 1024;
constexpr double kLarge = 2 * 1024 * 1024;
} // namespace

int64_t costPs(HixlCost cost) { return kCosts[size_t(cost)].ps; }

static double between(Ends ends, double bytes) {
  if (bytes <= kSmall)
    return ends.small * bytes / kSmall;
  if (bytes >= kLarge)
    return ends.large;
  double part = std::log(bytes / kSmall) / std::log(kLarge / kSmall);
  return ends.small * std::pow(ends.large / ends.small, part);
}

/// How well a row stands for a path: 0 not at all, 3 as it is.
static int fitOf(const RateRow &row, const HixlPath &path, HixlDirection direction) {
  if (row.platform != path.platform || row.protocol != path.protocol ||
      row.ends[size_t(direction)].small <= 0)
    return 0;
  if (row.engine != path.engine || row.unfolds != path.unfolds)
    return 1;
  return row.servers == 1 + int32_t(path.crossesServers) ? 3 : 2;
}

/// The rate of a transport that is like the protocol, from the platform's topology.
static double transportRate(const HixlPath &path) {
  bool isRoce = path.protocol == HixlProtocol::Roce;
  Transport first = isRoce ? Transport::ROCE : Transport::UDMA;
  for (Transport transport : {first, Transport::SDMA, Transport::ROCE})
    for (Platform platform : {path.platform, Platform::Ascend950})
      if (const EngineInfo *queue = queueOf(platform, transport))
        return double(queue->bytesPerUs) / 1000;
  return 1;
}

HixlRate hixlRate(const HixlPath &path, HixlDirection direction, int64_t bytes) {
  const RateRow *best = nullptr;
  int fit = 0;
  for (const RateRow &row : kRates)
    if (int next = fitOf(row, path, direction); next > fit) {
      best = &row;
      fit = next;
    }
  double size = double(std::max<int64_t>(bytes, 1));
  if (!best)
    return {transportRate(path), false};
  return {between(best->ends[size_t(direction)], size), fit == 3};
}

int64_t hixlBlockPs(const HixlPath &path, HixlDirection direction, int64_t bytes) {
  if (bytes <= 0)
    return 0;
  HixlRate rate = hixlRate(path, direction, bytes);
  return int64_t(double(bytes) * 1000 / rate.gigabytes);
}

void writeHixlRates(llvm::raw_ostream &out) {
  std::vector<std::string> head = {"target", "servers", "protocol", "engine", "unfolds"};
  for (const HixlDirectionInfo &direction : hixlDirections())
    head.push_back(direction.name.str());
  head.push_back("source");
  HixlColumns rates(head);
  for (const RateRow &row : kRates) {
    std::vector<std::string> cells = {info(row.platform).name.str(), std::to_string(row.servers),
                                      info(row.protocol).name.str(), info(row.engine).letter.str(),
                                      row.unfolds ? "yes" : "-"};
    for (const Ends &ends : row.ends)
      cells.push_back(
          ends.large <= 0 ? "-" : llvm::formatv("{0:F1}..{1:F1}", ends.small, ends.large).str());
    cells.push_back(row.source.str());
    rates.add(cells);
  }
  rates.write("GB/s with blocks of 16 KiB to 2 MiB", out);
  out << '\n';
  HixlColumns costs({"us", "what takes it", "source"});
  for (const CostRow &row : kCosts)
    costs.add({std::to_string(row.ps / 1000000), row.text.str(), row.source.str()});
  costs.write("Calls and messages", out);
}

} // namespace pto
