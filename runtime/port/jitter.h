//===- jitter.h - seeded uncertainty ----------------------------*- C++ -*-===//
//
// Every agent draws from its own stream, so what one agent does never shifts the luck of another.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PORT_JITTER_H
#define PTO_PORT_JITTER_H

#include <cstdint>

namespace pto {

/// The finaliser of splitmix64: every input bit reaches every output bit.
[[nodiscard]] constexpr uint64_t mixBits(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class Jitter {
public:
  Jitter() = default;
  Jitter(uint64_t seed, uint64_t stream) : key_(mixBits(seed ^ mixBits(stream))) {}

  [[nodiscard]] uint64_t next() { return mixBits(key_ + counter_++); }
  /// Uniform in [0, bound); bound at least 1.
  [[nodiscard]] int64_t below(int64_t bound) {
    return bound <= 1 ? 0 : int64_t(next() % uint64_t(bound));
  }
  /// A latency within 30 % of its nominal value.
  [[nodiscard]] int64_t spread(int64_t ps) {
    return int64_t(__int128(ps) * (700 + below(601)) / 1000);
  }

private:
  uint64_t key_ = 0;
  uint64_t counter_ = 0;
};

} // namespace pto

#endif
