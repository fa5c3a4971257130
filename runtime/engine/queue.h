//===- queue.h - sessions, posts and the queues they stand in ---*- C++ -*-===//
#ifndef PTO_ENGINE_QUEUE_H
#define PTO_ENGINE_QUEUE_H

#include "engine/engine.h"

#include "llvm/ADT/iterator_range.h"

#include <deque>

namespace pto {

/// What a queue has been given: when it is done with it, and the last transfer if its bytes are
/// held back.
struct SendOrder {
  int64_t freePs = 0;
  uint32_t held = 0;          ///< Transfer; it counts only while `heldOperation` is its operation.
  uint64_t heldOperation = 0; ///< 0: none.
};

struct Session {
  DmaEngine engine = DmaEngine::SDMA;
  const EngineInfo *row = nullptr;
  int64_t blockBytes = 0;
  int64_t offset = 0; ///< Bytes added to both sides of every transfer.
  int32_t queues = 1;
  int32_t group = 0;
  int32_t syncId = 0;
  bool isOwn = false; ///< Of SHMEM: the core's own, which no handle names.
  SendOrder order;    ///< SDMA: of its channels.
};

/// An ordering domain: a session of SDMA, (session, peer) of the others. Posts complete in order,
/// and a wait covers all earlier ones.
struct Domain {
  uint32_t session = 0;
  int32_t peer = -1;  ///< -1: of all peers.
  uint32_t queue = 0; ///< URMA, RDMA: the peer's queue.
  uint64_t posted = 0;
  uint64_t completed = 0;
  uint64_t covered = 0; ///< Posts up to this one have been awaited.
  int64_t lastCompletePs = 0;
};

enum class PostState : uint8_t { Pending, Done, Failed };

/// What an event handle stands for.
struct Post {
  PostState state = PostState::Pending;
  Opcode opcode = Opcode::Return;
  uint32_t session = 0;
  uint32_t domain = 0;
  uint32_t queue = 0; ///< URMA, RDMA: the peer's queue.
  int32_t peer = 0;
  uint64_t sequence = 0;      ///< In its domain, from 1.
  uint64_t queueSequence = 0; ///< In its peer queue, from 1.
  int64_t bytes = 0;
  CodePlace place;
  int64_t linkPs = 0;  ///< By how much its link is slower to answer than the engine.
  bool isSync = false; ///< Done in the call; its event needs no wait.
  uint32_t reason = 0; ///< Failed: index of the text.
};

/// The posts of a core by number, from 0 on. What can make no difference any more is let go, so a
/// long stream of posts does not grow; its event still says which domain it was of.
class Posts {
public:
  [[nodiscard]] Post &operator[](size_t number) { return kept_[number - dropped_]; }
  [[nodiscard]] const Post &operator[](size_t number) const { return kept_[number - dropped_]; }
  /// All that there ever were.
  [[nodiscard]] size_t size() const { return dropped_ + kept_.size(); }
  [[nodiscard]] llvm::iterator_range<std::deque<Post>::const_iterator> kept() const {
    return {kept_.begin(), kept_.end()};
  }
  [[nodiscard]] size_t dropped() const { return dropped_; }
  void add(const Post &post) { kept_.push_back(post); }
  void dropFirst() {
    kept_.pop_front();
    ++dropped_;
  }

  /// The event of the last post: its number from 1 on, and its domain.
  [[nodiscard]] ScalarBits lastEvent() const {
    return ScalarBits(kept_.back().domain) << kDomainShift | size();
  }
  [[nodiscard]] static uint64_t countOf(ScalarBits event) {
    return event & ((uint64_t(1) << kDomainShift) - 1);
  }
  [[nodiscard]] static uint32_t domainOf(ScalarBits event) {
    return uint32_t(event >> kDomainShift);
  }
  [[nodiscard]] bool isDropped(ScalarBits event) const {
    return countOf(event) != 0 && countOf(event) <= dropped_;
  }

private:
  static constexpr unsigned kDomainShift = 40;
  std::deque<Post> kept_;
  size_t dropped_ = 0;
};

/// The send queue of a rank to a peer, shared by all sessions of the rank.
struct PeerQueue {
  SendOrder order;
  int64_t lastCompletePs = 0;
  uint64_t posted = 0;
  uint64_t completed = 0;
  uint64_t consumed = 0;         ///< URMA: the completion entry that waits have reached.
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
  int64_t endPs = 0;      ///< The last byte can have moved.
  int64_t completePs = 0; ///< Its completion can have been written.
  uint32_t fragments = 1;
  bool isFree = false;     ///< It is done; another one takes its place.
  bool prefetches = false; ///< Into L2 of its source's rank; nothing moves.
  bool notifies = false;
  SignalUpdate signal;
  std::optional<AmoOp> amo; ///< It changes the element at its destination by `operand`.
  ScalarType type = ScalarType::I32;
  ScalarBits operand = 0;
  Writer writer;
};

} // namespace pto

#endif
