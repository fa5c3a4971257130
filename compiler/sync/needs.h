//===- needs.h - where a kernel lacks order ------------------------*- C++ -*-===//
#ifndef PTO_SYNC_NEEDS_H
#define PTO_SYNC_NEEDS_H

#include "graph/pipe_order.h"

namespace pto::sync_detail {

using namespace graph;

enum class NeedKind : uint8_t {
  Barrier,    ///< `pipe_barrier(pipe)` before the statement.
  Fence,      ///< `dsb()` before it.
  Invalidate, ///< `dcci(view)`, or `dcci()` without one, before it.
};

struct Need {
  NeedKind kind = NeedKind::Barrier;
  const Stmt *before = nullptr;
  Pipe pipe = Pipe::ALL;
  const Expr *view = nullptr;
  SourceRange at; ///< What it is for.
};

/// What the kernel needs first, in the order of its steps. Empty: it is ordered throughout, or its
/// loops are too entangled to tell.
[[nodiscard]] std::vector<Need> needsOf(const Graph &graph);

} // namespace pto::sync_detail

#endif
