// syncall: the blocks of one launch on one rank meet. It orders arrival and nothing else.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static bool waitsAtSyncall(const std::unique_ptr<Agent> &agent, uint32_t launch) {
  return agent && !agent->isHost && agent->launch == launch && agent->park == Park::Syncall;
}

void leaveBarrier(World &world, Agent &agent, int64_t nominalPs) {
  agent.park = Park::None;
  agent.hasRequest = false;
  agent.waitBeginPs = -1;
  complete(agent.core, world.nowPs + 1 + agent.jitter.spread(nominalPs), 0);
  world.agenda.add(agent.core.timePs, ActionKind::Resume, agent.id);
}

void reportMismatch(World &world, const Agent &waiter, const Launch &missing, std::string text) {
  Trap trap = makeTrap<Rule::BarrierMismatch>(std::move(text));
  trap.sites.push_back({missing.place,
                        "launched here with " + std::to_string(missing.blocks) + " blocks",
                        missing.rank, -1, -1});
  world.findings.push_back(makeFinding(
      world, trap,
      {waiter.core.request.place, "", waiter.core.rank, waiter.core.block, world.nowPs}));
  world.stopped = true;
}

static void release(World &world, uint32_t index) {
  Launch &launch = world.launches[index];
  launch.atSyncall = 0;
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Barrier,
                     .lane = Lane::Scalar,
                     .rank = launch.rank,
                     .timePs = world.nowPs,
                     .text = "syncall of all blocks"});
  llvm::SmallVector<uint32_t, 16> cores;
  for (const auto &agent : world.agents) {
    if (!waitsAtSyncall(agent, index))
      continue;
    cores.push_back(agent->id);
    leaveBarrier(world, *agent, cost(Cost::Syncall));
  }
  if (world.audit)
    world.audit->blocksMeet(cores);
}

/// "block 1", "blocks 0, 2 and 5 more"
std::string blocksText(llvm::ArrayRef<int32_t> blocks) {
  constexpr size_t kMost = 4;
  std::string text = blocks.size() == 1 ? "block " : "blocks ";
  for (size_t i = 0; i != std::min(blocks.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(blocks[i]);
  return blocks.size() <= kMost ? text
                                : text + " and " + std::to_string(blocks.size() - kMost) + " more";
}

/// A block that has ended can never arrive, so whoever waits for it waits for ever.
static void reportMissing(World &world, uint32_t index) {
  const Launch &launch = world.launches[index];
  if (launch.atSyncall == 0 || launch.finished == 0)
    return;
  std::vector<int32_t> waiting, ended;
  const Agent *first = nullptr;
  std::vector<bool> lives(size_t(launch.blocks), false);
  for (const auto &agent : world.agents) {
    if (!agent || agent->isHost || agent->launch != index)
      continue;
    lives[size_t(agent->core.block)] = true;
    if (!waitsAtSyncall(agent, index))
      continue;
    waiting.push_back(agent->core.block);
    first = first && first->core.block < agent->core.block ? first : agent.get();
  }
  for (int32_t block = 0; block != launch.nextBlock; ++block)
    if (!lives[size_t(block)])
      ended.push_back(block);
  llvm::sort(waiting);
  reportMismatch(world, *first, launch,
                 blocksText(waiting) + " of rank " + std::to_string(launch.rank) +
                     (waiting.size() == 1 ? " waits" : " wait") + " in `syncall`, and " +
                     blocksText(ended) + (ended.size() == 1 ? " has" : " have") +
                     " ended after fewer of them");
}

Completion syncBlocks(World &world, Agent &agent, const Request &, int64_t) {
  if (agent.isHost)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("a host is no block of a launch"));
  Launch &launch = world.launches[agent.launch];
  agent.park = Park::Syncall;
  ++world.epoch;
  if (++launch.atSyncall == launch.blocks)
    release(world, agent.launch);
  else
    reportMissing(world, agent.launch);
  return Completion::blocked();
}

void noteBlockEnd(World &world, uint32_t launch) {
  reportMissing(world, launch);
  noteRankBlockEnd(world, launch);
}

} // namespace pto
