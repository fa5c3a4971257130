//===- pipe.h - the pipes of one core ---------------------------*- C++ -*-===//
#ifndef PTO_ENGINE_PIPE_H
#define PTO_ENGINE_PIPE_H

#include "engine/engine.h"

#include <deque>

namespace pto {

/// One operation of the pipes: loads on MTE2, stores on MTE3, chunk by chunk.
struct PipeOp {
  Opcode opcode = Opcode::Return;
  View to, from;
  View tiles[2];
  uint32_t tileCount = 0; ///< Staging tiles; 0: the tile is an operand itself.
  bool adds = false;
  bool loads = false, stores = false;
  bool done = false;
  int64_t total = 0;  ///< Elements.
  int64_t chunk = 0;  ///< Elements a step.
  int64_t loaded = 0; ///< Chunks.
  int64_t stored = 0;
  int64_t startPs = -1;
  Writer writer;

  [[nodiscard]] int64_t chunks() const { return chunk ? (total + chunk - 1) / chunk : 0; }
};

enum class PipeId : uint8_t { Load, Vector, Store };
inline constexpr unsigned kPipes = 3;

struct CorePipes {
  std::deque<PipeOp> ops;              ///< From the oldest one that is not done.
  uint64_t firstToken = 1;             ///< Of ops.front().
  std::deque<uint64_t> queues[kPipes]; ///< Tokens, in order.
  bool busy[kPipes] = {};
  std::vector<uint8_t> ub; ///< The core's UB.

  [[nodiscard]] bool isDone(uint64_t token) const {
    return token < firstToken || token - firstToken >= ops.size() || ops[token - firstToken].done;
  }
};

} // namespace pto

#endif
