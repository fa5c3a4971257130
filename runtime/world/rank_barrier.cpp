// rank_barrier: the blocks of a kernel's launch on every rank of a team meet. The n-th launch of a
// kernel on one rank and the n-th on another are one launch in its eyes.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static llvm::ArrayRef<uint32_t> peersOf(const World &world, uint32_t index) {
  const Launch &launch = world.launches[index];
  return world.sameLaunches.at({launch.kernel, launch.occurrence});
}

static bool waitsForRanks(const Agent &agent) { return agent.park == Park::Ranks; }

/// The launch on a rank that meets the one with that index; null: there is none yet.
static const Launch *peerOn(const World &world, uint32_t index, int32_t rank) {
  for (uint32_t peer : peersOf(world, index))
    if (world.launches[peer].rank == rank)
      return &world.launches[peer];
  return nullptr;
}

static bool isHere(const Launch *launch, const Team &team) {
  return launch && launch->atRanks == launch->blocks && launch->team == team;
}

static bool areAllHere(World &world, uint32_t index) {
  // Others are asked only when the own blocks are complete: few arrivals look at many ranks.
  const Team team = world.launches[index].team;
  if (!isHere(&world.launches[index], team) || peersOf(world, index).size() < size_t(team.members))
    return false;
  int32_t here = 0;
  for (uint32_t peer : peersOf(world, index))
    here += team.has(world.launches[peer].rank) && isHere(&world.launches[peer], team);
  return here == team.members;
}

static std::string teamText(const World &world, const Team &team) {
  std::string by = team.route == Route::ByMTE ? "" : " (" + name(team.route).str() + ")";
  if (team.members == world.options.ranks)
    return "all ranks" + by;
  return "the ranks " + std::to_string(team.first) + " to " +
         std::to_string(team.rankOf(team.members - 1)) +
         (team.stride == 1 ? "" : " by " + std::to_string(team.stride)) + by;
}

static void release(World &world, uint32_t index) {
  const Team team = world.launches[index].team;
  llvm::ArrayRef<uint32_t> peers = peersOf(world, index);
  for (uint32_t peer : peers)
    if (team.has(world.launches[peer].rank))
      world.launches[peer].atRanks = 0;
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Barrier,
                     .lane = Lane::Scalar,
                     .rank = world.launches[index].rank,
                     .timePs = world.nowPs,
                     .text = "rank_barrier of " + teamText(world, team)});
  llvm::SmallVector<uint32_t, 16> cores;
  for (const auto &agent : world.agents) {
    if (!agent || agent->isHost || !waitsForRanks(*agent) || !team.has(agent->core.rank) ||
        !llvm::is_contained(peers, agent->launch))
      continue;
    cores.push_back(agent->id);
    leaveBarrier(world, *agent, cost(Cost::RankBarrier));
  }
  if (world.audit)
    world.audit->blocksMeet(cores);
}

std::string rankBarrierText(const World &world, uint32_t index) {
  const Team team = world.launches[index].team;
  std::string text;
  int32_t complete = 0;
  for (int32_t member = 0; member != team.members; ++member) {
    int32_t rank = team.rankOf(member);
    const Launch *launch = peerOn(world, index, rank);
    if (isHere(launch, team)) {
      ++complete;
      continue;
    }
    text += "; rank " + std::to_string(rank) + ": ";
    if (!launch)
      text += "no such launch";
    else if (launch->atRanks != 0 && !(launch->team == team))
      text += "at a barrier of " + teamText(world, launch->team);
    else
      text += std::to_string(launch->atRanks) + " of " + std::to_string(launch->blocks) + " blocks";
  }
  std::string whole = team.members == world.options.ranks ? "" : " of " + teamText(world, team);
  return std::to_string(complete) + " of " + std::to_string(team.members) +
         " ranks are here with all blocks" + whole + text;
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
        world.launches[agent->launch].team.has(launch.rank) &&
        (!first || std::pair(agent->core.rank, agent->core.block) <
                       std::pair(first->core.rank, first->core.block)))
      first = agent.get();
  if (!first)
    return;
  reportMismatch(world, *first, launch,
                 "rank " + std::to_string(first->core.rank) + " block " +
                     std::to_string(first->core.block) + " waits for " +
                     teamText(world, world.launches[first->launch].team) + ", and " +
                     std::to_string(launch.finished) + " of " + std::to_string(launch.blocks) +
                     " blocks of rank " + std::to_string(launch.rank) +
                     (launch.finished == 1 ? " has" : " have") + " ended after fewer of them");
}

/// The team that a request names; all ranks where it names none.
static std::optional<Trap> takeTeam(const World &world, const Agent &agent, const Request &request,
                                    Team &team) {
  auto number = [&](unsigned value, int32_t other) {
    return int32_t(request.valueOr(value, ScalarBits(int64_t(other))));
  };
  team = {number(1, 0), number(2, 1), number(3, world.options.ranks), Route(request.values[0])};
  bool isTeam = team.first >= 0 && team.stride > 0 && team.members > 0 &&
                int64_t(team.first) + int64_t(team.members - 1) * team.stride < world.options.ranks;
  if (!isTeam || !team.has(agent.core.rank))
    return makeTrap<Rule::OutOfWindow>(
        "rank " + std::to_string(agent.core.rank) + " meets a team of " +
        std::to_string(team.members) + " from rank " + std::to_string(team.first) + " on, every " +
        std::to_string(team.stride) + "th" + (isTeam ? ", and is not in it" : ""));
  if (world.options.topology.row == 0)
    return std::nullopt; // A mesh.
  for (int32_t member = 0; member != team.members; ++member)
    if (int32_t to = team.rankOf(member); to != agent.core.rank)
      if (Way way = wayOf(world.options.target.platform, world.options.topology,
                          Route(request.values[0]), agent.core.rank, to);
          way.trap)
        return way.trap;
  return std::nullopt;
}

/// Any launch of the others whose blocks have all ended can never meet this one.
Completion syncRanks(World &world, Agent &agent, const Request &request, int64_t) {
  if (agent.isHost)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("a host is no block of a launch"));
  Team team;
  if (auto trap = takeTeam(world, agent, request, team))
    return Completion::trapped(std::move(*trap));
  Launch &own = world.launches[agent.launch];
  if (own.atRanks != 0 && !(own.team == team)) {
    reportMismatch(world, agent, own,
                   "rank " + std::to_string(agent.core.rank) + " block " +
                       std::to_string(agent.core.block) + " meets " + teamText(world, team) +
                       ", and " + std::to_string(own.atRanks) + " of its blocks meet " +
                       teamText(world, own.team));
    return Completion::blocked();
  }
  agent.park = Park::Ranks;
  ++world.epoch;
  ++own.atRanks;
  own.team = team;
  if (areAllHere(world, agent.launch)) {
    release(world, agent.launch);
    return Completion::blocked();
  }
  for (uint32_t peer : peersOf(world, agent.launch))
    if (world.launches[peer].finished != 0 && team.has(world.launches[peer].rank))
      noteRankBlockEnd(world, peer);
  return Completion::blocked();
}

} // namespace pto
