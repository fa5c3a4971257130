// Launches: streams in order, blocks on the cores of a rank, the rest in waves.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static constexpr int64_t kMaxBlocks = 1 << 20;

static void scheduleHead(World &world, RankState &rank, int32_t stream, Agent &host) {
  uint32_t launch = rank.streams[stream].front();
  world.agenda.add(world.nowPs + host.jitter.spread(cost(Cost::Launch)), ActionKind::StartLaunch,
                   launch);
}

static void rememberLaunch(RankState &rank, uint32_t launch) {
  constexpr size_t kMostSinceSync = 64;
  rank.lastLaunch = launch;
  rank.sinceSync.push_back(launch);
  if (rank.sinceSync.size() > kMostSinceSync)
    rank.sinceSync.erase(rank.sinceSync.begin());
}

Completion launchKernel(World &world, Agent &host, const Request &request, int64_t atPs) {
  // Values: the kernel, the bases of its arguments, blocks, stream.
  int64_t blocks = int64_t(request.valueOr(3, ScalarBits(world.options.blocks)));
  int64_t stream = int64_t(request.valueOr(4, 0));
  if (blocks < 1 || blocks > kMaxBlocks)
    return Completion::trapped(
        makeTrap<Rule::BadSetting>("a launch has 1 to " + std::to_string(kMaxBlocks) +
                                   " blocks, and this one has " + std::to_string(blocks)));
  Launch launch;
  launch.kernel = uint32_t(request.values[0]);
  launch.rank = host.core.rank;
  launch.stream = int32_t(stream);
  launch.blocks = int32_t(blocks);
  launch.place = request.place;
  launch.args = request.args;
  launch.viewArgs = request.viewArgs;
  RankState &rank = world.ranks[size_t(host.core.rank)];
  ++rank.unfinished;
  ++world.runningKernels;
  std::vector<uint32_t> &queue = rank.streams[launch.stream];
  queue.push_back(uint32_t(world.launches.size()));
  rememberLaunch(rank, uint32_t(world.launches.size()));
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Launch,
                     .lane = Lane::Host,
                     .opcode = request.opcode,
                     .rank = host.core.rank,
                     .timePs = atPs,
                     .value = launch.blocks,
                     .text = world.module.functions[launch.kernel].name + " on stream " +
                             std::to_string(stream),
                     .place = request.place});
  if (world.audit)
    world.audit->launchBegins(uint32_t(world.launches.size()), launch.rank, launch.stream,
                              launch.kernel);
  world.launches.push_back(std::move(launch));
  if (queue.size() == 1)
    scheduleHead(world, rank, int32_t(stream), host);
  return Completion::done(atPs + host.jitter.spread(cost(Cost::HostStep)));
}

/// Longer than other ranks take for what they do without waiting for the late one, and longer than
/// an engine holds bytes back.
static constexpr int64_t kLatePs = 1'000'000'000;

static int64_t startOf(const World &world, Agent &block, int64_t atPs) {
  bool isLate = block.core.rank == world.options.lateRank;
  return atPs + block.jitter.below(cost(Cost::LaunchSkew)) + (isLate ? kLatePs : 0);
}

static void beginBlock(World &world, uint32_t launchIndex, int64_t atPs) {
  Launch &launch = world.launches[launchIndex];
  auto agent = std::make_unique<Agent>();
  agent->id = uint32_t(world.agents.size());
  agent->launch = launchIndex;
  agent->jitter = Jitter(world.options.seed, uint64_t(agent->id) << 2);
  agent->core.rank = launch.rank;
  agent->core.block = launch.nextBlock++;
  agent->core.blocks = launch.blocks;
  agent->core.timePs = startOf(world, *agent, atPs);
  enter(agent->core, world.machine, launch.kernel, launch.args, launch.viewArgs);
  world.engines.coreBegins(agent->id, launch.rank, agent->core.block);
  if (world.audit)
    world.audit->blockBegins(agent->id, launchIndex, launch.rank, agent->core.block);
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::KernelBegin,
                     .lane = Lane::Scalar,
                     .rank = launch.rank,
                     .index = agent->core.block,
                     .timePs = agent->core.timePs,
                     .text = world.module.functions[launch.kernel].name});
  world.agenda.add(agent->core.timePs, ActionKind::Resume, agent->id);
  world.agents.push_back(std::move(agent));
}

