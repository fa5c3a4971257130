#include "graph/touch.h"

namespace pto::graph {

namespace {
/// On which pipes an operand is read and written.
struct Route {
  Pipe reads, writes;
};
} // namespace

/// A coupled operation loads what it reads and stores what it writes; its tiles are filled on one
/// pipe and emptied on the other.
static Route routeOf(PipeUse use, bool isTile) {
  switch (use) {
  case PipeUse::Load:
    return {Pipe::MTE2, Pipe::MTE2};
  case PipeUse::Vector:
    return {Pipe::V, Pipe::V};
  case PipeUse::Store:
    return {Pipe::MTE3, Pipe::MTE3};
  case PipeUse::Staged:
  case PipeUse::Reduce:
    return isTile ? Route{Pipe::MTE3, Pipe::MTE2} : Route{Pipe::MTE2, Pipe::MTE3};
  case PipeUse::Scalar:
  case PipeUse::Engine:
  case PipeUse::Queue:
  case PipeUse::Host:
    return {Pipe::S, Pipe::S};
  }
  return {Pipe::S, Pipe::S};
}

llvm::SmallVector<Touch, 6> touchesOf(const Graph &graph, const Step &step) {
  llvm::SmallVector<Touch, 6> touches;
  if (step.kind != StepKind::Instruction)
    return touches;
  const IntrinsicInfo &row = info(step.expr->intrinsic);
  for (size_t i = 0; i != row.params.size(); ++i) {
    const Expr *operand = step.expr->ops[i];
    Access what = row.params[i].access;
    if (!operand || what == Access::None || what == Access::Update)
      continue;
    Region region = regionOf(graph, step.frame, operand);
    if (region.space == Space::None)
      continue;
    Route route = routeOf(row.pipe, region.space == Space::Tile);
    // Its stores come after its loads, and MTE2 waits for MTE3 before such an operation returns.
    bool isCoupled = row.pipe == PipeUse::Staged || row.pipe == PipeUse::Reduce;
    Pipes after = isCoupled ? Pipes(bit(Pipe::MTE2) | bit(Pipe::MTE3)) : Pipes(0);
    if (what != Access::Write)
      touches.push_back({route.reads, Pipes(bit(route.reads) | after), false, region, operand});
    if (what != Access::Read)
      touches.push_back({route.writes, Pipes(bit(route.writes) | after), true, region, operand});
  }
  return touches;
}

} // namespace pto::graph
