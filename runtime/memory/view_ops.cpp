// How one view becomes another: peer, index, slice, reshape, strided.

#include "memory/view.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

namespace pto {

/// "dimension 1 of `data`, which has size 8"
static std::string dimensionText(const View &view, unsigned dim, llvm::StringRef name) {
  return ("dimension " + llvm::Twine(dim) + " of `" + name + "`, which has size " +
          llvm::Twine(view.shape[dim]))
      .str();
}

static Fault noDimension(const View &view, unsigned dim, llvm::StringRef name) {
  if (view.space == Space::None)
    return "a view is used before it is set";
  if (dim < view.dims)
    return std::nullopt;
  return ("`" + name + "` has no dimension " + llvm::Twine(dim)).str();
}

Fault toPeer(View &view, int64_t rank, int32_t ranks) {
  if (view.space != Space::Gm)
    return "only GM has a peer";
  if (rank < 0 || rank >= ranks)
    return ("there is no rank " + llvm::Twine(rank) + ": the ranks are 0 to " +
            llvm::Twine(ranks - 1))
        .str();
  view.rank = int32_t(rank);
  return std::nullopt;
}

Fault index(View &view, unsigned dim, int64_t at, llvm::StringRef name) {
  if (Fault fault = noDimension(view, dim, name))
    return fault;
  if (at < 0 || at >= view.shape[dim])
    return ("index " + llvm::Twine(at) + " is outside " + dimensionText(view, dim, name)).str();
  view.offset += at * view.stride[dim] * view.elementBytes();
  std::copy(view.shape + dim + 1, view.shape + view.dims, view.shape + dim);
  std::copy(view.stride + dim + 1, view.stride + view.dims, view.stride + dim);
  --view.dims;
  return std::nullopt;
}

Fault slice(View &view, unsigned dim, int64_t low, int64_t high, int64_t step,
            llvm::StringRef name) {
  if (Fault fault = noDimension(view, dim, name))
    return fault;
  if (step < 1 || step > kMaxReach)
    return ("a slice goes forward; step " + llvm::Twine(step) + " does not").str();
  if (low < 0 || low > high || high > view.shape[dim])
    return ("slice " + llvm::Twine(low) + ".." + llvm::Twine(high) + " is outside " +
            dimensionText(view, dim, name))
        .str();
  view.offset += low * view.stride[dim] * view.elementBytes();
  view.shape[dim] = (high - low + step - 1) / step;
  // A dimension of at most one element has no stride to speak of; this keeps products bounded.
  view.stride[dim] = view.shape[dim] > 1 ? view.stride[dim] * step : 1;
  return std::nullopt;
}

Fault reshape(View &view, llvm::ArrayRef<int64_t> sizes, llvm::StringRef name) {
  if (view.space == Space::None)
    return "a view is used before it is set";
  if (!isContiguous(view))
    return ("`" + name + "` is not contiguous here, so it has no other shape").str();
  View result = view;
  result.dims = uint8_t(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- != 0;) {
    if (sizes[d] < 0 || sizes[d] > kMaxReach || stride > kMaxReach)
      return ("`" + name + "` has no dimension of size " + llvm::Twine(sizes[d])).str();
    result.shape[d] = sizes[d];
    result.stride[d] = stride;
    stride *= std::max<int64_t>(sizes[d], 1);
  }
  if (elements(result) != elements(view))
    return ("reshape to " + shapeText(result) + " of " + shapeText(view) + " of `" + name +
            "` changes the number of elements")
        .str();
  view = result;
  return std::nullopt;
}

Fault beginStrided(View &view, int64_t offset, unsigned dims, llvm::StringRef name) {
  if (view.space == Space::None)
    return "a view is used before it is set";
  if (dims > kMaxDims || offset < 0 || offset > kMaxReach)
    return ("element " + llvm::Twine(offset) + " is outside `" + name + "`").str();
  view.offset += offset * view.elementBytes();
  view.dims = uint8_t(dims);
  std::fill(view.shape, view.shape + kMaxDims, 0);
  std::fill(view.stride, view.stride + kMaxDims, 0);
  return std::nullopt;
}

Fault setStridedDim(View &view, unsigned dim, int64_t size, int64_t stride, llvm::StringRef name) {
  if (Fault fault = noDimension(view, dim, name))
    return fault;
  if (size < 0 || size > kMaxReach || stride < -kMaxReach || stride > kMaxReach)
    return ("a dimension of size " + llvm::Twine(size) + " and stride " + llvm::Twine(stride) +
            " is outside `" + name + "`")
        .str();
  view.shape[dim] = size;
  view.stride[dim] = stride;
  return std::nullopt;
}

Fault endStrided(const View &view, const View &parent, llvm::StringRef name) {
  ByteRange inner = byteRange(view), outer = byteRange(parent);
  bool same = view.space == parent.space && view.rank == parent.rank;
  if (same && (inner.empty() || (inner.begin >= outer.begin && inner.end <= outer.end)))
    return std::nullopt;
  int64_t size = view.elementBytes();
  return ("the view reaches elements " + llvm::Twine((inner.begin - outer.begin) / size) + " to " +
          llvm::Twine((inner.end - outer.begin) / size - 1) + " of `" + name + "`, which has " +
          llvm::Twine((outer.end - outer.begin) / size))
      .str();
}

} // namespace pto
