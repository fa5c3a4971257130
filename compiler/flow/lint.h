//===- lint.h - what the advisory rules ask of a program ----------*- C++ -*-===//
//
// Advice is of programs that work, so it must be sure of what it says: where a value may depend on
// something that cannot be seen, the answers here are those that keep a rule silent.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_LINT_H
#define PTO_FLOW_LINT_H

#include "flow/context.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pto::flow_detail {

/// What the value of an expression comes from.
struct Cause {
  bool hasRank = false, hasBlock = false;
  bool hasParam = false;  ///< A parameter of the kernel.
  bool isUnknown = false; ///< Memory, a `var`, or what is too entangled to follow.
  llvm::SmallPtrSet<const Variable *, 4> loops; ///< Indices of loops,
  llvm::SmallPtrSet<const Variable *, 4> ones;  ///< and those that no factor stands by.

  [[nodiscard]] bool mayVaryByRank() const { return hasRank || hasParam || isUnknown; }
  [[nodiscard]] bool mayVaryByBlock() const { return hasBlock || isUnknown; }
};

/// How the hosts of the program start one kernel.
struct LaunchFacts {
  int64_t mostBlocks = 0; ///< The largest number that is known; 0: never launched.
  int64_t mostRanks = 0;
  const Stmt *again = nullptr;    ///< The launch that is a second one of its entry.
  llvm::DenseSet<int32_t> resets; ///< Objects that such an entry fills between the launches.
  llvm::DenseSet<int32_t> filled; ///< Objects that some entry fills.
};

/// A step in its graph.
struct At {
  const Graph *graph = nullptr;
  const Step *step = nullptr;
};

class Lint {
public:
  Lint(llvm::ArrayRef<Graph> graphs, Context &context);

  Context &context;
  llvm::ArrayRef<Graph> graphs;

  [[nodiscard]] const LaunchFacts &launches(const Graph &graph) const;
  /// Calls `visit(at)` for each step of each kernel, in order.
  template <typename Visit> void forEachStep(Visit visit) const {
    for (const Graph &graph : graphs)
      for (const Block &block : graph.blocks)
        for (const Step &step : block.steps)
          visit(At{&graph, &step});
  }

  /// Of a value, or of the place that a view names; the peer of a remote view apart.
  [[nodiscard]] Cause causeOf(At at, const Expr *expr) const;
  [[nodiscard]] Cause causeOfPeer(At at, const Expr *view) const;
  /// Of all conditions and loop bounds around the step.
  [[nodiscard]] Cause causeOfGuards(At at) const;
  /// The innermost loop around the step, or null.
  [[nodiscard]] static const Stmt *loopAround(At at);
  [[nodiscard]] static uint32_t loopGuard(At at);
  /// How many turns a loop runs, where its bounds are constants.
  [[nodiscard]] static std::optional<int64_t> turnsOf(const Stmt &loop);
  /// Bytes of a view or tile, where they are known.
  [[nodiscard]] static std::optional<int64_t> bytesOf(const Expr *operand);
  /// `16 KiB`, `100 bytes`
  [[nodiscard]] static std::string size(int64_t bytes);
  [[nodiscard]] Region word(At at) const {
    return regionOf(*at.graph, at.step->frame, at.step->operand("sig"));
  }

private:
  llvm::DenseMap<const Function *, LaunchFacts> launches_;
  LaunchFacts never_;
};

// One family a file.
void adviseWords(const Lint &lint);     // lint_words.cpp: who raises signals, and how often
void adviseWaits(const Lint &lint);     // lint_waits.cpp: who waits for them, and for what
void adviseTransfers(const Lint &lint); // lint_transfers.cpp
void adviseTiles(const Lint &lint);     // lint_tiles.cpp
void adviseSums(const Lint &lint);      // lint_values.cpp
void adviseShmem(const Lint &lint);     // lint_shmem.cpp: sums over ranks, barriers
void adviseResults(Context &context);   // lint_values.cpp, also a warning without `pto lint`

} // namespace pto::flow_detail

#endif
