//===- clock.h - what an agent knows of the others --------------*- C++ -*-===//
#ifndef PTO_AUDIT_CLOCK_H
#define PTO_AUDIT_CLOCK_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace pto::audit_detail {

using AgentId = uint32_t;
inline constexpr AgentId kNobody = ~0u;

/// A vector clock: for every agent, up to which of its times its accesses come before. An agent
/// that was never heard of stands at 0, and every agent's own time begins at 1.
class Clock {
public:
  [[nodiscard]] uint32_t of(AgentId agent) const {
    return agent < times_.size() ? times_[agent] : 0;
  }
  void set(AgentId agent, uint32_t time);
  void raise(AgentId agent, uint32_t time) {
    if (of(agent) < time)
      set(agent, time);
  }
  void join(const Clock &other);
  /// Keeps of each agent the lesser time: what two clocks have in common.
  void meet(const Clock &other);
  [[nodiscard]] bool covers(const Clock &other) const;
  [[nodiscard]] size_t size() const { return times_.size(); }

private:
  std::vector<uint32_t> times_;
};

/// A clock as it was at some moment, shared by all who hold that moment.
using ClockRef = std::shared_ptr<const Clock>;

} // namespace pto::audit_detail

#endif
