//===- pipe.h - the pipes of one core ---------------------------*- C++ -*-===//
//
// MTE2 loads into UB, V computes in UB, MTE3 stores from UB. Each takes its operations in the order
// of issue, and nothing orders one pipe against another, or against the scalar pipe, but what an
// operation says of its own steps, flags, barriers and tokens.
//
// An operation is a number of steps on each pipe. Its file says what a step does, how long it takes
// and which steps of the other pipes it waits for; pipe.cpp runs them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_PIPE_H
#define PTO_ENGINE_PIPE_H

#include "base/inner_flag.h"
#include "engine/engine.h"
#include "engine/flags.h"
#include "memory/walk.h"

#include <deque>
#include <memory>

namespace pto {

enum class PipeId : uint8_t { MTE2, V, MTE3 };
inline constexpr unsigned kPipes = 3;
inline constexpr PipeId kAllPipes[kPipes] = {PipeId::MTE2, PipeId::V, PipeId::MTE3};

/// The word behind the program's UB through which scalar atomics pass their operand.
inline constexpr size_t kAmoWordBytes = 8;

struct CorePipes;

/// What an operation does next on a pipe.
struct PipeStep {
  int64_t needs[kPipes] = {}; ///< Steps of this operation that each pipe has done before.
  int64_t ps = 0;             ///< Nominal time; the jitter is added to it.
  ElementCopy copy;           ///< What moves when the time is over; nothing if its count is 0.
};

/// One operation, from its issue until its last step.
class PipeOp {
public:
  virtual ~PipeOp();
  [[nodiscard]] virtual PipeStep step(PipeId pipe, int64_t index) const = 0;
  /// Whether something outside of the operation holds its next step back, such as a flag.
  [[nodiscard]] virtual bool isHeld(const CorePipes &pipes, PipeId pipe) const;
  /// The bytes that a step touches: those of its copy, unless it computes in UB.
  virtual void touch(const PipeStep &step, PipeId pipe, int64_t index,
                     llvm::SmallVectorImpl<Touch> &touches) const;
  /// What the step does besides its copy, at the end of its time: arithmetic in UB, or a flag.
  virtual void act(CorePipes &pipes, PipeId pipe, int64_t index);
  /// The flag that it waits for, and the one that it raises; null for everything else.
  [[nodiscard]] virtual const FlagId *awaited() const { return nullptr; }
  [[nodiscard]] virtual const FlagId *raised() const { return nullptr; }

  [[nodiscard]] int64_t stepsOn(PipeId pipe) const { return steps[size_t(pipe)]; }
  [[nodiscard]] int64_t doneOn(PipeId pipe) const { return done[size_t(pipe)]; }
  [[nodiscard]] bool isFinished() const;
  void useFlags(InnerFlags which, int64_t tiles) {
    inner = which;
    innerIds = uint8_t(tiles + info(which).extraIds);
  }

  int64_t steps[kPipes] = {}; ///< In all; 0: the pipe has no part in it.
  int64_t done[kPipes] = {};
  bool addsAlways = false; ///< Its stores add, since the core's mode was on when it was issued.
  /// It ends on MTE2 only when its last store has ended: a later load may read what it stored.
  bool holdsLoads = false;
  std::optional<InnerFlags> inner; ///< The flags by which its pipes hand chunks on.
  uint8_t innerIds = 0;            ///< It has the event ids below this one.
  int32_t peer = 0;                ///< The rank on the far side, for the trace.
  int64_t bytes = 0;               ///< Of the payload, for the trace.
  int64_t startPs = -1;
  Writer writer;
};

/// Whether the effect of a pipe's current step is held back though its time is over.
enum class PipeHold : uint8_t { None, Held, Released };

struct CorePipes {
  std::deque<std::unique_ptr<PipeOp>> ops; ///< From the oldest unfinished one; null: finished.
  uint64_t firstToken = 1;                 ///< Of ops.front().
  std::deque<uint64_t> queues[kPipes];     ///< Tokens, in order.
  bool busy[kPipes] = {};
  PipeStep current[kPipes]; ///< Of busy pipes.
  PipeHold holds[kPipes] = {};
  bool isAwaited = false;  ///< The core asked how far they are: nothing is held back.
  std::vector<uint8_t> ub; ///< The core's UB.
  Flags flags;
  std::optional<PipeFault> fault; ///< What arithmetic in UB found first; it ends the run.

  [[nodiscard]] std::deque<uint64_t> &queue(PipeId pipe) { return queues[size_t(pipe)]; }
  [[nodiscard]] bool isIdle(PipeId pipe) const { return queues[size_t(pipe)].empty(); }
  [[nodiscard]] PipeOp &op(uint64_t token) { return *ops[size_t(token - firstToken)]; }
  [[nodiscard]] bool isDone(uint64_t token) const {
    return token < firstToken || token - firstToken >= ops.size() || !ops[token - firstToken];
  }
};

} // namespace pto

#endif
