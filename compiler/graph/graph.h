//===- graph.h - what one kernel does, in order ------------------*- C++ -*-===//
//
// A kernel as blocks of steps with edges, the calls opened up. A step is whatever touches memory,
// pipes, queues or other agents; scalar arithmetic leaves no step. Built once for a kernel, and
// read by every analysis of order and by the compiler's own barriers.
//
// Loops are turned so that a body follows itself: `before -> body -> body -> after`. The edge that
// leaves a loop out is marked, since a loop that runs no turn is seldom what a finding is about.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_GRAPH_GRAPH_H
#define PTO_GRAPH_GRAPH_H

#include "program/program.h"

#include "llvm/ADT/DenseMap.h"

namespace pto::graph {

using program::Expr;
using program::Function;
using program::Stmt;
using program::Variable;

using FrameId = uint32_t;
using BlockId = uint32_t;
inline constexpr uint32_t kNone = ~0u;

/// A function that runs: 0 is the kernel, the others are calls that were opened up.
struct Frame {
  const Function *function = nullptr;
  const Expr *call = nullptr; ///< In the caller.
  FrameId caller = kNone;
};

enum class StepKind : uint8_t {
  Instruction, ///< expr: an Intrinsic
  Session,     ///< expr: a Session that is built
  Tile,        ///< stmt: a tile gets its place and its valid region
  After,       ///< stmt: tokens in `ops` are waited for
};

struct Step {
  StepKind kind = StepKind::Instruction;
  FrameId frame = 0;
  const Expr *expr = nullptr;
  const Stmt *stmt = nullptr; ///< The statement that it is part of.
  uint32_t guard = kNone;     ///< What has to hold for it to happen: see Guard.

  [[nodiscard]] bool is(Intrinsic which) const {
    return kind == StepKind::Instruction && expr->intrinsic == which;
  }
  /// Whether the core itself updates a signal word here.
  [[nodiscard]] bool tells() const { return is(Intrinsic::Tnotify) || is(Intrinsic::SignalStore); }
  /// An operand by the name that its table row gives it, or null.
  [[nodiscard]] const Expr *operand(llvm::StringRef name) const;
  [[nodiscard]] SourceRange range() const { return expr ? expr->range : stmt->range; }
};

/// A condition around a step, the innermost one first.
struct Guard {
  const Expr *condition = nullptr; ///< Of an `if` or `while`; null for a `for`.
  const Stmt *loop = nullptr;      ///< The loop, if it is one.
  bool isTrue = true;              ///< Whether the condition holds there.
  FrameId frame = 0;
  uint32_t outer = kNone;
};

enum class EdgeKind : uint8_t {
  Forward,
  Back, ///< Another turn of a loop.
  Skip, ///< Past a loop that runs no turn.
};

struct Edge {
  BlockId to = kNone;
  EdgeKind kind = EdgeKind::Forward;
};

struct Block {
  std::vector<Step> steps;
  llvm::SmallVector<Edge, 2> next;
  bool isLoopHead = false; ///< What enters by any edge may be what happens.
};

/// What a handle, a tile or a view comes from: a variable or the expression that made it.
struct Origin {
  FrameId frame = 0;
  const void *what = nullptr; ///< A Variable or an Expr; null: not known.
  const Expr *expr = nullptr; ///< If it is an expression.
  bool operator==(const Origin &other) const { return frame == other.frame && what == other.what; }
  explicit operator bool() const { return what != nullptr; }
};

struct Graph {
  const Function *kernel = nullptr;
  std::vector<Frame> frames;
  std::vector<Block> blocks; ///< In an order in which all but back edges lead onward.
  std::vector<Guard> guards;
  BlockId entry = 0;
  BlockId exit = kNone;   ///< Every way out leads here.
  bool isComplete = true; ///< False: too large to follow, so nothing can be concluded from it.

  /// Follows parameters to arguments and `let` to its value.
  [[nodiscard]] Origin origin(FrameId frame, const Expr *expr) const;

  /// Values of variables that are set once, and frames of calls; filled by build().
  llvm::DenseMap<const Variable *, const Expr *> values;
  llvm::DenseMap<std::pair<FrameId, const Expr *>, FrameId> callees;
  llvm::DenseMap<const Function *, const Expr *> results; ///< Of functions with one `return`.
};

/// The graph of a kernel (or of host code). Calls are opened up to a limit.
[[nodiscard]] Graph build(const Function &kernel);

} // namespace pto::graph

#endif
