// Arithmetic on tiles: one step on V, at whose end the elements are computed.

#include "engine/pipe_ops.h"

#include "port/checks.h"
#include "simd/simd.h"
#include "target/types.h"

#include <algorithm>

namespace pto {

namespace {
struct TileOpRow {
  Opcode opcode;
  TileOp op;
};

class TileArithmetic : public PipeOp {
public:
  TileWork work; ///< The planes' addresses are set when it is done.
  View d, a, b;  ///< The valid regions; those that the form does not have are of no space.
  int64_t ps = 0;

  PipeStep step(PipeId, int64_t) const override {
    PipeStep step;
    step.ps = ps;
    return step;
  }

  void touch(const PipeStep &, PipeId, int64_t,
             llvm::SmallVectorImpl<Touch> &touches) const override {
    for (const View *source : {&a, &b})
      if (source->space == Space::Ub)
        touches.push_back({*source, AccessMode::Read, 0, elements(*source)});
    // `d = d + s * a` reads what it writes.
    touches.push_back({d, AccessMode::Write, 0, elements(d)});
  }

  void act(CorePipes &pipes, PipeId, int64_t) override {
    work.d = planeOf(d, pipes);
    work.a = planeOf(a, pipes);
    work.b = planeOf(b, pipes);
    if (std::optional<std::string> divisor = zeroDivisor()) {
      pipes.fault = PipeFault{makeTrap<Rule::DivisionByZero>(), writer};
      pipes.fault->trap.details.push_back(*divisor);
      return;
    }
    computeTile(work);
  }

private:
  /// What an integer would be divided by, if that is 0.
  [[nodiscard]] std::optional<std::string> zeroDivisor() const {
    if (info(work.op).fn != TileFn::Div || !info(work.type).isInteger())
      return std::nullopt;
    std::string name = info(work.op).name.str();
    if (b.space != Space::Ub)
      return work.scalar == 0 ? std::optional("the scalar of `" + name + "` is 0") : std::nullopt;
    int64_t size = info(work.type).bytes();
    for (int64_t row = 0; row != work.b.rows; ++row)
      for (int64_t col = 0; col != work.b.cols; ++col)
        if (loadScalar(work.type, work.b.row(row) + col * size) == 0)
          return "element [" + std::to_string(row) + ", " + std::to_string(col) +
                 "] of the divisor of `" + name + "` is 0";
    return std::nullopt;
  }

  static Plane planeOf(const View &tile, CorePipes &pipes) {
    if (tile.space != Space::Ub)
      return {};
    return {pipes.ub.data() + tile.offset, tile.stride[0] * tile.elementBytes(), tile.shape[0],
            tile.shape[1]};
  }
};
} // namespace

static constexpr TileOpRow kTileOps[] = {
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source) {Opcode::Enum, TileOp::Enum},
#include "base/tile_op.def"
};

static TileOp tileOpOf(Opcode opcode) {
  return std::find_if(std::begin(kTileOps), std::end(kTileOps),
                      [&](const TileOpRow &row) { return row.opcode == opcode; })
      ->op;
}

/// A tile as the language declares it: rows of elements side by side.
static std::optional<Trap> checkPlane(const View &tile, llvm::StringRef instruction) {
  if (tile.space == Space::Ub && tile.dims == 2 && tile.stride[1] == 1)
    return std::nullopt;
  return makeTrap<Rule::LayoutMismatch>("`" + instruction.str() +
                                        "` needs a tile, and this is none");
}

static std::optional<Trap> checkTypes(const PipeRequest &ask, const TileArithmetic &op) {
  TileForm form = info(op.work.op).form;
  for (const View *source : {&op.a, &op.b})
    if (source->space == Space::Ub && form != TileForm::Convert)
      if (auto trap = checkSameType(op.d, *source, ask.name()))
        return trap;
  bool hasScalar = form == TileForm::Scalar || form == TileForm::Axpy || form == TileForm::Fill;
  if (hasScalar && ask.request.type != op.d.type)
    return makeTrap<Rule::DtypeMismatch>(ask.name(), info(ask.request.type).name,
                                         info(op.d.type).name);
  const Target &target = ask.state.context.target;
  ScalarType from = form == TileForm::Convert ? op.a.type : op.d.type;
  if (auto refusal = refusalOf(target.platform, op.work.op, op.d.type, from))
    return makeTrap<Rule::DtypeNotOnTarget>(ask.name(), refusal->wanted, target.text(),
                                            refusal->taken);
  return std::nullopt;
}

static std::optional<Trap> checkShapes(const PipeRequest &ask, const TileArithmetic &op) {
  auto shapeOf = [](const View &tile) { return TileShape{tile.shape[0], tile.shape[1]}; };
  for (const View *source : {&op.a, &op.b})
    if (source->space == Space::Ub)
      if (auto fault = shapeFault(info(op.work.op).form, shapeOf(op.d), shapeOf(*source)))
        return makeTrap<Rule::TileShapeMismatch>(ask.name(), *fault);
  return std::nullopt;
}

/// The time of the largest tile that the operation walks over.
static int64_t timeOf(const TileArithmetic &op) {
  int64_t most = std::max({bytes(op.d), op.a.space == Space::Ub ? bytes(op.a) : 0,
                           op.b.space == Space::Ub ? bytes(op.b) : 0});
  return cost(Cost::VectorStart) + transferPs(most, cost(Cost::VectorBytesPerUs));
}

std::optional<Trap> makeTileArithmetic(const PipeRequest &ask, std::unique_ptr<PipeOp> &made) {
  auto op = std::make_unique<TileArithmetic>();
  View *const tiles[] = {&op->d, &op->a, &op->b};
  for (unsigned i = 0; i != ask.request.viewCount; ++i) {
    if (auto trap = checkPlane(ask.view(i), ask.name()))
      return trap;
    *tiles[i] = validPart(ask.view(i));
  }
  op->work.op = tileOpOf(ask.request.opcode);
  if (auto trap = checkTypes(ask, *op))
    return trap;
  if (auto trap = checkShapes(ask, *op))
    return trap;
  op->work.type = op->d.type;
  if (info(op->work.op).form == TileForm::Convert) {
    op->work.from = op->a.type;
    op->work.mode = RoundMode(ask.request.values[0]);
    op->work.wraps =
        conversionWraps(ask.state.context.target.platform, op->work.from, op->work.type);
  } else
    op->work.scalar = ask.request.values[0];
  op->peer = ask.core.rank;
  op->bytes = bytes(op->d);
  op->ps = timeOf(*op);
  if (op->bytes == 0)
    return std::nullopt;
  op->steps[size_t(PipeId::V)] = 1;
  made = std::move(op);
  return std::nullopt;
}

} // namespace pto
