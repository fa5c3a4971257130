//===- walk.h - the elements of a view in order -----------------*- C++ -*-===//
//
// Visits byte offsets of a view's elements in row-major order, from any element on, and tells how
// many of them lie side by side, so that a copy can take whole rows.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_WALK_H
#define PTO_MEMORY_WALK_H

#include "memory/view.h"

#include <optional>

namespace pto {

class ElementWalk {
public:
  explicit ElementWalk(const View &view, int64_t first = 0);

  [[nodiscard]] int64_t offset() const { return offset_; }
  /// Elements from here on that follow each other without a gap.
  [[nodiscard]] int64_t run() const;
  void advance(int64_t count);

private:
  void seek(int64_t element);

  View view_;
  int64_t at_ = 0;    ///< Element number in row-major order.
  int64_t inner_ = 0; ///< Position in the last dimension.
  int64_t offset_ = 0;
};

/// Copies, or adds as a storing unit does (wrapping, or rounded once), `count` elements of `from`,
/// from element `first` on, to the same elements of `to`. `fromBase`, `toBase`: the first byte of
/// the spaces that the views' offsets count from.
struct ElementCopy {
  View to;
  View from;
  int64_t toFirst = 0;
  int64_t fromFirst = 0;
  int64_t count = 0;
  bool adds = false;
};
void copyElements(const ElementCopy &copy, uint8_t *toBase, const uint8_t *fromBase);

/// An element whose sum its type cannot hold: the integer wraps, the float becomes infinite.
struct SumOverflow {
  int64_t offset = 0; ///< Of its first byte.
  ScalarBits before = 0, addend = 0, after = 0;
  uint64_t more = 0; ///< Further ones of the same copy.
};
/// The first such element of a copy that adds and that has not been done yet.
[[nodiscard]] std::optional<SumOverflow>
findOverflow(const ElementCopy &copy, const uint8_t *toBase, const uint8_t *fromBase);

} // namespace pto

#endif
