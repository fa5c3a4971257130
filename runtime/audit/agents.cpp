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
  state.third = kNobody;
  state.owner = -1;
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
  AgentId third = states_[other].third;
  if (state.clock.of(other) >= time && (third == kNobody || state.clock.of(third) >= time))
    return;
  raiseIn(state.clock, other, time);
  state.snapshot.reset();
}

void Agents::raiseIn(Clock &clock, AgentId other, uint32_t time) const {
  clock.raise(other, time);
  if (AgentId third = states_[other].third; third != kNobody)
    clock.raise(third, time);
}

void Agents::divide(AgentId queue, int32_t owner) {
  if (states_[queue].third != kNobody)
    return;
  AgentId third = add(AgentKind::Queue, states_[queue].rank, states_[queue].block);
  states_[queue].third = third;
  states_[queue].owner = owner;
}

void Agents::withholdThirds(Clock &clock, const Clock &known, int32_t rank) const {
  for (const AgentState &queue : states_)
    if (queue.third != kNobody && queue.rank != rank && queue.owner != rank)
      clock.set(queue.third, known.of(queue.third));
}

bool Agents::isTold(Epoch epoch, AgentId reader, const Clock &clock) const {
  const AgentState &queue = states_[epoch.agent];
  int32_t rank = states_[reader].rank;
  return queue.third == kNobody || queue.rank == rank || queue.owner == rank ||
         epoch.time <= queue.settledTime || epoch.time <= clock.of(queue.third);
}

void Agents::giveUp(AgentId id, std::vector<AgentId> &ended) const {
  ended.push_back(id);
  if (states_[id].third != kNobody)
    ended.push_back(states_[id].third);
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
