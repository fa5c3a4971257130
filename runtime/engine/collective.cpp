// tgather, tscatter, tbroadcast: MTE2 and MTE3 of the root, and nobody else. The members take no
// part and are not waited for. One tile serves a chunk at a time; of two tiles one is loaded while
// the other is stored.

#include "engine/chunks.h"
#include "engine/pipe_ops.h"

#include "port/checks.h"

namespace pto {

namespace {
/// What one load or store of a collective speaks of.
struct Part {
  int64_t member;
  int64_t chunk;
};

class Collective : public PipeOp {
public:
  std::shared_ptr<const Group> group;
  View member; ///< Of any rank; its rank is filled in.
  View local;  ///< The root's own side.
  int64_t rowsOfMember = 0;
  View tiles[2];
  int64_t tileCount = 1;
  Chunks chunks;
  bool broadcasts = false; ///< A chunk is loaded once and stored to every member.
  bool toMembers = false;

  PipeStep step(PipeId pipe, int64_t index) const override {
    bool loads = pipe == PipeId::MTE2;
    int64_t stores = broadcasts ? group->size : 1; // Of one load.
    Part part = partOf(index, loads);
    View far = chunks.partOf(loads == toMembers ? localOf(part) : memberOf(part), part.chunk);
    int64_t load = loads ? index : index / stores;
    View tile = chunks.tilePart(tiles[load % tileCount], part.chunk);
    PipeStep step;
    step.needs[size_t(PipeId::MTE2)] = loads ? 0 : load + 1;
    step.needs[size_t(PipeId::MTE3)] = loads ? (index + 1 - tileCount) * stores : 0;
    step.copy.to = loads ? tile : far;
    step.copy.from = loads ? far : tile;
    step.copy.count = elements(far);
    step.ps = movePs(writer.rank, far, step.copy.count * far.elementBytes());
    return step;
  }

private:
  Part partOf(int64_t index, bool loads) const {
    if (!broadcasts)
      return {index / chunks.count(), index % chunks.count()};
    return loads ? Part{0, index} : Part{index % group->size, index / group->size};
  }
  View memberOf(const Part &part) const {
    View view = member;
    view.rank = group->rankOf(part.member);
    return view;
  }
  /// The rows of the local side that belong to a member: all of them in a broadcast.
  View localOf(const Part &part) const {
    View view = local;
    if (broadcasts)
      return view;
    view.offset += part.member * rowsOfMember * local.stride[kRowDim] * local.elementBytes();
    view.shape[kRowDim] = rowsOfMember; // The local side may have further rows.
    return view;
  }
};
} // namespace

/// The root's side as a tensor of rows for all members. Of one-dimensional views each member's part
/// is a row.
static View localTensor(const View &local, const View &member) {
  View tensor = asTensor(local);
  int64_t cols = asTensor(member).shape[kColDim];
  if (local.dims > 1 || member.dims > 1 || cols == 0)
    return tensor;
  tensor.stride[kRowDim] = cols * tensor.stride[kColDim];
  tensor.shape[kRowDim] = tensor.shape[kColDim] / cols;
  tensor.shape[kColDim] = cols;
  return tensor;
}

/// The outer dimensions and the columns agree, and there are rows for every member.
static std::optional<Trap> checkRows(const PipeRequest &ask, const Group &group, const View &local,
                                     const View &member) {
  for (unsigned d : {0u, 1u, 2u, kColDim})
    if (local.shape[d] != member.shape[d])
      return makeTrap<Rule::GroupShapeMismatch>(ask.name(), shapeText(ask.view(0)),
                                                shapeText(group.part));
  int64_t wanted = group.size * member.shape[kRowDim];
  if (local.shape[kRowDim] >= wanted)
    return std::nullopt;
  return makeTrap<Rule::GroupBufferTooSmall>(ask.name(), local.shape[kRowDim],
                                             std::to_string(wanted) + " rows");
}

static std::optional<Trap> checkOperands(const PipeRequest &ask, const Collective &op) {
  if (auto trap = checkSameType(op.local, op.member, ask.name()))
    return trap;
  if (auto trap = checkTensor(op.member, "g", ask.name()))
    return trap;
  if (auto trap = checkTensor(op.local, op.toMembers ? "src" : "dst", ask.name()))
    return trap;
  if (elements(op.broadcasts ? op.local : op.member) == 0)
    return std::nullopt;
  if (!op.broadcasts) {
    if (auto trap = checkRows(ask, *op.group, op.local, op.member))
      return trap;
  } else if (auto trap = checkHolds(op.member, op.local, ask.name())) {
    return trap;
  }
  const View &walked = op.broadcasts ? op.local : op.member;
  if (op.broadcasts && op.group->size == 1 && !op.chunks.fits())
    return makeTrap<Rule::BroadcastOneTooLarge>(shapeText(ask.view(0)), shapeText(ask.view(1)));
  return checkStaging(ask, walked, ask.view(1), ask.hasView(2) ? &ask.view(2) : nullptr);
}

std::optional<Trap> makeCollective(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  auto op = std::make_unique<Collective>();
  if (auto trap = takeGroup(ask, op->group))
    return trap;
  op->broadcasts = ask.request.opcode == Opcode::Tbroadcast;
  op->toMembers = ask.request.opcode != Opcode::Tgather;
  op->member = asTensor(op->group->part);
  op->local = op->broadcasts ? asTensor(ask.view(0)) : localTensor(ask.view(0), op->group->part);
  op->tiles[0] = ask.view(1);
  op->tiles[1] = ask.view(ask.hasView(2) ? 2 : 1);
  const View &walked = op->broadcasts ? op->local : op->member;
  op->chunks = Chunks(walked, op->tiles[0].validRows, op->tiles[0].validCols);
  if (auto trap = checkOperands(ask, *op))
    return trap;
  op->rowsOfMember = op->member.shape[kRowDim];
  // What fits goes through the first tile alone.
  op->tileCount = ask.hasView(2) && !op->chunks.fits() ? 2 : 1;
  op->peer = ask.core.rank;
  op->bytes = bytes(walked) * op->group->size;
  op->useFlags(InnerFlags::Staged, op->tileCount);
  op->holdsLoads = true;
  if (op->chunks.count() == 0)
    return std::nullopt;
  op->steps[size_t(PipeId::MTE3)] = op->chunks.count() * op->group->size;
  op->steps[size_t(PipeId::MTE2)] = op->chunks.count() * (op->broadcasts ? 1 : op->group->size);
  made = std::move(op);
  return std::nullopt;
}

} // namespace pto
