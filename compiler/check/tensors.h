//===- tensors.h - views and tiles as the pipes see them --------*- C++ -*-===//
//
// Private to the check room. A view is a tensor of five dimensions, missing ones are leading ones
// of size 1; the fourth are rows, the fifth columns. What is known of it decides whether a tile
// takes it at once, in chunks, or not at all.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_TENSORS_H
#define PTO_CHECK_TENSORS_H

#include "program/node.h"

namespace pto::check_detail {

using namespace program;

inline constexpr unsigned kTensorDims = 5;
inline constexpr unsigned kRowDim = 3;
inline constexpr unsigned kColDim = 4;

/// What the facts say of a property.
enum class Answer : uint8_t { Yes, No, Unknown };

struct TensorFacts {
  Affine shape[kTensorDims];
  Affine stride[kTensorDims];

  explicit TensorFacts(const ViewFacts &facts);
  [[nodiscard]] std::optional<int64_t> rows() const { return shape[kRowDim].constant(); }
  [[nodiscard]] std::optional<int64_t> cols() const { return shape[kColDim].constant(); }
  /// The rows of all outer dimensions.
  [[nodiscard]] std::optional<int64_t> allRows() const;
  /// Yes: some dimension is 0. No: every dimension is known and none is.
  [[nodiscard]] Answer isEmpty() const;
};

/// The sizes of a tile whose valid region is all of it, and part of its type.
struct StaticTile {
  int64_t rows;
  int64_t cols;
};
/// Absent: the tile has a region of its own, or nothing is known of it.
[[nodiscard]] std::optional<StaticTile> staticTile(const ViewFacts &facts);

/// Whether the tile takes all rows of the tensor at once.
[[nodiscard]] Answer fits(const TensorFacts &tensor, const StaticTile &tile);

} // namespace pto::check_detail

#endif
