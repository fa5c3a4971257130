// tput and tget: MTE2 and MTE3 coupled through one or two staging tiles. A chunk is stored after it
// was loaded, and a tile is loaded again after its last chunk was stored; two tiles let a load run
// beside a store.

#include "engine/pipe_ops.h"

#include "port/checks.h"

#include <algorithm>

namespace pto {

namespace {
class StagedMove : public PipeOp {
public:
  View to, from;
  View tiles[2];
  int64_t tileCount = 1;
  bool adds = false;
  int64_t total = 0; ///< Elements.
  int64_t chunk = 0; ///< Elements a step.

  PipeStep step(PipeId pipe, int64_t index) const override {
    bool loads = pipe == PipeId::MTE2;
    const View &tile = tiles[index % tileCount], &far = loads ? from : to;
    int64_t first = index * chunk;
    PipeStep step;
    step.needs[size_t(PipeId::MTE2)] = loads ? 0 : index + 1;
    step.needs[size_t(PipeId::MTE3)] = loads ? index - tileCount + 1 : 0;
    step.copy.to = loads ? tile : to;
    step.copy.from = loads ? from : tile;
    (loads ? step.copy.fromFirst : step.copy.toFirst) = first;
    step.copy.count = std::min(chunk, total - first);
    step.copy.adds = adds && !loads;
    step.ps = movePs(writer.rank, far, step.copy.count * far.elementBytes());
    return step;
  }
};
} // namespace

static std::optional<Trap> checkAdds(const StagedMove &op) {
  using enum ScalarType;
  static constexpr ScalarType kAdds[] = {I8, I16, I32, F16, BF16, F32};
  if (!op.adds || std::find(std::begin(kAdds), std::end(kAdds), op.to.type) != std::end(kAdds))
    return std::nullopt;
  return makeTrap<Rule::AtomicAddDtype>(info(op.to.type).name);
}

/// The staging tiles, and how much of the source one of them takes.
static std::optional<Trap> takeTiles(StagedMove &op, const PipeRequest &ask) {
  op.tileCount = ask.hasView(3) ? 2 : 1;
  op.innerIds = uint8_t(op.tileCount);
  op.chunk = std::numeric_limits<int64_t>::max();
  for (unsigned i = 0; i != op.tileCount; ++i) {
    if (auto trap = checkTile(ask.view(2 + i), op.from, ask.name()))
      return trap;
    op.tiles[i] = validPart(ask.view(2 + i));
    op.chunk = std::min(op.chunk, elements(op.tiles[i]));
  }
  return std::nullopt;
}

std::optional<Trap> makeStagedMove(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  auto op = std::make_unique<StagedMove>();
  bool puts = ask.request.opcode == Opcode::Tput;
  op->to = ask.view(0);
  op->from = ask.view(1);
  op->adds = puts && AtomicType(ask.request.values[0]) == AtomicType::AtomicAdd;
  if (auto trap = checkSameType(op->to, op->from, ask.name()))
    return trap;
  if (auto trap = takeTiles(*op, ask))
    return trap;
  op->total = elements(op->from);
  if (auto trap = narrowTo(op->to, op->from, ask.name()))
    return trap;
  if (auto trap = checkAdds(*op))
    return trap;
  op->peer = puts ? op->to.rank : op->from.rank;
  op->bytes = bytes(op->from);
  op->holdsLoads = true;
  if (op->total == 0)
    return std::nullopt;
  for (PipeId pipe : {PipeId::MTE2, PipeId::MTE3})
    op->steps[size_t(pipe)] = (op->total + op->chunk - 1) / op->chunk;
  made = std::move(op);
  return std::nullopt;
}

} // namespace pto
