//===- needs.h - where a kernel lacks order ------------------------*- C++ -*-===//
#ifndef PTO_SYNC_NEEDS_H
#define PTO_SYNC_NEEDS_H

#include "sync/sites.h"

namespace pto::sync_detail {

enum class NeedKind : uint8_t {
  Barrier,    ///< `pipe_barrier(pipe)` before the statement.
  Flag,       ///< `set_flag` behind one statement, `wait_flag` before another.
  Fence,      ///< `dsb()` before it.
  Invalidate, ///< `dcci(view)`, or `dcci()` without one, before it.
};

struct Need {
  NeedKind kind = NeedKind::Barrier;
  const Stmt *before = nullptr;
  Pipe pipe = Pipe::ALL;
  const Expr *view = nullptr;
  SourceRange at;         ///< What it is for.
  sync_detail::Flag flag; ///< Flag.
  SourceRange raisedAt;
};

/// What one look at a kernel shows.
struct Lacks {
  bool isFollowed = false; ///< False: its loops are too entangled to tell.
  std::vector<Need> needs; ///< What it needs first, in the order of its steps.
  /// The compiler's own `set_flag` that may come before the flag was taken the last time.
  llvm::SmallVector<const Stmt *, 2> early;
};

/// Flags are used as far as there are ids; without any, barriers alone.
[[nodiscard]] Lacks lacksOf(const Graph &graph, FlagIds *ids);

} // namespace pto::sync_detail

#endif
