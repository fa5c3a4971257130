// What a view covers: counts, ranges, contiguity, tiles.

#include "memory/view.h"

#include "target/platform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

namespace pto {

static int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

int64_t elements(const View &view) {
  int64_t count = 1;
  for (int64_t size : view.sizes()) {
    if (size == 0)
      return 0;
    count = saturatingMul(count, size);
  }
  return view.space == Space::None ? 0 : count;
}

int64_t bytes(const View &view) { return saturatingMul(elements(view), view.elementBytes()); }

bool isFlat1d(const View &view) {
  if (view.dims == 0)
    return true;
  bool outerAreOne = llvm::all_of(view.sizes().drop_back(), [](int64_t size) { return size == 1; });
  return outerAreOne && (view.stride[view.dims - 1] == 1 || view.shape[view.dims - 1] <= 1);
}

bool isContiguous(const View &view) {
  int64_t expected = 1;
  for (unsigned d = view.dims; d-- != 0;) {
    if (view.shape[d] != 1 && view.stride[d] != expected)
      return elements(view) == 0;
    expected = saturatingMul(expected, view.shape[d]);
  }
  return true;
}

ByteRange byteRange(const View &view) {
  if (elements(view) == 0)
    return {view.offset, view.offset};
  // Sizes and strides are below kMaxReach, so 128 bits hold the sums.
  __int128 low = 0, high = 0;
  for (unsigned d = 0; d != view.dims; ++d) {
    __int128 reach = __int128(view.shape[d] - 1) * view.stride[d];
    (reach < 0 ? low : high) += reach;
  }
  __int128 begin = view.offset + low * view.elementBytes();
  __int128 end = view.offset + (high + 1) * view.elementBytes();
  constexpr __int128 kLimit = std::numeric_limits<int64_t>::max();
  return {int64_t(std::clamp<__int128>(begin, -kLimit, kLimit)),
          int64_t(std::clamp<__int128>(end, -kLimit, kLimit))};
}

bool overlap(const View &a, const View &b) {
  if (a.space != b.space || a.rank != b.rank)
    return false;
  ByteRange x = byteRange(a), y = byteRange(b);
  return !x.empty() && !y.empty() && x.begin < y.end && y.begin < x.end;
}

std::string shapeText(const View &view) {
  std::string text = "[";
  for (unsigned d = 0; d != view.dims; ++d)
    text += (d ? ", " : "") + std::to_string(view.shape[d]);
  return text + "]";
}

View makeTile(ScalarType type, int64_t rows, int64_t cols, int64_t offset) {
  View tile;
  tile.space = Space::Ub;
  tile.type = type;
  tile.dims = 2;
  tile.offset = offset;
  int64_t size = info(type).bytes();
  int64_t pitch =
      int64_t(llvm::alignTo(uint64_t(cols) * uint64_t(size), uint64_t(limit(Limit::UbAlignBytes))));
  tile.shape[0] = rows;
  tile.shape[1] = cols;
  tile.stride[0] = pitch / size;
  tile.stride[1] = 1;
  tile.validRows = int32_t(rows);
  tile.validCols = int32_t(cols);
  return tile;
}

int64_t tileBytes(const View &tile) {
  return saturatingMul(tile.shape[0], tile.stride[0] * tile.elementBytes());
}

Fault setValid(View &tile, int64_t rows, int64_t cols) {
  if (tile.space != Space::Ub || tile.dims != 2)
    return "a valid region belongs to a tile, and this is none";
  if (rows < 0 || cols < 0 || rows > tile.shape[0] || cols > tile.shape[1])
    return "a valid region of " + std::to_string(rows) + " x " + std::to_string(cols) +
           " does not fit the tile " + shapeText(tile);
  tile.validRows = int32_t(rows);
  tile.validCols = int32_t(cols);
  tile.isDynamic = true;
  return std::nullopt;
}

View validPart(const View &view) {
  View part = view;
  if (view.space == Space::Ub && view.dims == 2) {
    part.shape[0] = view.validRows;
    part.shape[1] = view.validCols;
  }
  return part;
}

} // namespace pto
