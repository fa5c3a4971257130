//===- state.h - everything a run consists of -------------------*- C++ -*-===//
//
// Shared by the files of this room: agents, launches, cores of a rank, the clock.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_WORLD_STATE_H
#define PTO_WORLD_STATE_H

#include "memory/cache.h"
#include "vm/vm.h"
#include "world/expectations.h"
#include "world/signals.h"
#include "world/world.h"

namespace pto {

/// Why an agent has no place on the agenda.
enum class Park : uint8_t {
  None,     ///< It has one, or is moving right now.
  Engine,   ///< An event, a queue, a pipe.
  Signal,   ///< A twait.
  Launches, ///< A host that waits for what it launched.
  Barrier,  ///< A host that waits for all hosts.
  Step,     ///< A host that waits for all hosts that still run.
  Finished,
};

/// How often an instruction that writes signals ran on a core, and what it did last.
struct SignalWrites {
  CodePoint at;
  uint64_t count = 0;
  Word last;
  int32_t value = 0;
};

/// Whether an agent only looks, again and again, and sees the same. If its registers are as they
/// were at an earlier look and nothing happened between, it will look for ever.
struct Polling {
  uint64_t looks = 0;
  uint64_t snapshot = 0;   ///< Of its registers.
  uint64_t epoch = 0;      ///< World::epoch at that time.
  bool isCycling = false;
};

struct Agent {
  uint32_t id = 0;
  bool isHost = false;
  bool isDraining = false;    ///< The kernel has returned; its pipes still work.
  bool hasRequest = false;
  Park park = Park::None;
  Core core;
  Cache cache;
  Jitter jitter;
  Polling polling;
  uint32_t launch = 0;        ///< Of a core.
  int64_t waitBeginPs = -1;   ///< Since when its request is blocked.
  uint64_t wokenBy = 0;       ///< Operation that ended the wait.
  size_t scanFrom = 0;        ///< twait: the word that it found wanting.
  int64_t lastNotifyPs = 0;   ///< Its notifies land in order.
  std::vector<SignalWrites> writes;
};

struct Launch {
  uint32_t kernel = 0;
  int32_t rank = 0;
  int32_t stream = 0;
  int32_t blocks = 1;
  int32_t nextBlock = 0;
  int32_t finished = 0;
  bool isDone = false;
  CodePlace place;
  std::vector<ScalarBits> args;
  std::vector<View> viewArgs;
};

struct EndedBlock {
  uint32_t launch = 0;
  std::vector<SignalWrites> writes;
};

/// A rank's cores and streams.
struct RankState {
  int32_t freeCores = 0;
  uint32_t unfinished = 0;                          ///< Launches.
  std::map<int32_t, std::vector<uint32_t>> streams; ///< Launches in order, the running one first.
  std::vector<uint32_t> ready;                      ///< Launches with blocks that wait for a core.
  /// What the last block of each (kernel, number) wrote, for hang reports.
  std::map<std::pair<uint32_t, int32_t>, EndedBlock> ended;
};

struct World {
  World(const Module &module, const Entry &entry, const RunOptions &options, Layout layout, Gm gm, llvm::raw_ostream &out);

