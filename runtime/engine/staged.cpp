// tput and tget: MTE2 and MTE3 coupled through staging tiles. A chunk is stored after it was
// loaded, and a tile is loaded again after its last chunk was stored; two tiles let a load run
// beside a store. One tile of many chunks does the same with its two halves.

#include "engine/chunks.h"
#include "engine/pipe_ops.h"

#include "port/checks.h"
#include "target/platform.h"

#include <algorithm>

namespace pto {

namespace {
class StagedMove : public PipeOp {
public:
  View to, from; ///< Tensors of one shape.
  View tiles[2];
  Chunks chunks;
  int64_t tileCount = 1;
  bool halves = false; ///< A full chunk moves in two halves of the one tile, each a step.
  bool adds = false;

  PipeStep step(PipeId pipe, int64_t index) const override {
    bool loads = pipe == PipeId::MTE2;
    View far = loads ? from : to, tile;
    takePart(far, tile, index);
    PipeStep step;
    step.needs[size_t(PipeId::MTE2)] = loads ? 0 : index + 1;
    step.needs[size_t(PipeId::MTE3)] = !loads ? 0 : halves ? index / 2 * 2 : index + 1 - tileCount;
    step.copy.to = loads ? tile : far;
    step.copy.from = loads ? far : tile;
    step.copy.count = elements(far);
    step.copy.adds = adds && !loads;
    step.ps = step.copy.count ? movePs(writer.rank, far, step.copy.count * far.elementBytes()) : 0;
    return step;
  }

private:
  /// Narrows a tensor and sets the tile to what a step moves.
  void takePart(View &tensor, View &tile, int64_t index) const {
    int64_t chunk = halves ? index / 2 : index;
    tensor = chunks.partOf(tensor, chunk);
    tile = chunks.tilePart(tiles[halves ? 0 : index % tileCount], chunk);
    if (!halves)
      return;
    bool isSecond = index % 2 != 0;
    bool isFull = tile.shape[0] == tiles[0].shape[0] && tile.shape[1] == tiles[0].shape[1];
    // A chunk that is less than the tile moves at once, and its second step is empty.
    int64_t half = isFull ? tile.shape[0] / 2 : isSecond ? 0 : tile.shape[0];
    int64_t first = isFull && isSecond ? half : 0;
    tensor = rowsOf(tensor, first, half);
    tile = rowsOf(tile, first, half);
  }
};

/// When a single tile works as two: [isa 1.1] path 3b.
struct HalvesRow {
  Opcode opcode;
  int64_t least, most; ///< Chunks.
};
} // namespace

static constexpr HalvesRow kHalves[] = {
    {Opcode::Tput, 8, 16},
    {Opcode::Tget, 8, std::numeric_limits<int64_t>::max()},
};

static bool splitsTile(Opcode opcode, const View &tile, const Chunks &chunks) {
  bool isWhole = tile.validRows == tile.shape[0] && tile.validCols == tile.shape[1];
  if (!isWhole || tile.shape[0] % 2 != 0 || chunks.fits())
    return false;
  for (const HalvesRow &row : kHalves)
    if (row.opcode == opcode)
      return chunks.count() >= row.least && chunks.count() <= row.most;
  return false;
}

/// The forms of SHMEM take the bytes of their tile, and no matter of what shape it is.
static bool takesBytes(Opcode opcode) {
  return opcode == Opcode::MtePut || opcode == Opcode::MteGet;
}

/// The bytes of a tile as one of as many columns as the tensor has, or as it holds of one row.
static View asScratch(const View &tile, const View &tensor) {
  constexpr int64_t kMostRows = 4095; // nBurst
  int64_t size = tile.elementBytes(), held = tile.shape[0] * tile.stride[0];
  int64_t align = limit(Limit::UbAlignBytes) / size;
  View scratch = tile;
  scratch.shape[1] = std::clamp<int64_t>(tensor.shape[kColDim], 1, held);
  scratch.stride[0] = std::min((scratch.shape[1] + align - 1) / align * align, held);
  scratch.shape[0] = std::clamp<int64_t>(held / scratch.stride[0], 1,
                                         std::clamp<int64_t>(tensorRows(tensor), 1, kMostRows));
  scratch.validRows = scratch.shape[0];
  scratch.validCols = scratch.shape[1];
  scratch.isDynamic = true; // What is left at the end of a row or a column is smaller.
  return scratch;
}

/// What must hold of the operands; also that dst holds src in every dimension.
static std::optional<Trap> checkOperands(const PipeRequest &ask, const View &to, const View &from) {
  if (auto trap = checkSameType(ask.view(0), ask.view(1), ask.name()))
    return trap;
  for (unsigned i = 0; i != 2; ++i)
    if (auto trap = checkTensor(i == 0 ? to : from, i == 0 ? "dst" : "src", ask.name()))
      return trap;
  if (auto trap = checkHolds(to, from, ask.name()))
    return trap;
  if (takesBytes(ask.request.opcode))
    return checkTile(ask, ask.view(2), from);
  return checkStaging(ask, from, ask.view(2), ask.hasView(3) ? &ask.view(3) : nullptr);
}

std::optional<Trap> makeStagedMove(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  auto op = std::make_unique<StagedMove>();
  Opcode opcode = ask.request.opcode;
  bool puts = opcode == Opcode::Tput || opcode == Opcode::MtePut;
  op->from = asTensor(ask.view(1));
  op->to = asTensor(ask.view(0));
  if (auto trap = checkOperands(ask, op->to, op->from))
    return trap;
  op->adds = opcode == Opcode::Tput && AtomicType(ask.request.values[0]) == AtomicType::AtomicAdd;
  if (auto trap = op->adds ? checkAtomicAdd(ask, op->to) : std::nullopt)
    return trap;
  std::copy(std::begin(op->from.shape), std::end(op->from.shape), std::begin(op->to.shape));
  op->tileCount = ask.hasView(3) ? 2 : 1;
  op->useFlags(InnerFlags::Staged, op->tileCount);
  op->tiles[0] = takesBytes(opcode) ? asScratch(ask.view(2), op->from) : ask.view(2);
  op->tiles[1] = op->tileCount == 2 ? ask.view(3) : op->tiles[0];
  op->chunks = Chunks(op->from, op->tiles[0].validRows, op->tiles[0].validCols);
  op->halves = op->tileCount == 1 && splitsTile(ask.request.opcode, op->tiles[0], op->chunks);
  op->peer = puts ? op->to.rank : op->from.rank;
  op->bytes = bytes(op->from);
  op->holdsLoads = true;
  if (op->chunks.count() == 0)
    return std::nullopt;
  for (PipeId pipe : {PipeId::MTE2, PipeId::MTE3})
    op->steps[size_t(pipe)] = op->chunks.count() * (op->halves ? 2 : 1);
  made = std::move(op);
  return std::nullopt;
}

} // namespace pto
