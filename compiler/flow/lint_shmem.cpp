//===- lint_shmem.cpp - advice on sums over ranks, and on barriers -------------------===//

#include "flow/lint.h"

#include "target/platform.h"
#include "target/types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace pto::flow_detail {

namespace {

/// Whether the stores of every target that has the mode add elements of the type.
bool isSummedByStores(ScalarType type) {
  return llvm::all_of(llvm::seq<size_t>(0, platforms().size()), [&](size_t i) {
    ElementTypes types = typesFor(Platform(i), TypeUse::AtomicMode);
    return types.empty() || types.contains(type);
  });
}

class Sums {
public:
  explicit Sums(const Lint &lint) : lint_(lint) {}

  void advise() {
    lint_.forEachStep([&](At at) {
      if (at.step->is(Intrinsic::Amo) || at.step->is(Intrinsic::EngineAmo))
        adviseOfAtomic(at);
      else if (at.step->is(Intrinsic::Tadd))
        adviseOfSerial(at);
    });
  }

private:
  /// One element after the other of one rank's memory, by operations that each take a round.
  void adviseOfAtomic(At at) {
    const Expr *x = at.step->operand("x");
    bool adds = AmoOp(at.step->operand("op")->bits) == AmoOp::Add;
    int64_t turns = adds ? elementsInTurn(at, x) : 0;
    if (turns > limit(Limit::ScalarAtomics) && isFirstAt(at))
      lint_.context.sink.report<Rule::ScalarAtomicLoop>(at.step->range(), lint_.context.text(x),
                                                        turns);
  }

  /// How many places one after the other the loops around it make of the operand; 0: unknown.
  int64_t elementsInTurn(At at, const Expr *x) const {
    Cause place = lint_.causeOf(at, x), peer = lint_.causeOfPeer(at, x);
    if (place.isUnknown || peer.isUnknown || place.ones.empty())
      return 0;
    int64_t all = 1;
    for (uint32_t i = at.step->guard; i != kNone; i = at.graph->guards[i].outer) {
      const Stmt *loop = at.graph->guards[i].loop;
      if (!loop || !place.loops.contains(loop->variable) || peer.loops.contains(loop->variable))
        continue;
      int64_t turns = Lint::turnsOf(*loop).value_or(0);
      if (llvm::MulOverflow(all, turns, all))
        return 0;
    }
    return all;
  }

  static bool isInside(const Graph &graph, uint32_t guard, uint32_t loop) {
    while (guard != kNone && guard != loop)
      guard = graph.guards[guard].outer;
    return guard == loop;
  }

  /// Whether the core's own pipes move it: then they could store to that rank as well.
  static bool isOfCore(const Step &step) {
    PipeUse pipe = info(step.expr->intrinsic).pipe;
    return pipe == PipeUse::Load || pipe == PipeUse::Staged;
  }

  /// A read in the loop of the memory of a rank that each turn names anew, or null.
  const Step *findGet(At at, uint32_t guard) const {
    const Stmt *loop = at.graph->guards[guard].loop;
    for (const Block &block : at.graph->blocks)
      for (const Step &step : block.steps)
        if (isInside(*at.graph, step.guard, guard))
          for (const Touch &touch : touchesOf(*at.graph, step))
            if (!touch.writes && touch.region.space == Space::Remote && isOfCore(step) &&
                lint_.causeOfPeer({at.graph, &step}, touch.operand).loops.contains(loop->variable))
              return &step;
    return nullptr;
  }

  /// `tadd(acc, acc, part)` in a loop that gets the parts.
  void adviseOfSerial(At at) {
    uint32_t guard = Lint::loopGuard(at);
    if (guard == kNone || at.graph->guards[guard].loop->kind != program::StmtKind::For)
      return;
    const Expr *to = at.step->operand("d");
    if (!isSummedByStores(to->type.scalar))
      return;
    auto tileOf = [&](llvm::StringRef name) {
      return regionOf(*at.graph, at.step->frame, at.step->operand(name)).tile;
    };
    if (!(tileOf("a") == tileOf("d")) && !(tileOf("b") == tileOf("d")))
      return;
    const Step *get = findGet(at, guard);
    if (!get || !isFirstAt(at))
      return;
    Finding &finding =
        lint_.context.sink.report<Rule::SerialAccumulate>(at.step->range(), lint_.context.text(to));
    lint_.context.sink.note(finding, get->range(), "a part is got here");
  }

  /// Of the instances of one function the first stands for all.
  bool isFirstAt(At at) { return said_.insert(lint_.context.place(at.step->range())).second; }

  const Lint &lint_;
  llvm::StringSet<> said_; ///< Places that have been spoken of.
};

/// A kernel that meets its blocks, and all ranks.
void adviseOfMeetings(const Lint &lint) {
  for (const Graph &graph : lint.graphs) {
    const Step *blocks = nullptr, *ranks = nullptr;
    for (const Block &block : graph.blocks)
      for (const Step &step : block.steps) {
        if (step.is(Intrinsic::Syncall) && !blocks)
          blocks = &step;
        if (step.is(Intrinsic::RankBarrier) && !ranks)
          ranks = &step;
      }
    if (!blocks || !ranks)
      continue;
    Finding &finding =
        lint.context.sink.report<Rule::SyncallBesideBarrier>(blocks->range(), graph.kernel->name);
    lint.context.sink.note(finding, ranks->range(), "the barrier");
  }
}

} // namespace

void adviseShmem(const Lint &lint) {
  Sums(lint).advise();
  adviseOfMeetings(lint);
}

} // namespace pto::flow_detail
