// Cores: the life of a block, and what its barriers and fences join.

#include "audit/parts.h"

#include "base/check.h"

namespace pto {

using namespace audit_detail;

namespace audit_detail {

AgentId agentOf(const CoreOrder &core, Pipe pipe) {
  switch (pipe) {
  case Pipe::S:
    return core.scalar;
  case Pipe::V:
    return core.pipes[0];
  case Pipe::MTE2:
    return core.pipes[1];
  case Pipe::MTE3:
    return core.pipes[2];
  case Pipe::ALL:
    break;
  }
  PTO_UNREACHABLE("all pipes are no pipe");
}

static AgentKind pipeKind(unsigned ownPipe) { return AgentKind(unsigned(AgentKind::V) + ownPipe); }

uint32_t scalarSite(State &state, uint32_t id, const Request &request) {
  const CoreOrder &core = state.core(id);
  return state.sites.of(
      {request.opcode, request.place, core.rank, core.block, AgentKind::Scalar, request.call});
}

Accessor scalarOf(State &state, uint32_t id, uint32_t site) {
  Epoch now = state.agents.touch(state.core(id).scalar);
  return {now.agent, now.time, &state.agents[now.agent].clock, 0, id, kNobody, 0, site, 0};
}

} // namespace audit_detail

namespace audit_detail {

Part partOf(const State &state, const CoreOrder &core, AgentKind kind) {
  return {core.rank, state.launches.at(core.launch).stream, core.block, kind, 0, 0};
}

AgentId takeAgent(State &state, const Part &part) {
  auto known = state.idle.find(part);
  if (known == state.idle.end())
    return state.agents.add(part.kind, part.rank, part.block);
  AgentId agent = known->second;
  state.idle.erase(known);
  state.agents.revive(agent);
  return agent;
}

/// Transfers that nobody awaited go on beside the next launch, so their agent does not go on in it.
static void layAsideDomains(State &state, const CoreOrder &core) {
  Part part = partOf(state, core, AgentKind::Queue);
  for (const DomainOrder &domain : core.domains) {
    if (domain.agent != kNobody && domain.covered == state.agents[domain.agent].time) {
      part.queue = domain.shared;
      state.idle.emplace(part, domain.agent);
    } else if (domain.agent != kNobody) {
      state.agents.giveUp(domain.agent, state.ended);
    }
    ++part.domain;
  }
}

/// Reports look back as far as the launches before those that run.
static void keepStory(State &state, uint32_t id, CoreStory story) {
  constexpr size_t kLaunchesBack = 4, kFew = 64;
  state.past[id] = std::move(story);
  while (state.past.size() > std::max(kFew, kLaunchesBack * state.mostRunning))
    state.past.erase(state.past.begin());
}

} // namespace audit_detail

void Audit::blockBegins(uint32_t id, uint32_t launch, int32_t rank, int32_t block) {
  State &state = *state_;
  CoreOrder core;
  core.rank = rank;
  core.block = block;
  core.launch = launch;
  core.scalar = takeAgent(state, partOf(state, core, AgentKind::Scalar));
  for (unsigned i = 0; i != kOwnPipes; ++i)
    core.pipes[i] = takeAgent(state, partOf(state, core, pipeKind(i)));
  core.writeBack = takeAgent(state, partOf(state, core, AgentKind::WriteBack));
  const Clock &begin = state.launches.at(launch).begin;
  state.agents.join(core.scalar, begin);
  // What earlier launches stored is visible.
  core.visibleStores = begin.of(agentOf(core, Pipe::MTE3));
  core.visibleLines = begin.of(core.writeBack);
  state.cores.emplace(id, std::move(core));
  state.mostRunning = std::max(state.mostRunning, state.cores.size());
}

/// The end of a kernel drains its pipes; transfers that nobody awaited go on without it.
void Audit::blockEnds(uint32_t id) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  Clock &end = state.launches.at(core.launch).end;
  end.join(state.agents[core.scalar].clock);
  state.idle.emplace(partOf(state, core, AgentKind::Scalar), core.scalar);
  state.idle.emplace(partOf(state, core, AgentKind::WriteBack), core.writeBack);
  for (unsigned i = 0; i != kOwnPipes; ++i) {
    end.join(state.agents[core.pipes[i]].clock);
    state.idle.emplace(partOf(state, core, pipeKind(i)), core.pipes[i]);
  }
  layAsideDomains(state, core);
  for (const auto &[key, line] : core.lines)
    if (line.stored != 0)
      llvm::erase(state.dirty[key], id);
  keepStory(state, id, std::move(core.story));
  state.cores.erase(id);
}

/// syncall: arrival of the scalar pipes, and nothing else.
void Audit::blocksMeet(llvm::ArrayRef<uint32_t> cores, bool tellsOwnersOnly) {
  State &state = *state_;
  Clock all;
  for (uint32_t id : cores)
    all.join(*state.agents.release(state.core(id).scalar));
  for (uint32_t id : cores) {
    const CoreOrder &core = state.core(id);
    Clock told = all;
    if (tellsOwnersOnly)
      state.agents.withholdThirds(told, state.agents[core.scalar].clock, core.rank);
    state.agents.join(core.scalar, told);
  }
}

void Audit::fences(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  const Clock &known = state.agents[core.scalar].clock;
  core.visibleStores = known.of(agentOf(core, Pipe::MTE3));
  core.visibleLines = known.of(core.writeBack);
  state.addStep(core, scalarSite(state, id, request));
}

void Audit::drains(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  state.addStep(core, scalarSite(state, id, request));
  auto pipe = Pipe(request.values[0]);
  if (pipe == Pipe::S)
    return;
  for (AgentId agent : core.pipes)
    if (pipe == Pipe::ALL || agent == agentOf(core, pipe))
      state.agents.join(core.scalar, *state.agents.release(agent));
}

void Audit::joinsTokens(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  state.addStep(core, scalarSite(state, id, request));
  for (unsigned i = 0; i != request.valueCount; ++i) {
    auto done = request.has(i) ? core.doneTokens.find(request.values[i]) : core.doneTokens.end();
    if (done != core.doneTokens.end())
      state.agents.join(core.scalar, *done->second);
  }
}

} // namespace pto
