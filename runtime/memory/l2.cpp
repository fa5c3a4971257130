#include "memory/l2.h"

#include <algorithm>

namespace pto {

/// Granules [first, end) of a range.
struct Granules {
  int64_t first, end;
  explicit Granules(ByteRange range)
      : first(range.begin / L2::kGranuleBytes),
        end((range.end + L2::kGranuleBytes - 1) / L2::kGranuleBytes) {}
};

bool L2::Arrival::isLater(const Arrival &one, const Arrival &other) {
  return std::pair(one.ps, one.fetch) > std::pair(other.ps, other.fetch);
}

void L2::Arrival::setTime() {
  ps = startPs + int64_t(__int128(endPs - startPs) * (index + 1) / count);
}

void L2::fetch(ByteRange range, int64_t startPs, int64_t endPs) {
  if (range.empty() || most_ == 0)
    return;
  Granules granules(range);
  Arrival arrival = {
      0, ++fetches_, startPs, endPs, 0, granules.end - granules.first, granules.first};
  arrival.setTime();
  arrivals_.push_back(arrival);
  std::push_heap(arrivals_.begin(), arrivals_.end(), Arrival::isLater);
}

void L2::advance(int64_t nowPs) {
  while (!arrivals_.empty() && arrivals_.front().ps <= nowPs) {
    std::pop_heap(arrivals_.begin(), arrivals_.end(), Arrival::isLater);
    Arrival &arrival = arrivals_.back();
    add(arrival.first + arrival.index);
    if (++arrival.index == arrival.count) {
      arrivals_.pop_back();
      continue;
    }
    arrival.setTime();
    std::push_heap(arrivals_.begin(), arrivals_.end(), Arrival::isLater);
  }
}

void L2::add(int64_t granule) {
  if (auto known = placeOf_.find(granule); known != placeOf_.end()) {
    used_.splice(used_.begin(), used_, known->second);
    return;
  }
  if (used_.size() == most_) {
    placeOf_.erase(used_.back());
    used_.pop_back();
  }
  used_.push_front(granule);
  placeOf_[granule] = used_.begin();
}

int64_t L2::use(ByteRange range, int64_t nowPs) {
  advance(nowPs);
  if (range.empty() || used_.empty())
    return 0;
  int64_t found = 0;
  for (Granules at(range); at.first != at.end; ++at.first) {
    auto known = placeOf_.find(at.first);
    if (known == placeOf_.end())
      continue;
    used_.splice(used_.begin(), used_, known->second);
    found += std::min(range.end, (at.first + 1) * kGranuleBytes) -
             std::max(range.begin, at.first * kGranuleBytes);
  }
  return found;
}

void L2::drop(ByteRange range, int64_t nowPs) {
  advance(nowPs);
  if (range.empty() || used_.empty())
    return;
  for (Granules at(range); at.first != at.end; ++at.first)
    if (auto known = placeOf_.find(at.first); known != placeOf_.end()) {
      used_.erase(known->second);
      placeOf_.erase(known);
    }
}

} // namespace pto
