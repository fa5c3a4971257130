//===- engine.h - what moves data while cores go on -------------*- C++ -*-===//
//
// The DMA engines of all ranks and the pipes of all cores. A request posts work; what the work will
// do, and when, goes to the agenda; perform() does it at its time and says what that changed.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_ENGINE_H
#define PTO_ENGINE_ENGINE_H

#include "memory/gm.h"
#include "port/agenda.h"
#include "port/deed.h"
#include "port/request.h"
#include "target/topology.h"
#include "trace/trace.h"

namespace pto {

/// What the engines of a run work on.
struct EngineContext {
  const Module &module;
  const Layout &layout;
  const Target &target;
  const Topology &topology;
  const Gm &gm;
  Agenda &agenda;
  Trace &trace;
  DeedLog &deeds;
  uint64_t seed = 0;
  int32_t ranks = 1;
};

/// A fault of what a pipe came to, long after the core had issued it.
struct PipeFault {
  Trap trap;
  Writer writer;
};

/// A pipe that stands at a wait_flag, for hang reports.
struct FlagHold {
  Pipe from, to;
  std::string flag; ///< "MTE2 to MTE3, id 0"
  std::string pipe;
  CodePlace place; ///< Of the wait_flag.
  uint64_t raised = 0;
  CodePlace lastRaised;
  std::vector<CodePlace> queued; ///< Sets of the flag that their pipe has not come to.
};

/// What an action changed: the world wakes whom it concerns.
struct Effect {
  int32_t rank = 0;
  ByteRange wrote; ///< Of that rank's GM.
  Writer writer;
  std::optional<SignalUpdate> signal;
  std::optional<PipeFault> fault;
  llvm::SmallVector<uint32_t, 2> wakes; ///< Cores whose blocked requests may go on.
};

/// A transfer that the kernel left behind.
struct Leak {
  CodePlace place;
  std::string what;
};

class EngineState;

class Engines {
public:
  explicit Engines(const EngineContext &context);
  ~Engines();
  Engines(const Engines &) = delete;
  Engines &operator=(const Engines &) = delete;

  void coreBegins(uint32_t core, int32_t rank, int32_t block);
  /// The classes Async and Pipe. Views have been checked to lie inside their objects.
  [[nodiscard]] Completion execute(uint32_t core, const Request &request, int64_t nowPs);
  [[nodiscard]] Effect perform(const Action &action);
  /// Whether it ends a hold that has ended before: it does nothing then, and takes no time.
  [[nodiscard]] bool isVain(const Action &action) const;
  /// Whether the core's pipes have nothing left to do; what they hold back comes now.
  [[nodiscard]] bool drain(uint32_t core, int64_t nowPs);
  /// Somebody wrote a rank's GM: an effect of the engines themselves, or a write of the world's.
  void wrote(int32_t rank, ByteRange range, const Writer &writer, int64_t nowPs);
  [[nodiscard]] std::vector<Leak> coreEnds(uint32_t core);
  /// Flags that are up, with the sets that raised them.
  [[nodiscard]] std::vector<Leak> flagsUp(uint32_t core) const;
  /// Where the mode was set in which the core's stores still add, and what they add.
  [[nodiscard]] std::optional<Leak> storeModeLeft(uint32_t core) const;
  /// The waits at which the core's pipes stand; `request` is what the core itself is blocked in.
  [[nodiscard]] std::vector<FlagHold> flagHolds(uint32_t core, const Request &request) const;
  /// What the core posted so far: "operation" numbers of the run.
  [[nodiscard]] uint64_t nextOperation();

private:
  std::unique_ptr<EngineState> state_;
};

} // namespace pto

#endif
