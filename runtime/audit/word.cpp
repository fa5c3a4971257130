#include "audit/word.h"

#include <algorithm>

namespace pto::audit_detail {

namespace {
using Candidates = std::vector<std::pair<ClockRef, int64_t>>;
} // namespace

/// The greatest clock that every set of candidates which adds up to `need` contains.
///
/// An event is in all such sets if those that lack it are too small. The updates of one sender are
/// sent in order, and a later one knows all that an earlier one knew, so for one agent this is the
/// weighted quantile of what the candidates know of it: the least of their times at which all that
/// know less no longer reach `need`.
static Clock commonClock(const Candidates &candidates, int64_t need) {
  Clock common;
  int64_t total = 0, least = std::numeric_limits<int64_t>::max();
  size_t agents = 0;
  for (const auto &[clock, weight] : candidates) {
    total += weight;
    least = std::min(least, weight);
    agents = std::max(agents, clock->size());
  }
  if (candidates.empty() || need <= 0)
    return common;
  if (total - least < need) { // Not one of them can be missing.
    for (const auto &[clock, weight] : candidates)
      common.join(*clock);
    return common;
  }
  std::vector<std::pair<uint32_t, int64_t>> times;
  for (AgentId agent = 0; agent != agents; ++agent) {
    times.clear();
    for (const auto &[clock, weight] : candidates)
      times.emplace_back(clock->of(agent), weight);
    std::sort(times.begin(), times.end());
    int64_t sum = 0;
    for (const auto &[time, weight] : times) {
      sum += weight;
      if (sum < need)
        continue;
      common.raise(agent, time);
      break;
    }
  }
  return common;
}

/// What has to be added to a known value until the condition holds; the sign says in which
/// direction. 0: it holds.
static int64_t missing(Condition condition, int64_t known) {
  int64_t gap = int64_t(condition.value) - known;
  switch (condition.cmp) {
  case WaitCmp::EQ:
    return gap;
  case WaitCmp::GE:
    return std::max<int64_t>(gap, 0);
  case WaitCmp::GT:
    return std::max<int64_t>(gap + 1, 0);
  case WaitCmp::LE:
    return std::min<int64_t>(gap, 0);
  case WaitCmp::LT:
    return std::min<int64_t>(gap - 1, 0);
  case WaitCmp::NE:
    return gap == 0 ? 1 : 0;
  }
  return 0;
}

static void addCandidate(Passage &passage, const Update &update, int64_t weight) {
  bool isFirst = passage.candidates.empty();
  if (isFirst || passage.sender != update.epoch.agent)
    passage.sender = isFirst ? update.epoch.agent : kNobody;
  passage.candidates.emplace_back(update.clock, weight);
}

size_t WordHistory::afterLastSet() const {
  for (size_t i = landed_; i != 0; --i)
    if (updates_[i - 1].op == NotifyOp::Set)
      return i;
  return 0;
}

void WordHistory::passCounter(const Agents &agents, const Clock &known, size_t from,
                              Passage &passage, Clock &full) const {
  passage.isCounter = true;
  int64_t value = from == 0 ? base_ : updates_[from - 1].value;
  bool isUsed = from != 0 || !folded_.empty(), isSeen = true;
  for (size_t i = from; i != updates_.size(); ++i) {
    const Update &update = updates_[i];
    if (update.op != NotifyOp::AtomicAdd || !agents.isBefore(update.epoch, known))
      continue;
    value += update.value;
    isUsed = true;
    isSeen &= update.isSeen;
  }
  int64_t gap = missing(passage.condition, value);
  bool anyWillDo = passage.condition.cmp == WaitCmp::NE;
  passage.need = gap < 0 ? -gap : gap;
  if (passage.need == 0 && from != 0 && !agents.isBefore(updates_[from - 1].epoch, known))
    return passSets(agents, known, passage, full); // The Set alone is enough, and news.
  passage.isReused = passage.need == 0 && isUsed && isSeen;
  Candidates alsoRetired;
  for (size_t i = from; i != updates_.size(); ++i) {
    const Update &update = updates_[i];
    bool helps = anyWillDo || (update.value > 0) == (gap > 0);
    if (update.op != NotifyOp::AtomicAdd || !helps || agents.isBefore(update.epoch, known))
      continue;
    addCandidate(passage, update, anyWillDo ? 1 : std::abs(int64_t(update.value)));
    alsoRetired.emplace_back(update.full, passage.candidates.back().second);
  }
  passage.acquired = commonClock(passage.candidates, passage.need);
  full.join(commonClock(alsoRetired, passage.need));
  if (from != 0 && passage.need > 0) { // What they were added to was there before them.
    passage.acquired.join(*updates_[from - 1].clock);
    full.join(*updates_[from - 1].full);
  }
}

void WordHistory::passSets(const Agents &agents, const Clock &known, Passage &passage,
                           Clock &full) const {
  // Whether the waiter knows of something that came after an update and took its value away.
  auto isPast = [&](const Epoch *epoch) {
    for (const Update &later : updates_)
      if (later.landedPs >= 0 && agents.isBefore(later.epoch, known) &&
          (!epoch || (later.epoch.agent != epoch->agent || later.epoch.time != epoch->time)) &&
          (!epoch || agents.isBefore(*epoch, *later.full)))
        return true;
    return false;
  };
  bool isKnown = passage.condition.holds(base_) && !isPast(nullptr);
  Candidates alsoRetired;
  for (const Update &update : updates_) {
    if (update.op != NotifyOp::Set || !passage.condition.holds(update.value))
      continue;
    if (isPast(&update.epoch))
      continue;
    if (agents.isBefore(update.epoch, known)) {
      isKnown = true;
      passage.isReused |= update.isSeen;
    }
    addCandidate(passage, update, 1);
    alsoRetired.emplace_back(update.full, 1);
  }
  passage.need = isKnown ? 0 : 1;
  passage.acquired = commonClock(passage.candidates, passage.need);
  full.join(commonClock(alsoRetired, passage.need));
}

Passage WordHistory::pass(const Agents &agents, Epoch waiter, Condition condition,
                          Clock &full) const {
  Passage passage;
  passage.waiter = waiter;
  passage.condition = condition;
  const Clock &known = agents[waiter.agent].clock;
  size_t from = afterLastSet();
  if (from == 0 || from != landed_)
    passCounter(agents, known, from, passage, full);
  else
    passSets(agents, known, passage, full);
  passage.acquired.join(tooMany_);
  full.join(tooMany_);
  return passage;
}

/// Whether the update can make an earlier passage's condition false again.
static bool falsifies(const Update &update, const Passage &passage) {
  if (update.op == NotifyOp::Set)
    return passage.isCounter || !passage.condition.holds(update.value);
  if (!passage.isCounter)
    return true;
  switch (passage.condition.cmp) {
  case WaitCmp::GE:
  case WaitCmp::GT:
    return update.value < 0;
  case WaitCmp::LE:
  case WaitCmp::LT:
    return update.value > 0;
  case WaitCmp::EQ:
  case WaitCmp::NE:
    return true;
  }
  return true;
}

void WordHistory::dependOnPassages(const Agents &agents, const Update &update,
                                   std::vector<Dependence> &dependences) {
  for (const auto &[agent, dropped] : dropped_)
    if (!dropped.isIndifferentTo(update) && !agents.isBefore({agent, dropped.time}, *update.full))
      dependences.push_back({dropped.site, update.site});
  for (Passage &passage : passages_) {
    if (agents.isBefore(passage.waiter, *update.full))
      continue;
    if (passage.isTest || falsifies(update, passage)) {
      dependences.push_back({passage.site, update.site});
    } else if (!passage.isStale()) {
      int64_t weight = passage.isCounter && passage.condition.cmp != WaitCmp::NE
                           ? std::abs(int64_t(update.value))
                           : 1;
      passage.candidates.emplace_back(update.clock, weight);
      Clock common = commonClock(passage.candidates, passage.need);
      if (!agents.coversData(common, passage.acquired))
        dependences.push_back(
            {passage.site, update.site, false, false, Lowered{passage.key, std::move(common)}});
    }
  }
}

void WordHistory::dependOnUpdates(const Agents &agents, const Update &update,
                                  std::vector<Dependence> &dependences) const {
  bool sets = update.op == NotifyOp::Set;
  llvm::ArrayRef<Update> others = updates_;
  if (!sets && sets_ == 0)
    others = {}; // Additions commute.
  for (const Update &other : others) {
    bool otherSets = other.op == NotifyOp::Set;
    if ((!sets && !otherSets) || agents.isBefore(other.epoch, *update.full))
      continue;
    bool isReset = sets && otherSets && (update.value == 0) != (other.value == 0);
    if (other.epoch.agent != update.epoch.agent)
      dependences.push_back({other.site, update.site, sets != otherSets, isReset});
  }
  for (const auto &[agent, folded] : folded_)
    if ((sets || folded.hasSet) && agent != update.epoch.agent &&
        !agents.isBefore({agent, folded.time}, *update.full))
      dependences.push_back({kNobody, update.site});
}

bool WordHistory::hasWaited(AgentId agent) const {
  return dropped_.count(agent) != 0 ||
         std::any_of(passages_.begin(), passages_.end(),
                     [&](const Passage &passage) { return passage.waiter.agent == agent; });
}

void WordHistory::send(const Agents &agents, Update update, std::vector<Dependence> &dependences) {
  if (landed_ > kMaxUpdates + kMaxUpdates / 4) // Nobody waits for it.
    fold(agents);
  // Whoever waits for the word and then changes it takes back what it has used.
  update.isSeen = hasWaited(update.epoch.agent);
  dependOnUpdates(agents, update, dependences);
  dependOnPassages(agents, update, dependences);
  sets_ += update.op == NotifyOp::Set;
  updates_.push_back(std::move(update));
}

/// What the waits that passed would have found if they had come only now.
void WordHistory::miss(const Agents &agents, const Update &update) {
  auto isAside = [&](const Passage &passage) {
    return passage.isTest || agents.isBefore(passage.waiter, *update.full);
  };
  for (Passage &passage : passages_) {
    if (isAside(passage))
      continue;
    if (passage.condition.holds(update.after))
      passage.missed.reset();
    else if (!passage.missed)
      passage.missed = Passage::Missed{update.site, update.after};
  }
  std::erase_if(missed_, [&](const Passage &passage) {
    return !isAside(passage) && passage.condition.holds(update.after);
  });
}

Update *WordHistory::land(const Agents &agents, uint64_t operation, int32_t before, int32_t after,
                          int64_t nowPs) {
  for (size_t i = landed_; i != updates_.size(); ++i) {
    if (updates_[i].operation != operation)
      continue;
    std::rotate(updates_.begin() + long(landed_), updates_.begin() + long(i),
                updates_.begin() + long(i) + 1);
    Update &update = updates_[landed_++];
    update.before = before;
    update.after = after;
    update.landedPs = nowPs;
    miss(agents, update);
    return &update;
  }
  return nullptr;
}

const Update *WordHistory::landedBefore(const Update &update) const {
  size_t index = size_t(&update - updates_.data());
  return index == 0 ? nullptr : &updates_[index - 1];
}

const Update *WordHistory::unknownTo(const Agents &agents, AgentId agent) const {
  for (const Update &update : updates_)
    if (!agents.isBefore(update.epoch, agents[agent].clock))
      return &update;
  return nullptr;
}

} // namespace pto::audit_detail
