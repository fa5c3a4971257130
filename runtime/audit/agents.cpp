#include "audit/agents.h"

#include <algorithm>

namespace pto::audit_detail {

llvm::StringRef name(AgentKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {"host", "S",     "V",    "MTE2",
                                                   "MTE3", "cache", "queue"};
  return kNames[size_t(kind)];
}

AgentId Agents::add(AgentKind kind, int32_t rank, int32_t block, uint64_t queue) {
  AgentId id = AgentId(states_.size());
  if (free_.empty()) {
    states_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  AgentState &state = states_[id];
  state.kind = kind;
  state.rank = rank;
  state.block = block;
  state.queue = queue;
  state.clock.set(id, state.time);
  return id;
}

void Agents::revive(AgentId id) {
  states_[id].clock = Clock();
  tick(id);
}

Epoch Agents::touch(AgentId id) {
  AgentState &state = states_[id];
  if (state.isReleased)
    tick(id);
  return {id, state.time};
}

void Agents::tick(AgentId id) {
  AgentState &state = states_[id];
  state.clock.set(id, ++state.time);
  state.isReleased = false;
  state.snapshot.reset();
}

ClockRef Agents::release(AgentId id) {
  AgentState &state = states_[id];
  state.isReleased = true;
  if (!state.snapshot)
    state.snapshot = std::make_shared<const Clock>(state.clock);
  return state.snapshot;
}

void Agents::join(AgentId id, const Clock &clock) {
  AgentState &state = states_[id];
  if (state.clock.covers(clock))
    return;
  state.clock.join(clock);
  state.snapshot.reset();
}

void Agents::raise(AgentId id, AgentId other, uint32_t time) {
  AgentState &state = states_[id];
  if (state.clock.of(other) >= time)
    return;
  state.clock.set(other, time);
  state.snapshot.reset();
}

void Agents::noteData(Epoch epoch) {
  constexpr size_t kKept = 1024;
  std::deque<uint32_t> &times = states_[epoch.agent].dataTimes;
  if (!times.empty() && times.back() >= epoch.time)
    return;
  times.push_back(epoch.time);
  if (times.size() <= kKept)
    return;
  states_[epoch.agent].forgottenTime = times.front();
  times.pop_front();
}

bool Agents::coversData(const Clock &clock, const Clock &wanted) const {
  for (AgentId id = 0; id != wanted.size(); ++id) {
    uint32_t low = clock.of(id), high = wanted.of(id);
    if (low >= high || high <= states_[id].settledTime)
      continue;
    if (low < states_[id].forgottenTime)
      return false; // What is older than the times that were kept is taken for data.
    const std::deque<uint32_t> &times = states_[id].dataTimes;
    auto next = std::upper_bound(times.begin(), times.end(), low);
    if (next != times.end() && *next <= high)
      return false;
  }
  return true;
}

void Agents::settle(llvm::ArrayRef<AgentId> ended) {
  for (AgentId id = 0; id != states_.size(); ++id) {
    AgentState &state = states_[id];
    state.settledTime = state.time;
    state.clock = Clock();
    state.dataTimes.clear();
    state.forgottenTime = 0;
    tick(id);
  }
  free_.insert(free_.end(), ended.begin(), ended.end());
}

} // namespace pto::audit_detail
