//===- word.h - the history of one signal word ------------------*- C++ -*-===//
//
// Updates that landed or are on their way, and the waits that passed on them. From these follow
// what a wait has acquired - only what every set of updates that could have satisfied it has in
// common - and whether another schedule could have let it acquire less.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_WORD_H
#define PTO_AUDIT_WORD_H

#include "audit/agents.h"
#include "bytecode/module.h"

#include <deque>
#include <map>

namespace pto::audit_detail {

/// A wait of a run: its core, and the how many-th word the core passed on.
using WaitKey = std::pair<uint32_t, uint64_t>;

struct Update {
  Epoch epoch;    ///< Of the scalar pipe or queue that sends it.
  ClockRef clock; ///< What it releases: the sender's knowledge that the receiver may rely on.
  ClockRef full;  ///< The sender's whole knowledge: drained, but perhaps not yet visible.
  NotifyOp op = NotifyOp::Set;
  int32_t value = 0;
  uint32_t site = 0;
  uint64_t operation = 0;
  uint32_t core = ~0u;           ///< Of the sender.
  int64_t landedPs = -1;         ///< Not yet: it is on its way.
  int32_t before = 0, after = 0; ///< What the word held around its landing.
  bool isSeen = false;           ///< A wait, a test or a host has looked at the word since.
};

/// What a wait looks for.
struct Condition {
  WaitCmp cmp = WaitCmp::EQ;
  int32_t value = 0;
  [[nodiscard]] bool holds(int64_t held) const { return pto::holds(cmp, int32_t(held), value); }
};

/// A wait that passed, or the last test of an agent.
struct Passage {
  Epoch waiter;
  Condition condition;
  uint32_t site = 0;
  bool isTest = false;
  bool isCounter = false;
  /// What the updates that the waiter did not know of had to add; 0: it passed on what it knew.
  int64_t need = 0;
  bool isReused = false;    ///< And that had been looked at before.
  AgentId sender = kNobody; ///< Who sent all candidates; nobody: several did.
  std::vector<std::pair<ClockRef, int64_t>> candidates; ///< Those updates, with what each adds.
  Clock acquired;
  WaitKey key;
  /// An update that nothing kept from coming first, and that would have left the wait for good.
  struct Missed {
    uint32_t site = kNobody;
    int32_t value = 0;
  };
  std::optional<Missed> missed = {};

  [[nodiscard]] bool isStale() const { return need <= 0; }
};

/// A wait that another schedule would let acquire less: no more than this.
struct Lowered {
  WaitKey key;
  Clock clock;
};

/// Two steps whose order another schedule may turn round.
struct Dependence {
  uint32_t first = kNobody, second = kNobody; ///< Sites; kNobody: no longer known.
  bool isMixed = false;                       ///< A Set and an AtomicAdd that nothing orders.
  std::optional<Lowered> lowered = {}; ///< It is a wait that could have acquired less, no more.
};

class WordHistory {
public:
  explicit WordHistory(int32_t value = 0) : base_(value) {}

  /// A new update was sent. Names the steps whose order it makes matter.
  void send(const Agents &agents, Update update, std::vector<Dependence> &dependences);
  /// The update of that operation has arrived; null if the history does not know it.
  [[nodiscard]] Update *land(const Agents &agents, uint64_t operation, int32_t before,
                             int32_t after, int64_t nowPs);
  /// The one that landed before an update of this history; null: none that is still known.
  [[nodiscard]] const Update *landedBefore(const Update &update) const;
  /// A wait or test of the waiter finds the condition true: what it acquires. `full` receives what
  /// it would acquire if all that had retired were visible too.
  [[nodiscard]] Passage pass(const Agents &agents, Epoch waiter, Condition condition,
                             Clock &full) const;
  /// Keeps the passage, to be held against later updates.
  void keep(const Agents &agents, Passage passage);
  /// An update, landed or on its way, that the agent does not know of.
  [[nodiscard]] const Update *unknownTo(const Agents &agents, AgentId agent) const;
  void markSeen();
  /// A plain write by someone who knew all that had landed: the history begins anew.
  void restart(int32_t value);
  [[nodiscard]] llvm::ArrayRef<Update> updates() const { return updates_; }
  [[nodiscard]] const std::deque<Passage> &passages() const { return passages_; }

  /// Updates that are no longer kept and that nobody has looked at.
  struct Unseen {
    Update first;
    uint64_t count = 0;
  };
  [[nodiscard]] const std::optional<Unseen> &unseen() const { return unseen_; }

  static constexpr size_t kMaxPassages = 64;
  static constexpr size_t kMaxUpdates = 4096; ///< Then the oldest are taken for known to all.

private:
  /// Of updates that were folded into base_, by their sender.
  struct Folded {
    uint32_t time = 0;
    bool hasSet = false;
  };
  /// Of passages that are no longer kept, by their waiter.
  struct Dropped {
    uint32_t time = 0;
    uint32_t site = kNobody;
    /// All of them waited for a growing value that this agent alone made grow; nobody: not so.
    AgentId sender = kNobody;
    bool isCounter = false;
    int32_t value = 0; ///< The greatest that they waited for.
    [[nodiscard]] bool isIndifferentTo(const Update &update) const;
  };

  [[nodiscard]] size_t afterLastSet() const;
  void passCounter(const Agents &agents, const Clock &known, size_t from, Passage &passage,
                   Clock &full) const;
  void passSets(const Agents &agents, const Clock &known, Passage &passage, Clock &full) const;
  void dependOnPassages(const Agents &agents, const Update &update,
                        std::vector<Dependence> &dependences);
  void dependOnUpdates(const Agents &agents, const Update &update,
                       std::vector<Dependence> &dependences) const;
  void drop(const Passage &passage);
  void miss(const Agents &agents, const Update &update);
  void removeFirst(size_t count);
  void fold(const Agents &agents);
  [[nodiscard]] bool hasWaited(AgentId agent) const;

  int64_t base_;                ///< Before the first of updates_.
  std::vector<Update> updates_; ///< In order of landing, then those on their way.
  size_t landed_ = 0;           ///< How many of them have landed,
  size_t sets_ = 0;             ///< and how many are Sets.
  std::deque<Passage> passages_;
  std::map<AgentId, Dropped> dropped_; ///< Of each waiter: the latest passage no longer kept.
  std::map<AgentId, Folded> folded_;
  std::optional<Unseen> unseen_;
};

} // namespace pto::audit_detail

#endif
