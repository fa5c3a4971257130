// What the history of a word keeps, and what becomes of the rest: updates that nobody can wait for
// any more, and waits that are long past.

#include "audit/word.h"

#include <algorithm>

namespace pto::audit_detail {

void WordHistory::markSeen() {
  for (size_t i = 0; i != landed_; ++i)
    updates_[i].isSeen = true;
  unseen_.reset();
}

void WordHistory::removeFirst(size_t count) {
  auto end = updates_.begin() + long(count);
  sets_ -= size_t(std::count_if(updates_.begin(), end,
                                [](const Update &update) { return update.op == NotifyOp::Set; }));
  updates_.erase(updates_.begin(), end);
  landed_ -= count;
}

void WordHistory::restart(int32_t value) {
  removeFirst(landed_);
  base_ = value;
  tooMany_ = Clock();
}

void WordHistory::keep(const Agents &agents, Passage passage) {
  if (passage.isTest)
    std::erase_if(passages_, [&](const Passage &other) {
      return other.isTest && other.waiter.agent == passage.waiter.agent;
    });
  passages_.push_back(std::move(passage));
  if (passages_.size() > kMaxPassages) {
    drop(passages_.front());
    passages_.pop_front();
  }
  fold(agents);
}

/// The updates of one sender come in order, so a further one is none that a passage before could
/// have been satisfied by instead: as long as it satisfies, too.
bool WordHistory::Dropped::isIndifferentTo(const Update &update) const {
  if (sender == kNobody || update.epoch.agent != sender)
    return false;
  return update.op == NotifyOp::Set ? !isCounter && update.value > value
                                    : isCounter && update.value > 0;
}

/// A wait that is no longer kept, and that passed by luck, is remembered for the end of the run:
/// what else it holds is not.
void WordHistory::keepMissed(const Passage &passage) {
  std::erase_if(missed_, [&](const Passage &other) { return other.site == passage.site; });
  Passage missed;
  missed.waiter = passage.waiter;
  missed.condition = passage.condition;
  missed.site = passage.site;
  missed.missed = passage.missed;
  missed_.push_back(std::move(missed));
}

void WordHistory::drop(const Passage &passage) {
  if (passage.missed)
    keepMissed(passage);
  auto [entry, isNew] = dropped_.try_emplace(passage.waiter.agent);
  Dropped &dropped = entry->second;
  WaitCmp cmp = passage.condition.cmp;
  bool isGrowth =
      !passage.isTest && !passage.isStale() && (cmp == WaitCmp::GE || cmp == WaitCmp::GT);
  AgentId sender = isGrowth ? passage.sender : kNobody;
  if (isNew) {
    dropped.sender = sender;
    dropped.isCounter = passage.isCounter;
    dropped.value = passage.condition.value;
  } else if (dropped.sender != sender || dropped.isCounter != passage.isCounter) {
    dropped.sender = kNobody;
  }
  dropped.value = std::max(dropped.value, passage.condition.value);
  if (dropped.time < passage.waiter.time) {
    dropped.time = passage.waiter.time;
    dropped.site = passage.site;
  }
}

/// Takes out the oldest updates that all who ever passed know of: they can no longer differ. Of too
/// many that nobody has waited for the oldest go too: what they released is kept as one.
void WordHistory::fold(const Agents &agents) {
  constexpr size_t kFew = 32;
  size_t count = 0;
  auto isUsedUp = [&](const Update &update) {
    return update.isSeen && std::all_of(passages_.begin(), passages_.end(), [&](const auto &other) {
             return agents.isBefore(update.epoch, agents[other.waiter.agent].clock);
           });
  };
  for (; landed_ - count > kFew; ++count) {
    const Update &oldest = updates_[count];
    if (!isUsedUp(oldest)) {
      if (landed_ - count <= kMaxUpdates)
        break;
      tooMany_.join(*oldest.clock);
    }
    foldOne(oldest);
  }
  removeFirst(count);
}

void WordHistory::foldOne(const Update &update) {
  base_ = update.op == NotifyOp::Set ? update.value : base_ + update.value;
  Folded &folded = folded_[update.epoch.agent];
  folded.time = std::max(folded.time, update.epoch.time);
  folded.hasSet |= update.op == NotifyOp::Set;
  if (update.isSeen)
    return;
  if (!unseen_)
    unseen_ = Unseen{update, 0};
  ++unseen_->count;
}

} // namespace pto::audit_detail