/// Gives free cores to blocks that wait for one, oldest launch first.
static void fillCores(World &world, RankState &rank) {
  while (rank.freeCores != 0 && !rank.ready.empty()) {
    uint32_t index = rank.ready.front();
    --rank.freeCores;
    beginBlock(world, index, world.nowPs);
    if (world.launches[index].nextBlock == world.launches[index].blocks)
      rank.ready.erase(rank.ready.begin());
  }
}

void startLaunch(World &world, uint32_t index) {
  ++world.epoch;
  RankState &rank = world.ranks[size_t(world.launches[index].rank)];
  rank.ready.push_back(index);
  if (world.audit)
    world.audit->launchStarts(index);
  fillCores(world, rank);
}

static void finishLaunch(World &world, uint32_t index) {
  Launch &launch = world.launches[index];
  if (world.audit)
    world.audit->launchEnds(index);
  RankState &rank = world.ranks[size_t(launch.rank)];
  Agent &host = *world.agents[size_t(launch.rank)];
  launch.isDone = true;
  launch.args = {};
  launch.viewArgs = {};
  --rank.unfinished;
  --world.runningKernels;
  std::vector<uint32_t> &queue = rank.streams[launch.stream];
  queue.erase(queue.begin());
  if (!queue.empty())
    scheduleHead(world, rank, launch.stream, host);
  if (rank.unfinished == 0 && host.park == Park::Launches)
    wake(world, host, world.nowPs + host.jitter.spread(cost(Cost::HostStep)));
}

/// Stores that never left the cache, and transfers that nobody awaited.
static void reportLeftovers(World &world, Agent &core) {
  std::vector<Cache::Line> dirty = core.cache.dirtyLines();
  if (!dirty.empty()) {
    std::string what =
        "`" + elementName(world.module, world.layout, dirty.front().firstStored) + "`";
    if (dirty.size() > 1)
      what += " and " + std::to_string(dirty.size() - 1) + " more cache line" +
              (dirty.size() == 2 ? "" : "s");
    reportBlockEnd(world, core, makeTrap<Rule::StoreNotFlushed>(what), dirty.front().storedAt);
  }
  if (std::optional<Leak> mode = world.engines.storeModeLeft(core.id))
    reportBlockEnd(world, core, makeTrap<Rule::AtomicModeLeft>(mode->what), mode->place);
  for (const Leak &flag : world.engines.flagsUp(core.id))
    reportBlockEnd(world, core, makeTrap<Rule::FlagNotAwaited>(flag.what), flag.place);
  for (const Leak &leak : world.engines.coreEnds(core.id))
    reportBlockEnd(world, core, makeTrap<Rule::TransferLeaked>(leak.what), leak.place);
}

void finishBlock(World &world, Agent &core) {
  if (!world.engines.drain(core.id, world.nowPs)) {
    // The kernel's end drains the pipes.
    core.isDraining = true;
    core.park = Park::Engine;
    return;
  }
  // Its notifies have landed too: what a host sees after a launch is all of it.
  int64_t atPs = std::max({world.nowPs, core.core.timePs, core.lastNotifyPs + 1});
  if (atPs > world.nowPs) {
    core.isDraining = true;
    world.agenda.add(atPs, ActionKind::Resume, core.id);
    return;
  }
  reportLeftovers(world, core);
  Launch &launch = world.launches[core.launch];
  RankState &rank = world.ranks[size_t(launch.rank)];
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::KernelEnd,
                     .lane = Lane::Scalar,
                     .rank = launch.rank,
                     .index = core.core.block,
                     .timePs = atPs,
                     .text = world.module.functions[launch.kernel].name});
  ++rank.freeCores;
  ++launch.finished;
  core.park = Park::Finished;
  if (!core.writes.empty())
    rank.ended[{launch.kernel, core.core.block}] = {core.launch, std::move(core.writes)};
  const uint32_t index = core.launch;
  if (world.audit)
    world.audit->blockEnds(core.id);
  world.agents[core.id].reset();
  noteBlockEnd(world, index);
  if (launch.finished == launch.blocks)
    finishLaunch(world, index);
  fillCores(world, rank);
}

} // namespace pto
