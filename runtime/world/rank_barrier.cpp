// rank_barrier: all blocks of a launch on every rank of a team meet. What they count in belongs to
// the team, so the n-th meeting of it on one rank and the n-th on another are one, whatever kernels
// they stand in.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static bool waitsForRanks(const Agent &agent) { return agent.park == Park::Ranks; }

/// The launch of a rank that waits for the team; null: none does.
static const Launch *launchAt(const World &world, const Team &team, int32_t rank) {
  auto meeting = world.meetings.find(team);
  if (meeting == world.meetings.end())
    return nullptr;
  auto launch = meeting->second.find(rank);
  return launch == meeting->second.end() ? nullptr : &world.launches[launch->second];
}

static bool isHere(const Launch &launch) { return launch.atRanks == launch.blocks; }

static bool areAllHere(const World &world, const Launch &own) {
  // Others are asked only when the own blocks are complete: few arrivals look at many ranks.
  const std::map<int32_t, uint32_t> &meeting = world.meetings.at(own.team);
  return isHere(own) && meeting.size() == size_t(own.team.members) &&
         llvm::all_of(meeting, [&](const auto &at) { return isHere(world.launches[at.second]); });
}

static std::string teamText(const World &world, const Team &team) {
  std::string by = team.route == Route::ByMTE ? "" : " (" + name(team.route).str() + ")";
  if (team.members == world.options.ranks)
    return "all ranks" + by;
  return "the ranks " + std::to_string(team.first) + " to " +
         std::to_string(team.rankOf(team.members - 1)) +
         (team.stride == 1 ? "" : " by " + std::to_string(team.stride)) + by;
}

static void release(World &world, const Team team) {
  std::map<int32_t, uint32_t> meeting = std::move(world.meetings.at(team));
  world.meetings.erase(team);
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Barrier,
                     .lane = Lane::Scalar,
                     .rank = meeting.begin()->first,
                     .timePs = world.nowPs,
                     .text = "rank_barrier of " + teamText(world, team)});
  for (auto [rank, launch] : meeting)
    world.launches[launch].atRanks = 0;
  llvm::SmallVector<uint32_t, 16> cores;
  for (const auto &agent : world.agents) {
    if (!agent || agent->isHost || !waitsForRanks(*agent))
      continue;
    auto here = meeting.find(agent->core.rank);
    if (here == meeting.end() || here->second != agent->launch)
      continue;
    cores.push_back(agent->id);
    leaveBarrier(world, *agent, cost(Cost::RankBarrier));
  }
  if (world.audit)
    world.audit->blocksMeet(cores, team.route == Route::ByROCE);
}

/// Where the blocks of a rank are that others wait for.
static std::string absenceText(const World &world, const Team &team, int32_t rank) {
  if (const Launch *launch = launchAt(world, team, rank))
    return std::to_string(launch->atRanks) + " of " + std::to_string(launch->blocks) + " blocks";
  const Launch *running = nullptr;
  for (uint32_t index : world.ranks[size_t(rank)].sinceSync) {
    const Launch &launch = world.launches[index];
    if (launch.atRanks != 0)
      return "at a barrier of " + teamText(world, launch.team);
    if (!launch.isDone && !running)
      running = &launch;
  }
  return running ? "0 of " + std::to_string(running->blocks) + " blocks" : "no launch is under way";
}

std::string rankBarrierText(const World &world, uint32_t index) {
  const Team team = world.launches[index].team;
  std::string text;
  int32_t complete = 0;
  for (int32_t member = 0; member != team.members; ++member) {
    int32_t rank = team.rankOf(member);
    const Launch *launch = launchAt(world, team, rank);
    if (launch && isHere(*launch))
      ++complete;
    else
      text += "; rank " + std::to_string(rank) + ": " + absenceText(world, team, rank);
  }
  std::string whole = team.members == world.options.ranks ? "" : " of " + teamText(world, team);
  return std::to_string(complete) + " of " + std::to_string(team.members) +
         " ranks are here with all blocks" + whole + text;
}

