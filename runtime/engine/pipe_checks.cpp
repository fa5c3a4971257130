// What must hold of the tensors and tiles of a pipe's operation. Where the shapes are known the
// checker has said the same before running; here nothing is unknown.

#include "engine/chunks.h"
#include "engine/pipe_ops.h"

#include "port/checks.h"
#include "target/types.h"

#include <algorithm>
#include <limits>

namespace pto {

static std::string quoted(llvm::StringRef text) { return ("`" + text + "`").str(); }

static std::string sizesText(int64_t rows, int64_t cols) {
  return "[" + std::to_string(rows) + ", " + std::to_string(cols) + "]";
}

std::optional<Trap> checkTile(const PipeRequest &ask, const View &tile, const View &data) {
  bool isTile = tile.space == Space::Ub && tile.dims == 2 && tile.validRows <= tile.shape[0] &&
                tile.validCols <= tile.shape[1];
  if (!isTile)
    return makeTrap<Rule::LayoutMismatch>(quoted(ask.name()) +
                                          " needs a tile, and this is another view");
  if (auto trap = checkSameType(tile, data, ask.name()))
    return trap;
  Platform platform = ask.state.context.target.platform;
  int64_t most = trait(platform, Trait::MaxTileRows);
  if (most != 0 && tile.shape[0] > most)
    return makeTrap<Rule::TileRowsTooMany>(ask.name(), tile.shape[0], info(platform).name, most);
  if (elements(validPart(tile)) == 0 && elements(data) != 0)
    return makeTrap<Rule::LayoutMismatch>("the tile of " + quoted(ask.name()) +
                                          " has no valid elements");
  return std::nullopt;
}

std::optional<Trap> checkTensor(const View &tensor, llvm::StringRef role,
                                llvm::StringRef instruction) {
  if (tensor.space != Space::Gm)
    return makeTrap<Rule::LayoutMismatch>("`" + role.str() + "` of " + quoted(instruction) +
                                          " is no memory outside of UB");
  if (elements(tensor) == 0)
    return std::nullopt;
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  for (unsigned d = 0; d != kMaxDims; ++d)
    if (tensor.shape[d] > kMost || std::abs(tensor.stride[d]) > kMost ||
        elements(tensor) > kMaxReach)
      return makeTrap<Rule::ShapeNotInt32>(quoted(role), instruction, "shape " + shapeText(tensor));
  if (tensor.shape[kColDim] > 1 && tensor.stride[kColDim] != 1)
    return makeTrap<Rule::LastStrideNotOne>(quoted(role), instruction, tensor.stride[kColDim]);
  int64_t gap = tensor.stride[kRowDim] - tensor.shape[kColDim];
  if (tensor.shape[kRowDim] > 1 &&
      (gap < 0 || gap * tensor.elementBytes() > std::numeric_limits<uint32_t>::max()))
    return makeTrap<Rule::RowPitch>(quoted(role), instruction, tensor.stride[kRowDim],
                                    tensor.shape[kColDim]);
  return std::nullopt;
}

std::optional<Trap> checkHolds(const View &to, const View &from, llvm::StringRef instruction) {
  for (unsigned d = 0; d != kMaxDims; ++d)
    if (from.shape[d] > to.shape[d] && elements(from) != 0)
      return makeTrap<Rule::DstTooSmall>(instruction, "a shape of " + shapeText(from),
                                         "a destination of " + shapeText(to));
  return std::nullopt;
}

/// The rules of the two ways through a tensor: all of it at once, or in chunks.
static std::optional<Trap> checkWindow(const PipeRequest &ask, const View &tensor,
                                       const View &tile) {
  Chunks chunks(tensor, tile.validRows, tile.validCols);
  int64_t rows = tensor.shape[kRowDim], cols = tensor.shape[kColDim];
  if (chunks.count() == 0)
    return std::nullopt;
  std::string window = sizesText(tile.validRows, tile.validCols);
  if (chunks.fits() && cols != tile.validCols)
    return makeTrap<Rule::TileWiderThanTensor>(ask.name(), tile.validCols, cols);
  if (chunks.fits() || tile.isDynamic || (rows % tile.validRows == 0 && cols % tile.validCols == 0))
    return std::nullopt;
  bool isRows = rows % tile.validRows != 0;
  return makeTrap<Rule::ChunkNotDivisible>(ask.name(), window, isRows ? "rows" : "columns",
                                           isRows ? rows : cols);
}

std::optional<Trap> checkStaging(const PipeRequest &ask, const View &tensor, const View &ping,
                                 const View *pong) {
  if (auto trap = checkTile(ask, ping, tensor))
    return trap;
  if (auto trap = checkWindow(ask, tensor, ping))
    return trap;
  if (!pong)
    return std::nullopt;
  if (auto trap = checkTile(ask, *pong, tensor))
    return trap;
  return checkPair(ask, ping, *pong);
}

std::optional<Trap> checkPair(const PipeRequest &ask, const View &one, const View &other) {
  bool isSame = std::equal(one.shape, one.shape + 2, other.shape) &&
                one.validRows == other.validRows && one.validCols == other.validCols &&
                one.isDynamic == other.isDynamic;
  auto shown = [](const View &tile) {
    return shapeText(tile) + (tile.isDynamic ? " valid " : "") +
           (tile.isDynamic ? sizesText(tile.validRows, tile.validCols) : "");
  };
  if (!isSame)
    return makeTrap<Rule::PongDiffers>(ask.name(), shown(one), shown(other));
  if (!overlap(one, other))
    return std::nullopt;
  ByteRange a = byteRange(one), b = byteRange(other);
  return makeTrap<Rule::TilesOverlap>("two tiles of " + quoted(ask.name()),
                                      "bytes " + std::to_string(std::max(a.begin, b.begin)) +
                                          " to " + std::to_string(std::min(a.end, b.end) - 1));
}

std::optional<Trap> checkSameShape(const View &tile, const View &tensor,
                                   llvm::StringRef instruction) {
  int64_t rows = tensorRows(tensor), cols = tensor.shape[kColDim];
  if (elements(tensor) == 0 || (rows == tile.validRows && cols == tile.validCols))
    return std::nullopt;
  if (rows == tile.validRows && cols < tile.validCols)
    return makeTrap<Rule::TileWiderThanTensor>(instruction, tile.validCols, cols);
  return makeTrap<Rule::LayoutMismatch>(
      quoted(instruction) + " moves " + std::to_string(rows) + " rows of " + std::to_string(cols) +
      ", and the valid region of its tile is " + sizesText(tile.validRows, tile.validCols));
}

std::optional<Trap> checkAtomicAdd(const PipeRequest &ask, const View &to) {
  if (typesFor(ask.state.context.target.platform, TypeUse::AtomicStore).contains(to.type))
    return std::nullopt;
  return makeTrap<Rule::AtomicAddDtype>(info(to.type).name);
}

std::optional<Trap> checkReduceType(const PipeRequest &ask, const View &member) {
  Platform platform = ask.state.context.target.platform;
  ElementTypes types = typesFor(platform, TypeUse::Reduce);
  if (types.contains(member.type))
    return std::nullopt;
  return makeTrap<Rule::ReduceDtype>(info(member.type).name, info(platform).name, types.text());
}

int64_t vectorPs(int64_t bytes) {
  return cost(Cost::VectorStart) + transferPs(bytes, cost(Cost::VectorBytesPerUs));
}

int64_t movePs(int32_t rank, const View &far, int64_t bytes) {
  int64_t rate = cost(far.rank == rank ? Cost::PipeBytesPerUs : Cost::LinkBytesPerUs);
  return cost(Cost::PipeStart) + transferPs(bytes, rate);
}

} // namespace pto
