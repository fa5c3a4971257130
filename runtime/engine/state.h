//===- state.h - what the engines remember ----------------------*- C++ -*-===//
//
// Shared by the files of this room and by nobody else.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_STATE_H
#define PTO_ENGINE_STATE_H

#include "engine/pipe.h"
#include "engine/queue.h"

#include "memory/l2.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>

namespace pto {

/// A part of a window on several ranks.
struct Group {
  View part;                    ///< On the rank of its core.
  std::vector<int32_t> members; ///< Ranks, in order; none: all ranks.
  int64_t size = 0;
  int32_t root = 0; ///< A member's index.

  [[nodiscard]] int32_t rankOf(int64_t member) const;
  [[nodiscard]] View viewOf(int64_t member) const;
};

/// Whether the stores of a core add: `set_atomic_add`.
struct StoreMode {
  bool adds = false;
  ScalarType type = ScalarType::F32;
  CodePlace place;                 ///< Where it was set.
  Opcode endedBy = Opcode::Return; ///< What ended it behind the program's back; Return: nothing.
  CodePlace endedAt;
};

/// What belongs to one core while it runs, and until its last transfer is done.
struct CoreState {
  int32_t rank = 0;
  int32_t block = 0;
  std::vector<Session> sessions; ///< Handle: index + 1.
  Posts posts;
  std::vector<Domain> domains;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> domainOf; ///< (session, peer or -1).
  std::vector<std::string> reasons;
  std::string sessionFailure; ///< Why the last session could not be built.
  DmaEngine failedEngine = DmaEngine::SDMA;
  std::unique_ptr<CorePipes> pipes;                        ///< Made with the first operation.
  std::vector<std::shared_ptr<Group>> groups;              ///< Handle: index + 1.
  std::map<std::pair<uint32_t, uint32_t>, size_t> groupOf; ///< By the instruction that made it.
  StoreMode stores;
  uint32_t ownSessions[4] = {}; ///< Of SHMEM, by transport: index + 1; 0: not used yet.
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
  std::vector<std::unique_ptr<L2>> l2s; ///< By rank; null: nothing was ever prefetched there.
  uint64_t operations = 0;

  [[nodiscard]] uint32_t addTransfer();
  [[nodiscard]] uint32_t peerQueue(DmaEngine engine, int32_t rank, int32_t peer);
  void dropCoreIfIdle(uint32_t core);
};

} // namespace pto

#endif
