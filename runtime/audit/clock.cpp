#include "audit/clock.h"

#include <algorithm>

namespace pto::audit_detail {

void Clock::set(AgentId agent, uint32_t time) {
  if (times_.size() <= agent)
    times_.resize(agent + size_t(1));
  times_[agent] = time;
}

void Clock::join(const Clock &other) {
  if (times_.size() < other.times_.size())
    times_.resize(other.times_.size());
  for (size_t i = 0; i != other.times_.size(); ++i)
    times_[i] = std::max(times_[i], other.times_[i]);
}

void Clock::meet(const Clock &other) {
  times_.resize(std::min(times_.size(), other.times_.size()));
  for (size_t i = 0; i != times_.size(); ++i)
    times_[i] = std::min(times_[i], other.times_[i]);
}

bool Clock::covers(const Clock &other) const {
  for (size_t i = 0; i != other.times_.size(); ++i)
    if (other.times_[i] > of(AgentId(i)))
      return false;
  return true;
}

} // namespace pto::audit_detail
