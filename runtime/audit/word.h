//===- word.h - the history of one signal word ------------------*- C++ -*-===//
//
// Updates that landed or are on their way, and the waits that passed on them. From these follow
// what a wait has acquired - only what every set of updates that could have satisfied it has in
// common - and whether another schedule could have let it acquire less.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_WORD_H
#define PTO_AUDIT_WORD_H

#include "audit/passage.h"

#include <deque>
#include <map>

namespace pto::audit_detail {

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
  /// What the word holds.
  [[nodiscard]] int32_t value() const {
    return landed_ == 0 ? int32_t(base_) : updates_[landed_ - 1].after;
  }
  /// A plain write by someone who knew all that had landed: the history begins anew.
  void restart(int32_t value);
  /// There were so many updates that a wait may acquire more than it can rely on.
  [[nodiscard]] bool isBlurred() const { return tooMany_.size() != 0; }
  [[nodiscard]] llvm::ArrayRef<Update> updates() const { return updates_; }
  [[nodiscard]] const std::deque<Passage> &passages() const { return passages_; }
  /// Waits that are no longer kept, of one place each, and that would have hung if they had come
  /// later.
  [[nodiscard]] llvm::ArrayRef<Passage> missedPassages() const { return missed_; }

  /// Updates that are no longer kept and that nobody has looked at.
  struct Unseen {
    Update first;
    uint64_t count = 0;
  };
  [[nodiscard]] const std::optional<Unseen> &unseen() const { return unseen_; }

  static constexpr size_t kMaxPassages = 64;
  /// Further ones are no longer told apart: whoever waits learns of the oldest in any case.
  static constexpr size_t kMaxUpdates = 4096;

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
  void keepMissed(const Passage &passage);
  void miss(const Agents &agents, const Update &update);
  void removeFirst(size_t count);
  void fold(const Agents &agents);
  void foldOne(const Update &update);
  [[nodiscard]] bool hasWaited(AgentId agent) const;

  int64_t base_;                ///< Before the first of updates_.
  std::vector<Update> updates_; ///< In order of landing, then those on their way.
  size_t landed_ = 0;           ///< How many of them have landed,
  size_t sets_ = 0;             ///< and how many are Sets.
  std::deque<Passage> passages_;
  std::vector<Passage> missed_;        ///< Of a site the last one.
  std::map<AgentId, Dropped> dropped_; ///< Of each waiter: the latest passage no longer kept.
  std::map<AgentId, Folded> folded_;
  /// What updates released that were folded since there were too many, and not since all knew them.
  Clock tooMany_;
  std::optional<Unseen> unseen_;
};

} // namespace pto::audit_detail

#endif
