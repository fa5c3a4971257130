#include "target/topology.h"

#include "base/check.h"
#include "base/list_text.h"
#include "target/topology_file.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace pto {

namespace {
enum class Link : uint8_t {
#define PTO_LINK(Enum, Name, Carries, Meaning, Source) Enum,
#include "target/topology.def"
};

#define ORDER(...) __VA_ARGS__
#define PTO_ROUTE(Enum, Order, Meaning, Source) constexpr Transport k##Enum##Tries[] = {Order};
using enum Transport;
#include "target/topology.def"
#undef ORDER

#define L(Ranks, Name) {Ranks, uint8_t(Link::Name)}
#define LEVELS(...) __VA_ARGS__
#define PTO_TOPOLOGY(Enum, Name, Levels, Meaning, Source)                                          \
  constexpr TopologyLevel k##Enum##Groups[] = {Levels};
#include "target/topology.def"
#undef L
#undef LEVELS
} // namespace

static const RouteInfo kRoutes[] = {
#define PTO_ROUTE(Enum, Order, Meaning, Source)                                                    \
  {k##Enum##Tries, llvm::StringLiteral(Meaning), llvm::StringLiteral(Source)},
#include "target/topology.def"
};

static constexpr LinkInfo kLinks[] = {
#define CARRIES(...) Transports(__VA_ARGS__)
#define PTO_LINK(Enum, Name, Carries, Meaning, Source)                                             \
  {llvm::StringLiteral(Name), Carries, llvm::StringLiteral(Meaning)},
#include "target/topology.def"
#undef CARRIES
};

static const TopologyInfo kTopologies[] = {
#define PTO_TOPOLOGY(Enum, Name, Levels, Meaning, Source)                                          \
  {llvm::StringLiteral(Name), k##Enum##Groups, llvm::StringLiteral(Meaning),                       \
   llvm::StringLiteral(Source)},
#include "target/topology.def"
};

using QueueRows = llvm::SmallVector<std::pair<Transport, EngineInfo>, 8>;

/// Of an engine on each of the platforms.
static void addRows(QueueRows &rows, llvm::ArrayRef<Platform> platforms, Transport transport,
                    const EngineInfo &queue) {
  for (Platform platform : platforms) {
    rows.push_back({transport, queue});
    rows.back().second.platform = platform;
  }
}

#define OF(...) {__VA_ARGS__}
static llvm::ArrayRef<std::pair<Transport, EngineInfo>> queueRows() {
  static const QueueRows kRows = [] {
    using enum Platform;
    QueueRows rows;
#define PTO_TRANSPORT(Platforms, Name, Engine, Post, Latency, Gap, Rate, Source)                   \
  addRows(rows, Platforms, Transport::Name,                                                        \
          {A2, DmaEngine::Engine, TransferMode::Async, TransferMode::Async,                        \
           llvm::StringLiteral(""), Post, Latency, Gap, Rate});
#include "target/topology.def"
    return rows;
  }();
  return kRows;
}

/// Of queues that only prefetch.
static llvm::ArrayRef<std::pair<Transport, EngineInfo>> prefetchRows() {
  static const QueueRows kRows = [] {
    using enum Platform;
    QueueRows rows;
#define PTO_PREFETCH(Platforms, Name, Engine, Post, Latency, Gap, Rate, Source)                    \
  addRows(rows, Platforms, Transport::Name,                                                        \
          {A2, DmaEngine::Engine, TransferMode::Async, TransferMode::Async,                        \
           llvm::StringLiteral(""), Post, Latency, Gap, Rate});
#include "target/topology.def"
    return rows;
  }();
  return kRows;
}
#undef OF

static bool hasMte(Platform platform) {
  using enum Platform;
#define OF(...) {__VA_ARGS__}
#define PTO_MTE(Platforms, Source)                                                                 \
  for (Platform each : std::initializer_list<Platform> Platforms)                                  \
    if (each == platform)                                                                          \
      return true;
#include "target/topology.def"
#undef OF
  return false;
}

llvm::ArrayRef<TopologyInfo> topologies() { return kTopologies; }
llvm::ArrayRef<LinkInfo> links() { return kLinks; }

const RouteInfo &info(Route route) {
  PTO_CHECK(size_t(route) < std::size(kRoutes), "route out of its table");
  return kRoutes[size_t(route)];
}

Transports RouteInfo::all() const {
  Transports set;
  for (Transport each : order)
    set.add(each);
  return set;
}

std::string Transports::text() const {
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (const IsaValue &value : info(IsaEnum::Transport).values)
    if (contains(Transport(value.number)))
      names.push_back(value.name);
  return listText(names);
}

const LinkInfo &Topology::linkBetween(int32_t one, int32_t other) const {
  if (given)
    return given->linkBetween(one, other);
  llvm::ArrayRef<TopologyLevel> levels = kTopologies[row].levels;
  for (const TopologyLevel &level : levels) {
    // A given size scales the groups around the innermost one too.
    int64_t ranks =
        inner == 0 ? level.ranks : int64_t(level.ranks) * inner / std::max(levels[0].ranks, 1);
    if (level.ranks == 0 || one / ranks == other / ranks)
      return kLinks[level.link];
  }
  PTO_UNREACHABLE("a topology whose last level does not hold all ranks");
}

std::string Topology::text() const {
  if (given)
    return given->name;
  std::string text = kTopologies[row].name.str();
  return inner == 0 ? text : text + ":" + std::to_string(inner);
}

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

llvm::Expected<Topology> parseTopology(llvm::StringRef text) {
  auto [name, size] = text.split(':');
  std::string known;
  for (size_t i = 0; i != std::size(kTopologies); ++i) {
    const TopologyInfo &info = kTopologies[i];
    known += (i == 0 ? "" : ", ") + info.name.str();
    if (name != info.name)
      continue;
    Topology topology;
    topology.row = uint8_t(i);
    if (text.contains(':') && (size.getAsInteger(10, topology.inner) || topology.inner < 1 ||
                               topology.inner > limit(Limit::MaxRanks)))
      return refuse("'" + size + "' is no number of ranks for the innermost group of " + name);
    if (topology.inner != 0 && info.levels.front().ranks == 0)
      return refuse(name + " has no groups, so they have no size");
    return topology;
  }
  return refuse("'" + name + "' is no topology; there are " + known);
}

llvm::Expected<Transports> parseTransports(llvm::StringRef text) {
  Transports set;
  while (!text.empty()) {
    auto [name, rest] = text.split(',');
    std::optional<uint8_t> number = info(IsaEnum::Transport).number(name);
    if (!number)
      return refuse("'" + name + "' is no transport; there are MTE, SDMA, UDMA and ROCE");
    set.add(Transport(*number));
    text = rest;
  }
  return set;
}

Transports transportsOn(Platform platform) {
  Transports set;
  if (hasMte(platform))
    set.add(Transport::MTE);
  for (const auto &[transport, row] : queueRows())
    if (row.platform == platform)
      set.add(transport);
  return set;
}

Transports transportsBetween(Platform platform, const Topology &topology, int32_t from,
                             int32_t to) {
  return transportsOn(platform) & topology.enabled & topology.linkBetween(from, to).carries;
}

std::optional<Transport> transportFor(Platform platform, const Topology &topology, Route route,
                                      int32_t from, int32_t to) {
  Transports there = transportsBetween(platform, topology, from, to);
  for (Transport each : info(route).order)
    if (there.contains(each))
      return each;
  return std::nullopt;
}

static const EngineInfo *rowOf(llvm::ArrayRef<std::pair<Transport, EngineInfo>> rows,
                               Platform platform, Transport transport) {
  for (const auto &[which, row] : rows)
    if (which == transport && row.platform == platform)
      return &row;
  return nullptr;
}

const EngineInfo *queueOf(Platform platform, Transport transport) {
  return rowOf(queueRows(), platform, transport);
}

const EngineInfo *prefetchQueueOf(Platform platform) {
  const EngineInfo *queue = queueOf(platform, Transport::SDMA);
  return queue ? queue : rowOf(prefetchRows(), platform, Transport::SDMA);
}

Transport transportOf(DmaEngine engine) {
  static constexpr Transport kTransports[] = {Transport::SDMA, Transport::UDMA, Transport::ROCE};
  return kTransports[size_t(engine)];
}

} // namespace pto
