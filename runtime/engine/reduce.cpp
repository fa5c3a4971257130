// treduce: for each chunk the root's own part is loaded, every other member's is loaded behind it
// and combined with it on V, and the result is stored. The order of the members is fixed, root
// first and then ascending, so a sum of floats is the same in every run.

#include "engine/chunks.h"
#include "engine/pipe_ops.h"

#include "port/checks.h"
#include "simd/simd.h"

#include <algorithm>

namespace pto {

/// By number of ReduceOp.
static constexpr TileFn kFunctions[] = {TileFn::Add, TileFn::Max, TileFn::Min};

namespace {
class Reduction : public PipeOp {
public:
  std::shared_ptr<const Group> group;
  View member; ///< Of any rank; its rank is filled in.
  View local;
  View acc;
  View tiles[2]; ///< What is received.
  int64_t tileCount = 1;
  Chunks chunks;
  ReduceOp op = ReduceOp::Sum;

  PipeStep step(PipeId pipe, int64_t index) const override {
    PipeStep step;
    int64_t others = group->size - 1;
    if (pipe == PipeId::MTE2)
      load(step, index / group->size, index % group->size);
    else if (pipe == PipeId::V)
      compute(step, index / others, index % others);
    else
      store(step, index);
    return step;
  }

  void touch(const PipeStep &step, PipeId pipe, int64_t index,
             llvm::SmallVectorImpl<Touch> &touches) const override {
    if (pipe != PipeId::V)
      return PipeOp::touch(step, pipe, index, touches);
    int64_t others = group->size - 1, chunk = index / others;
    View into = chunks.tilePart(acc, chunk);
    View from = chunks.tilePart(received(index % others), chunk);
    touches.push_back({from, AccessMode::Read, 0, elements(from)});
    touches.push_back({into, AccessMode::Write, 0, elements(into)});
  }

  void act(CorePipes &pipes, PipeId pipe, int64_t index) override {
    if (pipe != PipeId::V)
      return;
    int64_t others = group->size - 1, chunk = index / others;
    View into = chunks.tilePart(acc, chunk);
    View from = chunks.tilePart(received(index % others), chunk);
    auto row = [&](const View &view, int64_t r) {
      return pipes.ub.data() + view.offset + r * view.stride[0] * view.elementBytes();
    };
    for (int64_t r = 0; r != into.shape[0]; ++r)
      computeRow(kFunctions[size_t(op)], into.type, row(into, r), row(into, r), row(from, r),
                 size_t(into.shape[1]));
  }

private:
  const View &received(int64_t other) const { return tiles[other % tileCount]; }

  /// The member that is loaded as number `order`: the root, then the others from the first on.
  int64_t memberAt(int64_t order) const {
    if (order == 0)
      return group->root;
    return order - 1 < group->root ? order - 1 : order;
  }

  void load(PipeStep &step, int64_t chunk, int64_t order) const {
    int64_t others = group->size - 1;
    View from = member;
    from.rank = group->rankOf(memberAt(order));
    step.copy.from = chunks.partOf(from, chunk);
    step.copy.to = chunks.tilePart(order == 0 ? acc : received(order - 1), chunk);
    step.copy.count = elements(step.copy.from);
    step.ps = movePs(writer.rank, from, step.copy.count * from.elementBytes());
    step.needs[size_t(PipeId::MTE3)] = chunk;
    // A tile is loaded again when V is done with what lay in it.
    int64_t before = std::max<int64_t>(order - tileCount, 0);
    step.needs[size_t(PipeId::V)] = chunk * others + std::min(before, others);
  }

  void compute(PipeStep &step, int64_t chunk, int64_t other) const {
    step.needs[size_t(PipeId::MTE2)] = chunk * group->size + other + 2;
    int64_t bytes = chunks.rowsOf(chunk) * chunks.colsOf(chunk) * acc.elementBytes();
    step.ps = vectorPs(bytes);
  }

  void store(PipeStep &step, int64_t chunk) const {
    step.copy.from = chunks.tilePart(acc, chunk);
    step.copy.to = chunks.partOf(local, chunk);
    step.copy.count = elements(step.copy.to);
    step.ps = movePs(writer.rank, local, step.copy.count * local.elementBytes());
    step.needs[size_t(PipeId::MTE2)] = (chunk + 1) * group->size;
    step.needs[size_t(PipeId::V)] = (chunk + 1) * (group->size - 1);
  }
};
} // namespace

/// dst may be the root's own part, and else must not share bytes with it.
static std::optional<Trap> checkApartOrSame(const PipeRequest &ask, const Group &group) {
  View own = group.viewOf(group.root);
  const View &dst = ask.view(0);
  bool isSame = own.offset == dst.offset && own.dims == dst.dims &&
                std::equal(own.shape, own.shape + own.dims, dst.shape) &&
                std::equal(own.stride, own.stride + own.dims, dst.stride);
  if (isSame || !overlap(own, dst))
    return std::nullopt;
  return makeTrap<Rule::ReduceOverlapsSource>("dst");
}

static std::optional<Trap> checkTiles(const PipeRequest &ask, const View &member) {
  if (auto trap = checkStaging(ask, member, ask.view(1), &ask.view(2)))
    return trap;
  if (!ask.hasView(3))
    return std::nullopt;
  if (auto trap = checkTile(ask, ask.view(3), member))
    return trap;
  for (unsigned i : {1u, 2u})
    if (auto trap = checkPair(ask, ask.view(i), ask.view(3)))
      return trap;
  return std::nullopt;
}

static std::optional<Trap> checkOperands(const PipeRequest &ask, const Reduction &op) {
  if (auto trap = checkSameType(op.local, op.member, ask.name()))
    return trap;
  if (auto trap = checkReduceType(ask, op.member))
    return trap;
  if (auto trap = checkTensor(op.member, "g", ask.name()))
    return trap;
  if (auto trap = checkTensor(op.local, "dst", ask.name()))
    return trap;
  if (auto trap = checkHolds(op.local, op.member, ask.name()))
    return trap;
  if (auto trap = checkApartOrSame(ask, *op.group))
    return trap;
  return checkTiles(ask, op.member);
}

std::optional<Trap> makeReduction(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  auto op = std::make_unique<Reduction>();
  if (auto trap = takeGroup(ask, op->group))
    return trap;
  op->member = asTensor(op->group->part);
  op->local = asTensor(ask.view(0));
  op->op = ReduceOp(ask.request.values[1]);
  if (auto trap = checkOperands(ask, *op))
    return trap;
  std::copy(std::begin(op->member.shape), std::end(op->member.shape), std::begin(op->local.shape));
  op->acc = ask.view(1);
  op->tileCount = ask.hasView(3) ? 2 : 1;
  op->tiles[0] = ask.view(2);
  op->tiles[1] = ask.view(op->tileCount == 2 ? 3 : 2);
  op->chunks = Chunks(op->member, op->acc.validRows, op->acc.validCols);
  op->peer = ask.core.rank;
  op->bytes = bytes(op->member) * op->group->size;
  // Of a group of one nothing is computed.
  op->useFlags(op->group->size > 1 ? InnerFlags::Reduce : InnerFlags::Staged, op->tileCount);
  op->holdsLoads = true;
  if (op->chunks.count() == 0)
    return std::nullopt;
  op->steps[size_t(PipeId::MTE2)] = op->chunks.count() * op->group->size;
  op->steps[size_t(PipeId::V)] = op->chunks.count() * (op->group->size - 1);
  op->steps[size_t(PipeId::MTE3)] = op->chunks.count();
  made = std::move(op);
  return std::nullopt;
}

} // namespace pto