static const Agent *firstAt(const World &world, uint32_t launch) {
  const Agent *first = nullptr;
  for (const auto &agent : world.agents)
    if (agent && !agent->isHost && waitsForRanks(*agent) && agent->launch == launch &&
        (!first || agent->core.block < first->core.block))
      first = agent.get();
  return first;
}

static void reportAbsent(World &world, const Agent &waiter, const Launch &missing) {
  reportMismatch(world, waiter, missing,
                 "rank " + std::to_string(waiter.core.rank) + " block " +
                     std::to_string(waiter.core.block) + " waits for " +
                     teamText(world, world.launches[waiter.launch].team) + ", and " +
                     std::to_string(missing.finished) + " of " + std::to_string(missing.blocks) +
                     " blocks of rank " + std::to_string(missing.rank) +
                     (missing.finished == 1 ? " has" : " have") + " ended after fewer of them");
}

/// A block that has ended can never arrive, so the others of its launch wait for ever.
void noteRankBlockEnd(World &world, uint32_t index) {
  const Launch &launch = world.launches[index];
  if (launch.atRanks == 0 || launch.finished == 0 || world.stopped)
    return;
  if (const Agent *first = firstAt(world, index))
    reportAbsent(world, *first, launch);
}

/// Nobody moves any more: a rank whose launches have all ended is missed at a meeting.
bool reportRankMismatch(World &world) {
  for (const auto &[team, meeting] : world.meetings)
    for (int32_t member = 0; member != team.members; ++member) {
      int32_t rank = team.rankOf(member);
      const RankState &state = world.ranks[size_t(rank)];
      if (meeting.contains(rank) || state.unfinished != 0 || state.lastLaunch == kNoLaunch)
        continue;
      if (const Agent *first = firstAt(world, meeting.begin()->second)) {
        reportAbsent(world, *first, world.launches[state.lastLaunch]);
        return true;
      }
    }
  return false;
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
  if (team.route == Route::ByROCE && team.members > limit(Limit::BarrierSlots))
    return makeTrap<Rule::BarrierTeamTooLarge>(team.members, limit(Limit::BarrierSlots));
  if (world.options.topology.isMesh())
    return std::nullopt;
  for (int32_t member = 0; member != team.members; ++member)
    if (int32_t to = team.rankOf(member); to != agent.core.rank)
      if (Way way = wayOf(world.options.target.platform, world.options.topology,
                          Route(request.values[0]), agent.core.rank, to);
          way.trap)
        return way.trap;
  return std::nullopt;
}

/// Two launches that may run side by side count the same team's barriers.
static std::optional<Trap> checkMixed(const World &world, const Launch &own, const Team &team) {
  for (uint32_t index : world.ranks[size_t(own.rank)].sinceSync) {
    const Launch &other = world.launches[index];
    if (other.stream == own.stream || !llvm::is_contained(other.met, team))
      continue;
    auto nameOf = [&](const Launch &launch) { return world.module.functions[launch.kernel].name; };
    Trap trap = makeTrap<Rule::BarriersMixed>(nameOf(own), own.stream, teamText(world, team),
                                              nameOf(other), other.stream, own.rank);
    trap.sites.push_back({other.place, "the other launch", other.rank, -1, -1});
    return trap;
  }
  return std::nullopt;
}

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
  if (auto trap = checkMixed(world, own, team))
    return Completion::trapped(std::move(*trap));
  if (!llvm::is_contained(own.met, team))
    own.met.push_back(team);
  agent.park = Park::Ranks;
  ++world.epoch;
  ++own.atRanks;
  own.team = team;
  world.meetings[team][own.rank] = agent.launch;
  if (areAllHere(world, own))
    release(world, team);
  else
    noteRankBlockEnd(world, agent.launch);
  return Completion::blocked();
}

} // namespace pto
