//===- set.h - sets of rows, for columns that hold several ------*- C++ -*-===//
#ifndef PTO_HIXL_SET_H
#define PTO_HIXL_SET_H

#include <cstdint>

namespace pto {

/// A set of enumerators; they are numbered below 32.
template <typename Enum> class HixlSet {
public:
  constexpr HixlSet() = default;
  template <typename... Each> constexpr explicit HixlSet(Enum first, Each... others) {
    add(first);
    (add(others), ...);
  }
  constexpr void add(Enum which) { bits_ |= uint32_t(1) << unsigned(which); }
  [[nodiscard]] constexpr bool contains(Enum which) const {
    return bits_ >> unsigned(which) & uint32_t(1);
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const HixlSet &) const = default;

private:
  uint32_t bits_ = 0;
};

} // namespace pto

#endif
