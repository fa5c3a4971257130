//===- pool.h - the channel pool of M, counted in links ---------*- C++ -*-===//
//
// A waterline is a decimal, and its links are the whole part of max_channel times it: of 100 links
// and 0.29 they are 29, which binary fractions miss. So decimals stay decimals here.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_POOL_H
#define PTO_HIXL_POOL_H

#include "hixl/fault.h"

#include <optional>

namespace pto {

/// A decimal as it is written: 0.digits times ten to the power of `point`.
class HixlDecimal {
public:
  /// "0.3", "3e-1"; absent: no decimal of at most 40 characters.
  [[nodiscard]] static std::optional<HixlDecimal> parse(llvm::StringRef text);

  /// Whether it lies strictly between 0 and 1.
  [[nodiscard]] bool isPart() const;
  /// The whole part of `count` times it. It is a part.
  [[nodiscard]] int64_t floorOf(int64_t count) const;
  [[nodiscard]] double inDoubles() const;

private:
  bool isNegative_ = false;
  std::string digits_; ///< Neither its first nor its last is 0; empty: zero.
  int point_ = 0;
};

/// A pool that is on. 1 <= low < high <= max.
struct HixlPool {
  int64_t max = 0;
  int64_t high = 0;
  int64_t low = 0;

  /// How many links a connect makes go, where so many are there, in both directions.
  [[nodiscard]] int64_t victims(int64_t links) const { return links >= high ? links - low : 0; }
};

/// The links of a waterline.
[[nodiscard]] int64_t waterlineLinks(int64_t max, const HixlDecimal &part);

/// The values as they stand in the JSON; absent: the key is not there.
struct HixlPoolText {
  std::optional<std::string> max;
  std::optional<std::string> high;
  std::optional<std::string> low;
};
/// The pool, or none: it is off, or one of the faults says what is wrong.
[[nodiscard]] std::optional<HixlPool> readHixlPool(const HixlPoolText &text, HixlFaults &faults);

} // namespace pto

#endif
