//===- agents.h - who acts in a run, with its clock -------------*- C++ -*-===//
//
// Hosts, the four pipes of every core, and the ordering domains of transfers. Nothing comes before
// anything but by what is joined here.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_AGENTS_H
#define PTO_AUDIT_AGENTS_H

#include "audit/clock.h"

#include "llvm/ADT/StringRef.h"

#include <deque>

namespace pto::audit_detail {

enum class AgentKind : uint8_t { Host, Scalar, V, MTE2, MTE3, WriteBack, Queue };
[[nodiscard]] llvm::StringRef name(AgentKind kind);

/// A time of an agent. Accesses between two releases share one.
struct Epoch {
  AgentId agent = kNobody;
  uint32_t time = 0;
};

struct AgentState {
  AgentKind kind = AgentKind::Host;
  int32_t rank = 0;
  int32_t block = -1;
  uint64_t queue = 0; ///< Of AgentKind::Queue: transfers of one queue write in post order.
  /// Of a queue of ROCE: by this entry of a clock others than the owner of the memory know of it.
  AgentId third = kNobody;
  int32_t owner = -1; ///< The rank whose memory such a queue writes.
  Clock clock;        ///< Its own entry is its time.
  uint32_t time = 1;
  bool isReleased = false;        ///< Somebody holds this time; the next access begins a new one.
  uint32_t settledTime = 0;       ///< Up to here everybody knows it.
  ClockRef snapshot;              ///< Of `clock`; null after a change.
  std::deque<uint32_t> dataTimes; ///< The last times at which it touched data,
  uint32_t forgottenTime = 0;     ///< and the latest one that is no longer among them.
};

class Agents {
public:
  [[nodiscard]] AgentId add(AgentKind kind, int32_t rank, int32_t block, uint64_t queue = 0);
  [[nodiscard]] size_t size() const { return states_.size(); }
  [[nodiscard]] AgentState &operator[](AgentId id) { return states_[id]; }
  [[nodiscard]] const AgentState &operator[](AgentId id) const { return states_[id]; }

  /// An agent of the past acts again, and whoever begins it knows all that it did. It keeps its
  /// times, and knows nothing yet.
  void revive(AgentId id);

  /// The time of an access that the agent makes now.
  [[nodiscard]] Epoch touch(AgentId id);
  /// Begins a new time in any case: what follows can be told from what came before.
  void tick(AgentId id);
  /// What the agent knows now, for others to join.
  [[nodiscard]] ClockRef release(AgentId id);
  void join(AgentId id, const Clock &clock);
  void raise(AgentId id, AgentId other, uint32_t time);
  /// In a clock that is no agent's, too: whoever is told of a divided queue knows all of it.
  void raiseIn(Clock &clock, AgentId other, uint32_t time) const;
  /// From now on what others know of the queue is told apart from what the owner knows.
  void divide(AgentId queue, int32_t owner);
  /// Takes from a clock that a rank is about to join what a barrier of ROCE does not tell it.
  void withholdThirds(Clock &clock, const Clock &known, int32_t rank) const;
  /// Whether the agent may rely on bytes that come before it, as far as third parties go.
  [[nodiscard]] bool isTold(Epoch epoch, AgentId reader, const Clock &clock) const;
  /// Whether the epoch comes before what a clock stands for.
  [[nodiscard]] bool isBefore(Epoch epoch, const Clock &clock) const {
    return epoch.time <= states_[epoch.agent].settledTime || epoch.time <= clock.of(epoch.agent);
  }
  /// Adds the ids of an agent that will not act again.
  void giveUp(AgentId id, std::vector<AgentId> &ended) const;
  /// The agent touches data at this time, rather than a signal.
  void noteData(Epoch epoch);
  /// Whether a clock lacks nothing of another but times at which nobody touched data.
  [[nodiscard]] bool coversData(const Clock &clock, const Clock &wanted) const;
  /// From now on everybody knows all that any agent did, and ids of `ended` may be given away.
  void settle(llvm::ArrayRef<AgentId> ended);

private:
  std::vector<AgentState> states_;
  std::vector<AgentId> free_;
};

} // namespace pto::audit_detail

#endif
