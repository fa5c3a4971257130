//===- state.h - sessions, posts, queues, pipes -----------------*- C++ -*-===//
//
// What the engines remember; shared by the files of this room and by nobody else.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_STATE_H
#define PTO_ENGINE_STATE_H

#include "engine/engine.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>
#include <memory>

namespace pto {

struct Session {
  DmaEngine engine = DmaEngine::SDMA;
  const EngineInfo *row = nullptr;
  int64_t blockBytes = 0;
  int64_t offset = 0;       ///< Bytes added to both sides of every transfer.
  int32_t queues = 1;
  int32_t group = 0;
  int64_t freePs = 0;       ///< SDMA: when its channels have done what was posted.
};

/// An ordering domain: a session of SDMA, (session, peer) of the others. Posts complete in order, and
/// a wait covers all earlier ones.
struct Domain {
  uint64_t posted = 0;
  uint64_t completed = 0;
  uint64_t covered = 0;      ///< Posts up to this one have been awaited.
  int64_t lastCompletePs = 0;
};

enum class PostState : uint8_t { Pending, Done, Failed };

/// What an event handle stands for.
struct Post {
  PostState state = PostState::Pending;
  Opcode opcode = Opcode::Return;
  uint32_t session = 0;
  uint32_t domain = 0;
  uint32_t queue = 0;        ///< URMA, RDMA: the peer's queue.
  int32_t peer = 0;
  uint64_t sequence = 0;     ///< In its domain, from 1.
  uint64_t queueSequence = 0;///< In its peer queue, from 1.
  int64_t bytes = 0;
  CodePlace place;
  uint32_t reason = 0;       ///< Failed: index of the text.
};

/// The send queue of a rank to a peer, shared by all sessions of the rank.
struct PeerQueue {
  int64_t freePs = 0;
  int64_t lastCompletePs = 0;
  uint64_t posted = 0;
  uint64_t completed = 0;
  uint64_t consumed = 0;     ///< URMA: the completion entry that waits have reached.
  std::vector<uint32_t> blocked; ///< Cores that wait for room.
};

/// Data on its way.
struct Transfer {
  uint32_t core = 0;
  uint32_t post = 0;
  Lane lane = Lane::SDMA;
  int32_t laneIndex = 0;
  int32_t dstRank = 0, srcRank = 0;
  int64_t dstOffset = 0, srcOffset = 0;
  int64_t bytes = 0;
  int64_t startPs = 0;
  uint32_t fragments = 1;
  bool notifies = false;
  SignalUpdate signal;
  Writer writer;
};

/// One operation of the pipes: loads on MTE2, stores on MTE3, chunk by chunk.
struct PipeOp {
  Opcode opcode = Opcode::Return;
  View to, from;
  View tiles[2];
  uint32_t tileCount = 0;    ///< Staging tiles; 0: the tile is an operand itself.
  bool adds = false;
  bool loads = false, stores = false;
  bool done = false;
  int64_t total = 0;         ///< Elements.
  int64_t chunk = 0;         ///< Elements a step.
  int64_t loaded = 0;        ///< Chunks.
  int64_t stored = 0;
  int64_t startPs = -1;
  Writer writer;

  [[nodiscard]] int64_t chunks() const { return chunk ? (total + chunk - 1) / chunk : 0; }
};

enum class PipeId : uint8_t { Load, Vector, Store };
inline constexpr unsigned kPipes = 3;

struct CorePipes {
  std::deque<PipeOp> ops;         ///< From the oldest one that is not done.
  uint64_t firstToken = 1;        ///< Of ops.front().
  std::deque<uint64_t> queues[kPipes]; ///< Tokens, in order.
  bool busy[kPipes] = {};
  std::vector<uint8_t> ub;        ///< The core's UB.

