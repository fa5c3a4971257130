//===- masks.cpp - regions of tiles that an operation left smaller ------------------===//
//
// A tile with `valid` keeps its region in registers. An operation that moves in chunks sets it for
// each chunk, and leaves the size of the last one. What reads the region next moves too little.
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

/// A tile whose region is not what its declaration says.
struct Shrunk {
  Origin tile;
  const Step *step = nullptr; ///< The operation that left it so.
  bool isMaybe = false;

  [[nodiscard]] bool isSame(const Shrunk &other) const { return tile == other.tile; }
  void meet(const Shrunk &other, bool isLoop) {
    isMaybe = isLoop ? isMaybe && other.isMaybe : isMaybe || other.isMaybe;
  }
  bool operator==(const Shrunk &) const = default;
};

/// A region as the program states it; -1 where it is not known.
struct Stated {
  int64_t rows = -1, cols = -1;
};

class MaskFlow {
public:
  using State = std::vector<Shrunk>;

  MaskFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {
    for (const Block &block : graph.blocks)
      for (const Step &step : block.steps)
        if (step.kind == StepKind::Tile && step.stmt->ops.size() == 2)
          regions_[step.stmt->variable] = {constant(step.stmt->ops[0]),
                                           constant(step.stmt->ops[1])};
    // With set_valid the region is a matter of the path; what it is then is not followed.
    for (const Block &block : graph.blocks)
      for (const Step &step : block.steps)
        if (step.is(Intrinsic::SetValid))
          regions_[graph.origin(step.frame, step.operand("t")).what] = {};
  }

  bool reports = false;

  void step(const Step &step, State &state) {
    if (step.kind == StepKind::Tile)
      return restore({step.frame, step.stmt->variable, nullptr}, state);
    if (step.is(Intrinsic::SetValid))
      return restore(graph_.origin(step.frame, step.operand("t")), state);
    if (step.kind != StepKind::Instruction)
      return;
    PipeUse use = info(step.expr->intrinsic).pipe;
    if (use == PipeUse::Load || use == PipeUse::Store || use == PipeUse::Vector)
      return reports ? read(step, state) : void();
    if (use == PipeUse::Staged)
      chunk(step, state);
  }
  void join(State &into, const State &from, Join how) { joinEntries(into, from, how); }
  void turn(State &) {}
  void end(const State &) {}

private:
  static int64_t constant(const Expr *expr) {
    std::optional<int64_t> value = expr ? expr->value.constant() : std::nullopt;
    return value.value_or(-1);
  }

  static void restore(const Origin &tile, State &state) {
    llvm::erase_if(state, [&](const Shrunk &entry) { return entry.tile == tile; });
  }

  /// Whether the last chunk of a move is smaller than the region, for certain.
  static bool leavesTail(const Expr *moved, const Stated &region) {
    if (!moved || !moved->facts || region.rows <= 0 || region.cols <= 0)
      return false;
    int64_t rows = 1, all = 1, cols = 1;
    size_t dims = moved->facts->shape.size();
    for (size_t d = 0; d != dims; ++d) {
      std::optional<int64_t> size = moved->facts->shape[d].constant();
      if (!size || *size <= 0)
        return false;
      if (d + 1 == dims)
        cols = *size;
      else if (__builtin_mul_overflow(all, *size, &all))
        return false;
      if (d + 2 == dims)
        rows = *size;
    }
    bool fits = all <= region.rows && cols <= region.cols;
    return !fits && (rows % region.rows != 0 || cols % region.cols != 0);
  }

  void chunk(const Step &step, State &state) {
    for (llvm::StringRef role : {"staging", "pong"}) {
      const Expr *operand = step.operand(role);
      Origin tile = operand ? graph_.origin(step.frame, operand) : Origin{};
      auto region = regions_.find(tile.what);
      if (!tile || region == regions_.end() || !leavesTail(step.operand("src"), region->second))
        continue;
      restore(tile, state);
      state.push_back({tile, &step, false});
    }
  }

  void read(const Step &step, const State &state) {
    for (const Touch &touch : touchesOf(graph_, step))
      for (const Shrunk &entry : state) {
        if (touch.region.space != Space::Tile || !(touch.region.tile == entry.tile))
          continue;
        if (entry.isMaybe) {
          context_.unknown("whether `" + context_.text(touch.operand) + "` has its region at " +
                           context_.place(step.range()));
          continue;
        }
        Finding &finding = context_.sink.report<Rule::MaskLeftByChunks>(
            step.range(), nameOf(step), context_.text(touch.operand), nameOf(*entry.step));
        context_.sink.note(finding, entry.step->range(), "its last chunk is smaller");
      }
  }

  const Graph &graph_;
  Context &context_;
  llvm::DenseMap<const void *, Stated> regions_; ///< By variable of a tile with `valid`.
};

} // namespace

void followMasks(const Graph &graph, Context &context) {
  MaskFlow analysis(graph, context);
  solve(graph, context, analysis, "the regions of its tiles");
}

} // namespace pto::flow_detail
