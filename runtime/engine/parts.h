//===- parts.h - what the files of this room do for each other --*- C++ -*-===//
#ifndef PTO_ENGINE_PARTS_H
#define PTO_ENGINE_PARTS_H

#include "engine/state.h"

namespace pto {

/// A post that has been validated, and the queue discipline's answer.
struct PostPlan {
  int64_t startPs = 0; ///< The first byte can move.
  int64_t endPs = 0;   ///< The last byte can have moved.
};

// One queue discipline a file: sdma.cpp urma.cpp rdma.cpp.
/// Absent: it is accepted. The text of the failure of a transfer that the engine refuses.
[[nodiscard]] std::optional<std::string> sdmaRefuses(const Session &session, const Request &request,
                                                     int64_t bytes);
[[nodiscard]] PostPlan sdmaPlan(CoreState &core, Session &session, int64_t nowPs, int64_t bytes,
                                bool notifies);
[[nodiscard]] std::optional<Trap> urmaValidate(const CoreState &core, int32_t peer);
[[nodiscard]] PostPlan urmaPlan(CoreState &core, const Session &session, PeerQueue &queue,
                                int64_t nowPs, int64_t bytes);
[[nodiscard]] std::optional<Trap> rdmaValidate(const CoreState &core, const Request &request,
                                               int32_t peer);
[[nodiscard]] std::optional<std::string> rdmaRefuses(const Request &request, int64_t bytes);
[[nodiscard]] PostPlan rdmaPlan(CoreState &core, const Session &session, PeerQueue &queue,
                                int64_t nowPs, int64_t bytes);

// Sessions: session.cpp.
[[nodiscard]] Completion buildSession(EngineState &state, uint32_t core, const Request &request,
                                      int64_t nowPs);
[[nodiscard]] Completion testSession(EngineState &state, uint32_t core, const Request &request,
                                     int64_t nowPs);
[[nodiscard]] Completion requireSession(EngineState &state, uint32_t core, const Request &request,
                                        int64_t nowPs);

/// Takes the channels of the group, unless another core has one of them.
[[nodiscard]] std::optional<Trap> takeChannels(EngineState &state, uint32_t core,
                                               const Session &session, const Request &request);

// Calls of SHMEM: route.cpp.
[[nodiscard]] Completion goesBy(EngineState &state, uint32_t core, const Request &request,
                                int64_t nowPs);
[[nodiscard]] Completion quietQueues(EngineState &state, uint32_t core, const Request &request,
                                     int64_t nowPs);
/// The session by which the core's own queue takes a call of the route to the peer.
struct OwnQueue {
  uint32_t session = 0; ///< Index.
  std::optional<Trap> trap;
};
[[nodiscard]] OwnQueue ownQueue(EngineState &state, uint32_t core, const Request &request,
                                Route route, int32_t peer);

/// The same for prefetches, which no link carries.
[[nodiscard]] OwnQueue prefetchQueue(EngineState &state, uint32_t core, const Request &request);

// Posts: post.cpp. Events: event.cpp.
[[nodiscard]] Completion postTransfer(EngineState &state, uint32_t core, const Request &request,
                                      int64_t nowPs);
/// Of a signal word or an element of another rank, without a payload.
[[nodiscard]] Completion postUpdate(EngineState &state, uint32_t core, const Request &request,
                                    int64_t nowPs);
[[nodiscard]] constexpr bool isGet(Opcode opcode) {
  return opcode == Opcode::TgetAsync || opcode == Opcode::EngineGet;
}
[[nodiscard]] constexpr bool notifies(Opcode opcode) {
  return opcode == Opcode::TputAsyncNotify || opcode == Opcode::EnginePutNotify;
}
[[nodiscard]] Completion waitEvent(EngineState &state, uint32_t core, const Request &request,
                                   int64_t nowPs);
[[nodiscard]] Completion testEvent(EngineState &state, uint32_t core, const Request &request,
                                   int64_t nowPs);
[[nodiscard]] Completion requireEvent(EngineState &state, uint32_t core, const Request &request,
                                      int64_t nowPs);

/// Posts of a domain up to `sequence` have been awaited.
void coverDomain(EngineState &state, uint32_t core, uint32_t domain, uint64_t sequence,
                 bool isPolled);

// Moves: transfer.cpp.
void scheduleTransfer(EngineState &state, uint32_t transfer, const PostPlan &plan);
/// Somebody asks for the completion of a post: held bytes of it, or of what came before it in its
/// queue, are held no longer.
void releaseFor(EngineState &state, uint32_t core, const Post &post, int64_t nowPs);
/// The same for all that the domain has been given.
void releaseDomain(EngineState &state, uint32_t core, const Domain &domain, int64_t nowPs);
[[nodiscard]] bool isPostHeld(EngineState &state, const Action &action);
[[nodiscard]] Effect endHold(EngineState &state, const Action &action);
[[nodiscard]] Effect moveFragment(EngineState &state, const Action &action);
[[nodiscard]] Effect raiseSignal(EngineState &state, const Action &action);
[[nodiscard]] Effect completePost(EngineState &state, const Action &action);

// Groups: group.cpp.
[[nodiscard]] Completion beginGroup(EngineState &state, uint32_t core, const Request &request,
                                    int64_t nowPs);
[[nodiscard]] Completion addMember(EngineState &state, uint32_t core, const Request &request,
                                   int64_t nowPs);
[[nodiscard]] Completion setRoot(EngineState &state, uint32_t core, const Request &request,
                                 int64_t nowPs);

// Pipes: pipe.cpp.
[[nodiscard]] Completion queuePipeOp(EngineState &state, uint32_t core, const Request &request,
                                     int64_t nowPs);
[[nodiscard]] Completion pipeBarrier(EngineState &state, uint32_t core, const Request &request,
                                     int64_t nowPs);
[[nodiscard]] Completion waitToken(EngineState &state, uint32_t core, const Request &request,
                                   int64_t nowPs);
[[nodiscard]] CorePipes &pipesOf(EngineState &state, CoreState &core);
/// Lets each pipe begin its next step, if nothing holds it back.
void startPipes(EngineState &state, uint32_t core, int64_t nowPs);
[[nodiscard]] Effect stepPipe(EngineState &state, const Action &action);
[[nodiscard]] bool pipesAreIdle(const CoreState &core);

// Late effects: pipe_hold.cpp.
/// Bytes that nobody waits for are held back at most this long.
inline constexpr int64_t kLongestHoldPs = 100'000'000;
/// A step's time is over: whether its effect is held back.
[[nodiscard]] bool holdBack(EngineState &state, const Action &action);
/// The core asks how far its pipes are: nothing is held back until it gives them more to do.
void awaitPipes(EngineState &state, uint32_t core, int64_t nowPs);
/// `next` enters its queues: what is held back on one of its pipes comes before it.
void releaseBefore(EngineState &state, uint32_t core, const PipeOp &next, int64_t nowPs);
[[nodiscard]] bool isPipeHeld(const EngineState &state, const Action &action);
[[nodiscard]] Effect endPipeHold(EngineState &state, const Action &action);

// How stores work: atomics.cpp.
[[nodiscard]] Completion setAtomic(EngineState &state, uint32_t core, const Request &request,
                                   int64_t nowPs);
/// Gives an operation that is being issued the mode of its core; what the program must not do then.
[[nodiscard]] std::optional<Trap> takeStoreMode(CoreState &core, const Request &request,
                                                PipeOp &op);
/// Of a post to a queue.
[[nodiscard]] std::optional<Trap> checkPostInMode(const CoreState &core, const Request &request);

// Flags: flags.cpp.
[[nodiscard]] Completion setFlag(EngineState &state, uint32_t core, const Request &request,
                                 int64_t nowPs);
[[nodiscard]] Completion waitFlag(EngineState &state, uint32_t core, const Request &request,
                                  int64_t nowPs);
/// Whether the program's own flag is up where the session uses it.
[[nodiscard]] std::optional<Trap> sessionFlagTrap(CoreState &core, const Session &session,
                                                  const Request &request);

} // namespace pto

#endif
