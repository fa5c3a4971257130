//===- parts.h - what the files of this room do for each other --*- C++ -*-===//
#ifndef PTO_WORLD_PARTS_H
#define PTO_WORLD_PARTS_H

#include "port/reach.h"
#include "world/state.h"

namespace pto {

// Requests: one function each. Its time is `atPs`.
#define PTO_HANDLER(name)                                                                          \
  [[nodiscard]] Completion name(World &world, Agent &agent, const Request &request, int64_t atPs)
PTO_HANDLER(loadScalarAt); // memory_requests.cpp
PTO_HANDLER(storeScalarAt);
PTO_HANDLER(flushCache);
PTO_HANDLER(storeSignal);
PTO_HANDLER(orderMemory);
PTO_HANDLER(hostLoad);
PTO_HANDLER(hostStore);
PTO_HANDLER(notify); // signal_requests.cpp
PTO_HANDLER(waitForSignal);
PTO_HANDLER(testSignal);
PTO_HANDLER(fetchAtomically); // atomic_requests.cpp
PTO_HANDLER(launchKernel);    // launch.cpp
PTO_HANDLER(syncBlocks);      // blocks.cpp
PTO_HANDLER(syncRanks);       // rank_barrier.cpp
PTO_HANDLER(syncLaunches);    // host_requests.cpp
PTO_HANDLER(hostBarrier);
PTO_HANDLER(hostStep);
PTO_HANDLER(yieldHost);
PTO_HANDLER(fileFill);
PTO_HANDLER(fileSave);
PTO_HANDLER(beginExpectation);
PTO_HANDLER(judgeElement);
PTO_HANDLER(endExpectation);
PTO_HANDLER(printText);
PTO_HANDLER(sleepHost);
PTO_HANDLER(tellTime);
PTO_HANDLER(stageText); // hixl_requests.cpp
PTO_HANDLER(stagePair);
PTO_HANDLER(callHixl);
PTO_HANDLER(engineRequest); // requests.cpp
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

// The audit: follow.cpp.
/// Who judges what a core does. Bytecode may have a host do what only cores should: that is no
/// core's deed.
/// Whether a core's own access to the memory of a rank gets there.
[[nodiscard]] inline std::optional<Trap> checkOwnReach(const World &world, const Agent &agent,
                                                       int32_t to, Opcode opcode) {
  return checkLink(world.options.topology, Transport::MTE, agent.core.rank, to,
                   info(opcode).mnemonic);
}

[[nodiscard]] inline Audit *auditOf(World &world, const Agent &agent) {
  return agent.isHost ? nullptr : world.audit.get();
}
/// Hands on what the engines have written down.
void followEngines(World &world);
/// After an engine's request was carried out.
void followRequest(World &world, const Agent &agent, const Request &request,
                   const Completion &completion);
/// At the end of the run.
void reportAudit(World &world);

// Signals and effects: signal_requests.cpp.
void applyEffect(World &world, const Effect &effect);
void landNotify(World &world, const Action &action);
void landUpdate(World &world, const SignalUpdate &update);
/// One signal word within reach, as whoever updates it needs.
[[nodiscard]] std::optional<Trap> checkTold(const World &world, const Agent &agent,
                                            const Request &request);
/// Remembers for hang reports what an instruction that writes signals did last.
void countWrite(Agent &agent, const Request &request, const View &word, int32_t value);
/// After a write to GM: remembers the writer of signals and wakes who waits for them.
void noteWrite(World &world, int32_t rank, ByteRange range, const Writer &writer);

// Launches: launch.cpp.
void startLaunch(World &world, uint32_t launch);
void finishBlock(World &world, Agent &core);
/// After a block has ended: whether others wait for it in a syncall. blocks.cpp
void noteBlockEnd(World &world, uint32_t launch);
/// The same for rank_barrier: rank_barrier.cpp
void noteRankBlockEnd(World &world, uint32_t launch);
[[nodiscard]] bool reportRankMismatch(World &world);
/// "3 of 4 ranks are here with all blocks; rank 1: 1 of 2 blocks"
[[nodiscard]] std::string rankBarrierText(const World &world, uint32_t launch);
/// A block goes on behind a barrier that all have come to: blocks.cpp
void leaveBarrier(World &world, Agent &agent, int64_t nominalPs);
/// A block of `missing` has ended before a barrier at which `waiter` stands.
void reportMismatch(World &world, const Agent &waiter, const Launch &missing, std::string text);
/// "blocks 0, 2 and 5 more"
[[nodiscard]] std::string blocksText(llvm::ArrayRef<int32_t> blocks);

// Hosts: host_requests.cpp.
void releaseHosts(World &world);
[[nodiscard]] llvm::Error applyInputs(World &world);
[[nodiscard]] llvm::Error writeOutputs(World &world);

// Findings: findings.cpp.
[[nodiscard]] Place placeOf(const World &world, const CodePlace &place);
[[nodiscard]] Finding makeFinding(const World &world, const Trap &trap, const TrapSite &site);
void reportTrap(World &world, const Agent &agent, const Trap &trap);
void traceFinding(World &world, const Finding &finding, const TrapSite &site);
/// The same where a pipe came to it.
void reportFault(World &world, const PipeFault &fault);
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

// Cores whose pipes stand at a wait_flag: flag_story.cpp.
[[nodiscard]] inline bool isHeldByFlag(const Agent &agent) {
  return !agent.isHost && agent.park == Park::Engine;
}
[[nodiscard]] CodePlace flagWaitPlace(const World &world, const Agent &agent);
[[nodiscard]] std::string flagWaitText(const World &world, const Agent &agent);
void describeFlags(const World &world, const Agent &agent, Trap &trap);

} // namespace pto

#endif
