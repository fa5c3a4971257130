//===- chunks.h - a tensor in pieces that fit a tile ------------*- C++ -*-===//
//
// The ISA's way through a tensor. A view is a tensor of five dimensions, missing ones are leading
// ones of size 1; the fourth are rows, the fifth columns. If all rows of all outer dimensions fit
// the valid region of the tile, the tensor moves as one piece. Otherwise a window of the tile's
// valid size slides over the rows and columns of each outer index, the last dimension first, and
// what is left at the ends is smaller.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_CHUNKS_H
#define PTO_ENGINE_CHUNKS_H

#include "memory/view.h"

namespace pto {

inline constexpr unsigned kRowDim = 3;
inline constexpr unsigned kColDim = 4;

/// The view as a tensor of five dimensions.
[[nodiscard]] View asTensor(const View &view);
/// All rows of a tensor, those of the outer dimensions too; saturates.
[[nodiscard]] int64_t tensorRows(const View &tensor);

class Chunks {
public:
  Chunks() = default;
  /// Over a tensor, by a window of rows x cols.
  Chunks(const View &tensor, int64_t rows, int64_t cols);

  [[nodiscard]] int64_t count() const { return count_; } ///< 0: the tensor is empty.
  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] int64_t rowsOf(int64_t chunk) const;
  [[nodiscard]] int64_t colsOf(int64_t chunk) const;
  /// The chunk's elements in a tensor of the same shape, which has its own strides.
  [[nodiscard]] View partOf(const View &tensor, int64_t chunk) const;
  /// The upper left part of a tile that holds the chunk.
  [[nodiscard]] View tilePart(const View &tile, int64_t chunk) const;

private:
  int64_t shape_[kMaxDims] = {};
  int64_t rows_ = 1, cols_ = 1;           ///< Of the window.
  int64_t rowChunks_ = 0, colChunks_ = 0; ///< Of one outer index.
  int64_t count_ = 0;
  bool fits_ = false;
};

/// Rows [first, first + count) of a matrix.
[[nodiscard]] View rowsOf(const View &matrix, int64_t first, int64_t count);

} // namespace pto

#endif