  [[nodiscard]] bool isDone(uint64_t token) const {
    return token < firstToken || token - firstToken >= ops.size() || ops[token - firstToken].done;
  }
};

/// What belongs to one core while it runs, and until its last transfer is done.
struct CoreState {
  int32_t rank = 0;
  int32_t block = 0;
  std::vector<Session> sessions; ///< Handle: index + 1.
  std::vector<Post> posts;       ///< Handle: index + 1.
  std::vector<Domain> domains;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> domainOf; ///< (session, peer or -1).
  std::vector<std::string> reasons;
  std::string sessionFailure;    ///< Why the last session could not be built.
  DmaEngine failedEngine = DmaEngine::SDMA;
  std::unique_ptr<CorePipes> pipes; ///< Made with the first operation.
  uint32_t inFlight = 0;
  bool ended = false;
  Jitter jitter;
};

/// Who owns a channel of a rank.
struct ChannelOwner {
  uint32_t core = 0;
  int32_t block = 0;
  CodePlace place;
};

class EngineState {
public:
  explicit EngineState(const EngineContext &context) : context(context) {}

  EngineContext context;
  std::vector<std::unique_ptr<CoreState>> cores; ///< By core; null: a host, or gone.
  std::vector<Transfer> transfers;
  std::vector<uint32_t> freeTransfers;
  std::vector<PeerQueue> queues;
  llvm::DenseMap<uint64_t, uint32_t> queueOf;           ///< (engine, rank, peer).
  llvm::DenseMap<uint64_t, ChannelOwner> channelOwners; ///< (rank, channel).
  uint64_t operations = 0;

  [[nodiscard]] uint32_t addTransfer();
  [[nodiscard]] uint32_t peerQueue(DmaEngine engine, int32_t rank, int32_t peer);
  void dropCoreIfIdle(uint32_t core);
};

/// A post that has been validated, and the queue discipline's answer.
struct PostPlan {
  int64_t startPs = 0; ///< The first byte can move.
  int64_t endPs = 0;   ///< The last byte has moved.
  bool isOrdered = true; ///< Fragments move in address order.
};

// One queue discipline a file: sdma.cpp urma.cpp rdma.cpp.
/// Absent: it is accepted. The text of the failure of a transfer that the engine refuses.
[[nodiscard]] std::optional<std::string> sdmaRefuses(const Session &session, const Request &request, int64_t bytes);
[[nodiscard]] PostPlan sdmaPlan(CoreState &core, Session &session, int64_t nowPs, int64_t bytes, bool notifies);
[[nodiscard]] std::optional<Trap> urmaValidate(const CoreState &core, int32_t peer);
[[nodiscard]] PostPlan urmaPlan(CoreState &core, const Session &session, PeerQueue &queue, int64_t nowPs, int64_t bytes);
[[nodiscard]] std::optional<Trap> rdmaValidate(const CoreState &core, const Request &request, int32_t peer);
[[nodiscard]] std::optional<std::string> rdmaRefuses(const Request &request, int64_t bytes);
[[nodiscard]] PostPlan rdmaPlan(CoreState &core, const Session &session, PeerQueue &queue, int64_t nowPs, int64_t bytes);

// Sessions: session.cpp.
[[nodiscard]] Completion buildSession(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion testSession(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion requireSession(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);

// Posts: post.cpp. Events: event.cpp.
[[nodiscard]] Completion postTransfer(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion waitEvent(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion testEvent(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion requireEvent(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);

// Moves: transfer.cpp.
void scheduleTransfer(EngineState &state, uint32_t transfer, const PostPlan &plan);
[[nodiscard]] Effect moveFragment(EngineState &state, const Action &action);
[[nodiscard]] Effect raiseSignal(EngineState &state, const Action &action);
[[nodiscard]] Effect completePost(EngineState &state, const Action &action);

// Pipes: mte.cpp.
[[nodiscard]] Completion queuePipeOp(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion pipeBarrier(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Completion waitToken(EngineState &state, uint32_t core, const Request &request, int64_t nowPs);
[[nodiscard]] Effect stepPipe(EngineState &state, const Action &action);
[[nodiscard]] bool pipesAreIdle(const CoreState &core);

} // namespace pto

#endif
