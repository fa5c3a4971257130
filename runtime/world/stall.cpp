// Nobody can move any more: hosts that miss each other, or cores that wait for each other.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

/// "rank 1 has finished", "ranks 1, 2 have finished"
static std::string haveText(std::vector<int32_t> ranks, llvm::StringRef what) {
  return ranksText(ranks) + (ranks.size() == 1 ? " has " : " have ") + what.str();
}

static std::vector<int32_t> hostsAt(const World &world, Park park) {
  std::vector<int32_t> ranks;
  for (int32_t rank = 0; rank != world.options.ranks; ++rank)
    if (world.agents[size_t(rank)]->park == park)
      ranks.push_back(rank);
  return ranks;
}

/// Hosts at one meeting while the others are elsewhere for good.
bool reportHostMismatch(World &world) {
  std::vector<int32_t> atBarrier = hostsAt(world, Park::Barrier),
                       atStep = hostsAt(world, Park::Step);
  std::vector<int32_t> finished = hostsAt(world, Park::Finished);
  const std::vector<int32_t> &waiting = atBarrier.empty() ? atStep : atBarrier;
  if (waiting.empty() ||
      int32_t(atBarrier.size() + atStep.size() + finished.size()) != world.options.ranks)
    return false;
  std::string message =
      ranksText(waiting) + (waiting.size() == 1 ? " waits" : " wait") + " in a barrier that ";
  bool both = !atBarrier.empty() && !atStep.empty();
  message += both ? ranksText(atStep) + (atStep.size() == 1 ? " does" : " do") + " not execute here"
                  : haveText(finished, "finished without");
  if (both && !finished.empty())
    message += "; " + haveText(finished, "finished");
  const Agent &host = *world.agents[size_t(waiting.front())];
  Trap trap = makeTrap<Rule::BarrierMismatch>(message);
  if (both) {
    const Agent &other = *world.agents[size_t(atStep.front())];
    trap.sites.push_back(
        {other.core.request.place, "here instead", other.core.rank, -1, world.nowPs});
  }
  world.findings.push_back(
      makeFinding(world, trap, {host.core.request.place, "", host.core.rank, -1, world.nowPs}));
  return true;
}

void reportStall(World &world) {
  if (!reportHostMismatch(world) && !reportRankMismatch(world))
    reportDeadlock(world);
  world.stopped = true;
}

} // namespace pto
