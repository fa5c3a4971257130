#include "engine/chunks.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace pto {

View asTensor(const View &view) {
  View tensor = view;
  unsigned missing = kMaxDims - view.dims;
  tensor.dims = kMaxDims;
  for (unsigned d = 0; d != kMaxDims; ++d) {
    tensor.shape[d] = d < missing ? 1 : view.shape[d - missing];
    tensor.stride[d] = d < missing ? 1 : view.stride[d - missing];
  }
  return tensor;
}

int64_t tensorRows(const View &tensor) {
  View outer = tensor;
  outer.shape[kColDim] = 1;
  return elements(outer);
}

Chunks::Chunks(const View &tensor, int64_t rows, int64_t cols) : rows_(rows), cols_(cols) {
  std::copy(std::begin(tensor.shape), std::end(tensor.shape), std::begin(shape_));
  if (elements(tensor) == 0)
    return;
  fits_ = tensorRows(tensor) <= rows && shape_[kColDim] <= cols;
  rowChunks_ = fits_ ? 1 : int64_t(llvm::divideCeil(shape_[kRowDim], rows));
  colChunks_ = fits_ ? 1 : int64_t(llvm::divideCeil(shape_[kColDim], cols));
  count_ = fits_ ? 1 : shape_[0] * shape_[1] * shape_[2] * rowChunks_ * colChunks_;
}

int64_t Chunks::rowsOf(int64_t chunk) const {
  if (fits_)
    return shape_[0] * shape_[1] * shape_[2] * shape_[kRowDim];
  int64_t row = chunk / colChunks_ % rowChunks_;
  return std::min(rows_, shape_[kRowDim] - row * rows_);
}

int64_t Chunks::colsOf(int64_t chunk) const {
  if (fits_)
    return shape_[kColDim];
  return std::min(cols_, shape_[kColDim] - chunk % colChunks_ * cols_);
}

View Chunks::partOf(const View &tensor, int64_t chunk) const {
  if (fits_)
    return tensor;
  View part = tensor;
  part.dims = 2;
  part.shape[0] = rowsOf(chunk);
  part.shape[1] = colsOf(chunk);
  part.stride[0] = tensor.stride[kRowDim];
  part.stride[1] = tensor.stride[kColDim];
  int64_t at[kMaxDims] = {};
  at[kColDim] = chunk % colChunks_ * cols_;
  chunk /= colChunks_;
  at[kRowDim] = chunk % rowChunks_ * rows_;
  chunk /= rowChunks_;
  for (unsigned d = kRowDim; d-- != 0; chunk /= shape_[d])
    at[d] = chunk % shape_[d];
  for (unsigned d = 0; d != kMaxDims; ++d)
    part.offset += at[d] * tensor.stride[d] * tensor.elementBytes();
  return part;
}

View Chunks::tilePart(const View &tile, int64_t chunk) const {
  View part = tile;
  part.shape[0] = rowsOf(chunk);
  part.shape[1] = colsOf(chunk);
  return part;
}

View rowsOf(const View &matrix, int64_t first, int64_t count) {
  View part = matrix;
  part.offset += first * matrix.stride[0] * matrix.elementBytes();
  part.shape[0] = count;
  return part;
}

} // namespace pto
