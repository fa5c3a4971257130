// tload and tstore: one side is the valid region of a tile, the other a tensor of the same rows and
// columns, and one pipe moves it in a few pieces.

#include "engine/chunks.h"
#include "engine/pipe_ops.h"

#include "port/checks.h"

#include <algorithm>

namespace pto {

static constexpr int64_t kPieces = 4;
static constexpr int64_t kLeastPieceBytes = 512;

namespace {
class TileMove : public PipeOp {
public:
  View to, from;
  int64_t total = 0; ///< Elements.
  int64_t piece = 0; ///< Elements a step.

  PipeStep step(PipeId pipe, int64_t index) const override {
    PipeStep step;
    step.copy.to = to;
    step.copy.from = from;
    step.copy.toFirst = step.copy.fromFirst = index * piece;
    step.copy.count = std::min(piece, total - index * piece);
    const View &far = pipe == PipeId::MTE2 ? from : to;
    step.ps = movePs(writer.rank, far, step.copy.count * far.elementBytes());
    return step;
  }
};
} // namespace

std::optional<Trap> makeTileMove(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  bool loads = ask.request.opcode == Opcode::Tload;
  const View &tile = ask.view(loads ? 0 : 1);
  View data = asTensor(ask.view(loads ? 1 : 0));
  if (auto trap = checkTile(ask, tile, data))
    return trap;
  if (auto trap = checkTensor(data, "x", ask.name()))
    return trap;
  if (auto trap = checkSameShape(tile, data, ask.name()))
    return trap;
  auto op = std::make_unique<TileMove>();
  op->to = loads ? validPart(tile) : data;
  op->from = loads ? data : validPart(tile);
  op->total = elements(data);
  op->piece = std::max((op->total + kPieces - 1) / kPieces, kLeastPieceBytes / data.elementBytes());
  op->peer = data.rank;
  op->bytes = bytes(data);
  if (op->total == 0)
    return std::nullopt;
  op->steps[size_t(loads ? PipeId::MTE2 : PipeId::MTE3)] = (op->total + op->piece - 1) / op->piece;
  made = std::move(op);
  return std::nullopt;
}

} // namespace pto
