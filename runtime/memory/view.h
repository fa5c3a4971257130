//===- view.h - addresses with a shape --------------------------*- C++ -*-===//
//
// A view names elements of GM or UB without touching them. All arithmetic here is pure; what leaves
// the object it began in is answered with a fault text, which the caller turns into a trap.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_VIEW_H
#define PTO_MEMORY_VIEW_H

#include "base/scalar.h"

#include "llvm/ADT/ArrayRef.h"

namespace pto {

enum class Space : uint8_t { None, Gm, Ub }; ///< None: the register was never set.

inline constexpr unsigned kMaxDims = 5;
inline constexpr int64_t kMaxReach = int64_t(1)
                                     << 40; ///< Largest size or stride that is computed with.

struct View {
  Space space = Space::None;
  ScalarType type = ScalarType::I32;
  bool isSignal = false;
  bool isDynamic = false; ///< Tiles: declared with a valid region, which may change.
  uint8_t dims = 0;
  int32_t rank = 0;      ///< Whose GM; of a tile: the rank of its core.
  uint32_t object = 0;   ///< Index into Module::objects; meaningless for tiles.
  int32_t validRows = 0; ///< Tiles: the part that operations use.
  int32_t validCols = 0;
  int64_t offset = 0; ///< Bytes from the start of the rank's GM, or of the core's UB.
  int64_t shape[kMaxDims] = {};
  int64_t stride[kMaxDims] = {}; ///< In elements.

  [[nodiscard]] int64_t elementBytes() const { return info(type).bytes(); }
  [[nodiscard]] llvm::ArrayRef<int64_t> sizes() const { return {shape, dims}; }
};

/// Bytes [begin, end) of one space of one rank.
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

[[nodiscard]] int64_t elements(const View &view); ///< Saturates.
[[nodiscard]] int64_t bytes(const View &view);    ///< elements x element size; saturates.
/// One row without gaps: what the asynchronous engines move.
[[nodiscard]] bool isFlat1d(const View &view);
[[nodiscard]] bool isContiguous(const View &view);
/// The least range that holds every element; empty if there is none.
[[nodiscard]] ByteRange byteRange(const View &view);
/// Whether two views of one space and rank may share bytes (by their ranges).
[[nodiscard]] bool overlap(const View &a, const View &b);
/// "[64, 128]"
[[nodiscard]] std::string shapeText(const View &view);

/// Why an operation on a view cannot be; absent: it was done.
using Fault = std::optional<std::string>;

/// The operations of the class View. `name` is what a message calls the object.
[[nodiscard]] Fault toPeer(View &view, int64_t rank, int32_t ranks);
[[nodiscard]] Fault index(View &view, unsigned dim, int64_t at, llvm::StringRef name);
[[nodiscard]] Fault slice(View &view, unsigned dim, int64_t low, int64_t high, int64_t step,
                          llvm::StringRef name);
[[nodiscard]] Fault reshape(View &view, llvm::ArrayRef<int64_t> sizes, llvm::StringRef name);
[[nodiscard]] Fault beginStrided(View &view, int64_t offset, unsigned dims, llvm::StringRef name);
[[nodiscard]] Fault setStridedDim(View &view, unsigned dim, int64_t size, int64_t stride,
                                  llvm::StringRef name);
[[nodiscard]] Fault endStrided(const View &view, const View &parent, llvm::StringRef name);

/// A tile of rows x cols with its rows padded to the UB alignment.
[[nodiscard]] View makeTile(ScalarType type, int64_t rows, int64_t cols, int64_t offset);
[[nodiscard]] Fault setValid(View &tile, int64_t rows, int64_t cols);
/// The valid region of a tile as a plain view; another view unchanged.
[[nodiscard]] View validPart(const View &view);
/// Bytes that a tile occupies, padding included.
[[nodiscard]] int64_t tileBytes(const View &tile);

} // namespace pto

#endif
