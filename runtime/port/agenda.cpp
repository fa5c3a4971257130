#include "port/agenda.h"

#include <algorithm>
#include <tuple>

namespace pto {

/// For a heap whose top is the earliest action.
static bool later(const Action &a, const Action &b) {
  return std::tie(a.timePs, a.tie, a.sequence) > std::tie(b.timePs, b.tie, b.sequence);
}

void Agenda::add(int64_t timePs, ActionKind kind, uint32_t subject, uint32_t part) {
  heap_.push_back({timePs, ties_.next(), sequence_++, kind, part, subject});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

Action Agenda::takeNext() {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  Action action = heap_.back();
  heap_.pop_back();
  return action;
}

} // namespace pto
