// rank_barrier: the blocks of a kernel's launch on every rank meet. The n-th launch of a kernel on
// one rank and the n-th on another are one launch in its eyes.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static llvm::ArrayRef<uint32_t> peersOf(const World &world, uint32_t index) {
  const Launch &launch = world.launches[index];
  return world.sameLaunches.at({launch.kernel, launch.occurrence});
}

static bool waitsForRanks(const Agent &agent) { return agent.park == Park::Ranks; }

static bool areAllHere(const World &world, uint32_t index) {
  llvm::ArrayRef<uint32_t> peers = peersOf(world, index);
  return int32_t(peers.size()) == world.options.ranks && llvm::all_of(peers, [&](uint32_t peer) {
           return world.launches[peer].atRanks == world.launches[peer].blocks;
         });
}

static void release(World &world, uint32_t index) {
  llvm::ArrayRef<uint32_t> peers = peersOf(world, index);
  for (uint32_t peer : peers)
    world.launches[peer].atRanks = 0;
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Barrier,
                     .lane = Lane::Scalar,
                     .rank = world.launches[index].rank,
                     .timePs = world.nowPs,
                     .text = "rank_barrier of all ranks"});
  llvm::SmallVector<uint32_t, 16> cores;
  for (const auto &agent : world.agents) {
    if (!agent || agent->isHost || !waitsForRanks(*agent) ||
        !llvm::is_contained(peers, agent->launch))
      continue;
    cores.push_back(agent->id);
    leaveBarrier(world, *agent, cost(Cost::RankBarrier));
  }
  if (world.audit)
    world.audit->blocksMeet(cores);
}

std::string rankBarrierText(const World &world, uint32_t index) {
  llvm::ArrayRef<uint32_t> peers = peersOf(world, index);
  std::string text;
  int32_t complete = 0;
  for (int32_t rank = 0; rank != world.options.ranks; ++rank) {
    auto found =
        llvm::find_if(peers, [&](uint32_t peer) { return world.launches[peer].rank == rank; });
    const Launch *launch = found == peers.end() ? nullptr : &world.launches[*found];
    if (launch && launch->atRanks == launch->blocks) {
      ++complete;
      continue;
    }
    text += "; rank " + std::to_string(rank) + ": ";
    text += !launch ? "no such launch"
                    : std::to_string(launch->atRanks) + " of " + std::to_string(launch->blocks) +
                          " blocks";
  }
  return std::to_string(complete) + " of " + std::to_string(world.options.ranks) +
         " ranks are here with all blocks" + text;
}

/// A block that has ended can never arrive, so whoever waits for it waits for ever.
void noteRankBlockEnd(World &world, uint32_t index) {
  const Launch &launch = world.launches[index];
  llvm::ArrayRef<uint32_t> peers = peersOf(world, index);
  bool isAwaited = llvm::any_of(peers, [&](uint32_t peer) { return world.launches[peer].atRanks; });
  if (!isAwaited || launch.finished == 0 || world.stopped)
    return;
  const Agent *first = nullptr;
  for (const auto &agent : world.agents)
    if (agent && !agent->isHost && waitsForRanks(*agent) &&
        llvm::is_contained(peers, agent->launch) &&
        (!first || std::pair(agent->core.rank, agent->core.block) <
                       std::pair(first->core.rank, first->core.block)))
      first = agent.get();
  if (!first)
    return;
  reportMismatch(world, *first, launch,
                 "rank " + std::to_string(first->core.rank) + " block " +
                     std::to_string(first->core.block) + " waits for all ranks, and " +
                     std::to_string(launch.finished) + " of " + std::to_string(launch.blocks) +
                     " blocks of rank " + std::to_string(launch.rank) +
                     (launch.finished == 1 ? " has" : " have") + " ended after fewer of them");
}

/// Any launch of the others whose blocks have all ended can never meet this one.
Completion syncRanks(World &world, Agent &agent, const Request &, int64_t) {
  if (agent.isHost)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("a host is no block of a launch"));
  agent.park = Park::Ranks;
  ++world.epoch;
  ++world.launches[agent.launch].atRanks;
  if (areAllHere(world, agent.launch)) {
    release(world, agent.launch);
    return Completion::blocked();
  }
  for (uint32_t peer : peersOf(world, agent.launch))
    if (world.launches[peer].finished != 0)
      noteRankBlockEnd(world, peer);
  return Completion::blocked();
}

} // namespace pto
