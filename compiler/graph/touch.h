//===- touch.h - what a step does to memory, and on which pipe --*- C++ -*-===//
#ifndef PTO_GRAPH_TOUCH_H
#define PTO_GRAPH_TOUCH_H

#include "graph/region.h"

namespace pto::graph {

/// A set of pipes, as bits.
using Pipes = uint8_t;
[[nodiscard]] constexpr Pipes bit(Pipe pipe) { return Pipes(1u << unsigned(pipe)); }

/// One access of a step to memory.
struct Touch {
  Pipe pipe = Pipe::S;
  Pipes known = 0; ///< The pipes whose later work comes after it, by the instruction itself.
  bool writes = false;
  Region region;
  const Expr *operand = nullptr;
};

/// The accesses of an instruction by its table row; a post of a DMA engine counts as one of S,
/// which must know that what it hands over is complete.
[[nodiscard]] llvm::SmallVector<Touch, 6> touchesOf(const Graph &graph, const Step &step);

} // namespace pto::graph

#endif