  const Module &module;
  const Entry &entry;
  const RunOptions &options;
  Layout layout;
  Gm gm;
  llvm::raw_ostream &out;
  Machine machine;
  Agenda agenda;
  Trace trace;
  Engines engines;
  Signals signals;
  Expectations expectations;
  std::vector<std::unique_ptr<Agent>> agents; ///< The hosts, by rank; then cores, null when they ended.
  std::vector<RankState> ranks;
  std::vector<Launch> launches;
  std::vector<SignalUpdate> notifies; ///< On their way; taken by Action::subject.
  std::vector<uint32_t> freeNotifies;
  std::vector<Finding> findings;
  llvm::Error failure = llvm::Error::success(); ///< Of the environment.
  bool stopped = false;
  uint64_t steps = 0;
  uint64_t epoch = 0;     ///< Counts everything that an agent could see.
  int64_t nowPs = 0;
  int32_t atBarrier = 0, atStep = 0, finishedHosts = 0;
  uint32_t runningKernels = 0; ///< Unfinished launches of all ranks.
};

// Requests: one function each. Its time is `atPs`.
#define PTO_HANDLER(name) [[nodiscard]] Completion name(World &world, Agent &agent, const Request &request, int64_t atPs)
PTO_HANDLER(loadScalarAt);   // memory_requests.cpp
PTO_HANDLER(storeScalarAt);
PTO_HANDLER(flushCache);
PTO_HANDLER(orderMemory);
PTO_HANDLER(hostLoad);
PTO_HANDLER(hostStore);
PTO_HANDLER(notify);         // signal_requests.cpp
PTO_HANDLER(waitForSignal);
PTO_HANDLER(testSignal);
PTO_HANDLER(launchKernel);   // launch.cpp
PTO_HANDLER(syncLaunches);   // host_requests.cpp
PTO_HANDLER(hostBarrier);
PTO_HANDLER(hostStep);
PTO_HANDLER(yieldHost);
PTO_HANDLER(fileFill);
PTO_HANDLER(fileSave);
PTO_HANDLER(beginExpectation);
PTO_HANDLER(judgeElement);
PTO_HANDLER(endExpectation);
PTO_HANDLER(printText);
PTO_HANDLER(engineRequest);  // requests.cpp
#undef PTO_HANDLER

/// Checks the views and carries out the agent's request.
[[nodiscard]] Completion carryOut(World &world, Agent &agent, int64_t atPs);
/// Whether the request concerns nobody but its agent, so that it needs no place on the agenda.
[[nodiscard]] bool isPrivate(const World &world, const Agent &agent);

// Agents: agents.cpp.
void resume(World &world, uint32_t agent);
/// Puts a parked agent on the agenda.
void wake(World &world, Agent &agent, int64_t atPs, uint64_t operation = 0);
void finishHost(World &world, Agent &host);
/// Whether all that still move only look at what nobody will change.
[[nodiscard]] bool onlyPollersLeft(const World &world);

// Signals and effects: signal_requests.cpp.
void applyEffect(World &world, const Effect &effect);
void landNotify(World &world, const Action &action);
void landUpdate(World &world, const SignalUpdate &update);
/// Remembers for hang reports what an instruction that writes signals did last.
void countWrite(Agent &agent, const Request &request, const View &word, int32_t value);
/// After a write to GM: remembers the writer of signals and wakes who waits for them.
void noteWrite(World &world, int32_t rank, ByteRange range, const Writer &writer);

// Launches: launch.cpp.
void startLaunch(World &world, uint32_t launch);
void finishBlock(World &world, Agent &core);

// Hosts: host_requests.cpp.
void releaseHosts(World &world);
[[nodiscard]] llvm::Error applyInputs(World &world);
[[nodiscard]] llvm::Error writeOutputs(World &world);

// Findings: findings.cpp.
[[nodiscard]] Place placeOf(const World &world, const CodePlace &place);
[[nodiscard]] Finding makeFinding(const World &world, const Trap &trap, const TrapSite &site);
void reportTrap(World &world, const Agent &agent, const Trap &trap);
/// A finding at the end of a block; those of several blocks at one place are one.
void reportBlockEnd(World &world, const Agent &core, const Trap &trap, const CodePlace &place);
/// Removes what the test expects, and reports what it expects in vain.
void settleExpectedViolations(World &world);
/// "rank 0 block 1", "rank 0 host"
[[nodiscard]] std::string agentName(const Agent &agent);

// When nobody moves: stall.cpp, deadlock.cpp.
void reportStall(World &world);
[[nodiscard]] bool reportHostMismatch(World &world);
void reportDeadlock(World &world);

} // namespace pto

#endif
