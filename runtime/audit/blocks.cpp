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

uint32_t scalarSite(State &state, uint32_t id, const Request &request) {
  const CoreOrder &core = state.core(id);
  return state.sites.of(request.opcode, request.place, core.rank, core.block, AgentKind::Scalar);
}

Accessor scalarOf(State &state, uint32_t id, uint32_t site) {
  Epoch now = state.agents.touch(state.core(id).scalar);
  return {now.agent, now.time, &state.agents[now.agent].clock, 0, id, kNobody, 0, site, 0};
}

} // namespace audit_detail

void Audit::blockBegins(uint32_t id, uint32_t launch, int32_t rank, int32_t block) {
  State &state = *state_;
  CoreOrder core;
  core.rank = rank;
  core.block = block;
  core.launch = launch;
  core.scalar = state.agents.add(AgentKind::Scalar, rank, block);
  for (unsigned i = 0; i != kOwnPipes; ++i)
    core.pipes[i] = state.agents.add(AgentKind(unsigned(AgentKind::V) + i), rank, block);
  core.writeBack = state.agents.add(AgentKind::WriteBack, rank, block);
  state.agents.join(core.scalar, state.launches.at(launch).begin);
  state.cores.emplace(id, std::move(core));
}

/// The end of a kernel drains its pipes; transfers that nobody awaited go on without it.
void Audit::blockEnds(uint32_t id) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  Clock &end = state.launches.at(core.launch).end;
  end.join(state.agents[core.scalar].clock);
  state.ended.push_back(core.scalar);
  state.ended.push_back(core.writeBack);
  for (AgentId pipe : core.pipes) {
    end.join(state.agents[pipe].clock);
    state.ended.push_back(pipe);
  }
  for (const DomainOrder &domain : core.domains)
    if (domain.agent != kNobody)
      state.ended.push_back(domain.agent);
  for (const auto &[key, line] : core.lines)
    if (line.stored != 0)
      llvm::erase(state.dirty[key], id);
  state.past[id] = std::move(core.story);
  state.cores.erase(id);
}

/// syncall: arrival of the scalar pipes, and nothing else.
void Audit::blocksMeet(llvm::ArrayRef<uint32_t> cores) {
  State &state = *state_;
  Clock all;
  for (uint32_t id : cores)
    all.join(*state.agents.release(state.core(id).scalar));
  for (uint32_t id : cores)
    state.agents.join(state.core(id).scalar, all);
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
