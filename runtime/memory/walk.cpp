#include "memory/walk.h"

#include "simd/simd.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace pto {

/// A contiguous view as one row.
static View flattened(const View &view) {
  if (view.dims == 1 || !isContiguous(view))
    return view;
  View flat = view;
  flat.dims = 1;
  flat.shape[0] = elements(view);
  flat.stride[0] = 1;
  return flat;
}

ElementWalk::ElementWalk(const View &view, int64_t first) : view_(flattened(view)) {
  if (elements(view_) != 0)
    seek(first);
}

void ElementWalk::seek(int64_t element) {
  at_ = element;
  offset_ = view_.offset;
  for (unsigned d = view_.dims; d-- != 0;) {
    int64_t here = element % view_.shape[d];
    element /= view_.shape[d];
    offset_ += here * view_.stride[d] * view_.elementBytes();
    if (d + 1u == view_.dims)
      inner_ = here;
  }
}

int64_t ElementWalk::run() const {
  if (view_.dims == 0 || view_.stride[view_.dims - 1] != 1)
    return 1;
  return view_.shape[view_.dims - 1] - inner_;
}

void ElementWalk::advance(int64_t count) {
  bool staysInRow = view_.dims != 0 && inner_ + count < view_.shape[view_.dims - 1];
  if (!staysInRow) {
    seek(at_ + count);
    return;
  }
  at_ += count;
  inner_ += count;
  offset_ += count * view_.stride[view_.dims - 1] * view_.elementBytes();
}

void copyElements(const ElementCopy &copy, uint8_t *toBase, const uint8_t *fromBase) {
  if (copy.count <= 0)
    return;
  ElementWalk to(copy.to, copy.toFirst), from(copy.from, copy.fromFirst);
  int64_t size = copy.from.elementBytes();
  for (int64_t left = copy.count;;) {
    int64_t run = std::min({left, to.run(), from.run()});
    uint8_t *into = toBase + to.offset();
    const uint8_t *data = fromBase + from.offset();
    if (copy.adds)
      computeRow(TileFn::Add, copy.from.type, into, into, data, size_t(run));
    else
      std::memmove(into, data, size_t(run * size));
    left -= run;
    if (left == 0)
      return;
    to.advance(run);
    from.advance(run);
  }
}

/// Whether the type could not hold the sum. Finite numbers have a finite sum; integers of these
/// types, and their sums, are exact as doubles.
static bool isOverflow(ScalarType type, ScalarBits before, ScalarBits addend, ScalarBits after) {
  double a = toDouble(type, before), b = toDouble(type, addend), sum = toDouble(type, after);
  if (info(type).isFloat())
    return std::isinf(sum) && std::isfinite(a) && std::isfinite(b);
  return sum != a + b;
}

std::optional<SumOverflow> findOverflow(const ElementCopy &copy, const uint8_t *toBase,
                                        const uint8_t *fromBase) {
  std::optional<SumOverflow> found;
  if (!copy.adds || copy.count <= 0)
    return found;
  ElementWalk to(copy.to, copy.toFirst), from(copy.from, copy.fromFirst);
  ScalarType type = copy.from.type;
  int64_t size = copy.from.elementBytes();
  std::vector<uint8_t> sums;
  for (int64_t left = copy.count;;) {
    int64_t run = std::min({left, to.run(), from.run()});
    const uint8_t *held = toBase + to.offset(), *added = fromBase + from.offset();
    sums.assign(held, held + run * size);
    computeRow(TileFn::Add, type, sums.data(), sums.data(), added, size_t(run));
    for (int64_t at = 0; at != run * size; at += size) {
      ScalarBits before = loadScalar(type, held + at), addend = loadScalar(type, added + at),
                 after = loadScalar(type, sums.data() + at);
      if (!isOverflow(type, before, addend, after))
        continue;
      if (found)
        ++found->more;
      else
        found = SumOverflow{to.offset() + at, before, addend, after, 0};
    }
    left -= run;
    if (left == 0)
      return found;
    to.advance(run);
    from.advance(run);
  }
}

} // namespace pto
