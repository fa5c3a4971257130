//===- lint_tiles.cpp - advice on loops that move data through tiles ---------------===//

#include "flow/lint.h"

#include "target/platform.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace pto::flow_detail {

namespace {

constexpr int64_t kSmallTile = 1 << 10;    ///< A staging tile below this pays its latency per KiB.
constexpr int64_t kLargePayload = 1 << 16; ///< From here on that is most of the time.
constexpr int64_t kSmallChunk = 1 << 14;   ///< Bytes for which a notify costs as much as the move.
constexpr int64_t kManyTurns = 16;
constexpr int64_t kManyChunks = 4;

/// Bytes of UB that a tile statement takes.
int64_t bytesOf(const Stmt &tile) {
  int64_t row = tile.cols * info(tile.variable->type.scalar).bytes();
  return tile.rows * int64_t(llvm::alignTo(uint64_t(row), uint64_t(limit(Limit::UbAlignBytes))));
}

class Tiles {
public:
  explicit Tiles(const Lint &lint) : lint_(lint) {}

  void advise() {
    lint_.forEachStep([&](At at) {
      if (at.step->is(Intrinsic::Tput) || at.step->is(Intrinsic::Tget))
        adviseOfStaging(at);
      else if (at.step->is(Intrinsic::Tnotify))
        adviseOfNotify(at);
      else if (at.step->is(Intrinsic::Dcci) && !at.step->operand("x") && repeats(at) &&
               !isOfLibrary(at)) // Its caller cannot name less.
        lint_.context.sink.report<Rule::DcciInLoop>(at.step->range());
    });
    for (const Graph &graph : lint_.graphs)
      for (const Block &block : graph.blocks)
        adviseOfTurns(graph, block);
  }

private:
  bool isOfLibrary(At at) const {
    return lint_.context.sink.isOfLibrary(at.graph->frames[at.step->frame].function->range);
  }

  /// Whether it stands in a loop that may have a second turn.
  static bool repeats(At at) {
    const Stmt *loop = Lint::loopAround(at);
    return loop && Lint::turnsOf(*loop).value_or(2) > 1;
  }

  /// Whether another tile of these bytes fits on every platform, beside all that the kernel has.
  static bool hasRoom(const Graph &graph, int64_t bytes) {
    int64_t room = platforms().front().ubBytes;
    for (const PlatformInfo &platform : platforms())
      room = std::min(room, platform.ubBytes);
    for (const Block &block : graph.blocks)
      for (const Step &step : block.steps)
        if (step.kind == StepKind::Tile)
          bytes += bytesOf(*step.stmt);
    return bytes <= room;
  }

  void adviseOfStaging(At at) {
    const Expr *staging = at.step->operand("staging");
    std::optional<int64_t> payload = Lint::bytesOf(at.step->operand("src")),
                           tile = Lint::bytesOf(staging);
    if (!payload || !tile || *tile == 0)
      return;
    llvm::StringRef name = info(at.step->expr->intrinsic).name;
    if (*tile < kSmallTile && *payload > kLargePayload) {
      lint_.context.sink.report<Rule::SmallTiles>(at.step->range(), name, Lint::size(*payload),
                                                  Lint::size(*tile));
      return;
    }
    int64_t chunks = int64_t(llvm::divideCeil(uint64_t(*payload), uint64_t(*tile)));
    bool isMuch = chunks >= kManyChunks || (chunks > 1 && repeats(at));
    // Of the instances of one function the first stands for all.
    if (isMuch && !at.step->operand("pong") && hasRoom(*at.graph, *tile) &&
        serial_.insert(lint_.context.place(at.step->range())).second)
      lint_.context.sink.report<Rule::SerialPingPong>(
          at.step->range(), "`" + name.str() + "` moves " + std::to_string(chunks) +
                                " chunks through the one tile `" + lint_.context.text(staging) +
                                "`");
  }

  //===--- A notify a chunk ---===//

  /// A small transfer in the same innermost loop, or null.
  static const Step *findSmallMove(At at) {
    for (const Block &block : at.graph->blocks)
      for (const Step &step : block.steps) {
        bool moves = step.is(Intrinsic::Tput) || step.is(Intrinsic::Tstore);
        if (!moves || Lint::loopGuard({at.graph, &step}) != Lint::loopGuard(at))
          continue;
        const Expr *src = step.operand("src");
        std::optional<int64_t> bytes = Lint::bytesOf(src ? src : step.operand("x"));
        if (bytes && *bytes < kSmallChunk)
          return &step;
      }
    return nullptr;
  }

  void adviseOfNotify(At at) {
    const Stmt *loop = Lint::loopAround(at);
    const Expr *sig = at.step->operand("sig");
    if (!loop || loop->kind != program::StmtKind::For ||
        Lint::turnsOf(*loop).value_or(kManyTurns + 1) <= kManyTurns)
      return;
    // One notify for each peer is what it takes.
    Cause peer = lint_.causeOfPeer(at, sig);
    if (lint_.word(at).space != Space::Remote || peer.isUnknown ||
        peer.loops.contains(loop->variable))
      return;
    const Step *move = findSmallMove(at);
    if (!move || !notified_.insert(loop).second)
      return;
    const Expr *src = move->operand("src");
    Finding &finding = lint_.context.sink.report<Rule::PerTileNotify>(
        at.step->range(), lint_.context.text(sig),
        Lint::size(*Lint::bytesOf(src ? src : move->operand("x"))));
    lint_.context.sink.note(finding, move->range(), "of this");
  }

  //===--- Load and store that take turns ---===//

  static bool isBarrierOfAll(const Step &step) {
    const Expr *pipe = step.operand("pipe");
    return step.is(Intrinsic::PipeBarrier) && pipe && Pipe(pipe->bits) == Pipe::ALL &&
           !step.stmt->isInserted;
  }

  /// load, barrier, store, barrier in each turn of a loop.
  void adviseOfTurns(const Graph &graph, const Block &block) {
    llvm::SmallVector<const Step *, 8> steps;
    int barriers = 0;
    for (const Step &step : block.steps)
      if (step.kind == StepKind::Instruction) {
        steps.push_back(&step);
        barriers += isBarrierOfAll(step);
      }
    for (size_t i = 0; i + 2 < steps.size() && barriers >= 2; ++i) {
      const Step &load = *steps[i], &store = *steps[i + 2];
      const Expr *tile = load.operand("t");
      if (!load.is(Intrinsic::Tload) || !isBarrierOfAll(*steps[i + 1]) ||
          !store.is(Intrinsic::Tstore) ||
          !(graph.origin(load.frame, tile) == graph.origin(store.frame, store.operand("t"))) ||
          !repeats({&graph, &load}) || !hasRoom(graph, Lint::bytesOf(tile).value_or(0)))
        continue;
      lint_.context.sink.report<Rule::SerialPingPong>(
          load.range(), "each turn loads `" + lint_.context.text(tile) +
                            "`, waits for all pipes, stores it and waits again");
    }
  }

  const Lint &lint_;
  llvm::SmallPtrSet<const Stmt *, 4> notified_;
  llvm::StringSet<> serial_; ///< Places that have been spoken of.
};

} // namespace

void adviseTiles(const Lint &lint) { Tiles(lint).advise(); }

} // namespace pto::flow_detail
