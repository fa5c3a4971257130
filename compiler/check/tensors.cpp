#include "check/tensors.h"

#include <algorithm>

namespace pto::check_detail {

TensorFacts::TensorFacts(const ViewFacts &facts) {
  size_t given = std::min<size_t>(facts.shape.size(), kTensorDims), missing = kTensorDims - given;
  for (size_t d = 0; d != kTensorDims; ++d) {
    shape[d] = d < missing ? Affine(1) : facts.shape[d - missing];
    stride[d] = d < missing ? Affine(1) : facts.stride[d - missing];
  }
}

std::optional<int64_t> TensorFacts::allRows() const {
  int64_t product = 1;
  for (unsigned d = 0; d != kColDim; ++d) {
    std::optional<int64_t> size = shape[d].constant();
    if (!size || __builtin_mul_overflow(product, *size, &product))
      return std::nullopt;
  }
  return product;
}

Answer TensorFacts::isEmpty() const {
  bool areKnown = true;
  for (const Affine &size : shape) {
    if (size.is(0))
      return Answer::Yes;
    areKnown &= size.constant().has_value();
  }
  return areKnown ? Answer::No : Answer::Unknown;
}

std::optional<StaticTile> staticTile(const ViewFacts &facts) {
  bool isStatic = facts.isDynamic && !*facts.isDynamic && facts.shape.size() == 2;
  std::optional<int64_t> rows = isStatic ? facts.shape[0].constant() : std::nullopt;
  std::optional<int64_t> cols = isStatic ? facts.shape[1].constant() : std::nullopt;
  if (!rows || !cols)
    return std::nullopt;
  return StaticTile{*rows, *cols};
}

Answer fits(const TensorFacts &tensor, const StaticTile &tile) {
  std::optional<int64_t> rows = tensor.allRows(), inner = tensor.rows(), cols = tensor.cols();
  // More rows in one outer index than the tile has never fit, however many outer indices there are.
  bool isTooLarge =
      (cols && *cols > tile.cols) || (rows && *rows > tile.rows) || (inner && *inner > tile.rows);
  if (isTooLarge)
    return Answer::No;
  return rows && cols ? Answer::Yes : Answer::Unknown;
}

} // namespace pto::check_detail
