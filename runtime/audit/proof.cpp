// Whether a clean run speaks for all schedules: the pairs of steps whose order another schedule
// could turn round.

#include "audit/parts.h"

namespace pto {

namespace audit_detail {

static constexpr size_t kPairsShown = 8;

void addDependence(State &state, const Dependence &dependence, llvm::StringRef word) {
  if (!state.seenDependences.insert({dependence.first, dependence.second}).second)
    return;
  if (state.openPairs.size() >= kPairsShown) {
    ++state.moreDependences;
    return;
  }
  auto text = [&](uint32_t site) {
    return site == kNobody ? std::string("an earlier step")
                           : actorText(state, site) + " in line " +
                                 std::to_string(state.sites[site].place.line);
  };
  if (dependence.first == kNobody && dependence.second == kNobody) {
    state.openPairs.push_back({word.str()});
    return;
  }
  state.openPairs.push_back(
      {text(dependence.first) + " and " + text(dependence.second) + ", on " + word.str()});
}

/// Keeps what a wait can rely on, for a further pass over the run.
static void lower(State &state, const Lowered &lowered) {
  constexpr size_t kMostLimits = 10'000;
  auto [entry, isNew] = state.limits.waits.try_emplace(lowered.key, lowered.clock);
  if (!isNew)
    entry->second.meet(lowered.clock);
  state.hasNewLimits = state.limits.waits.size() <= kMostLimits;
}

void addDependences(State &state, std::vector<Dependence> &dependences, int32_t rank,
                    int64_t offset) {
  if (dependences.empty())
    return;
  std::string word = wordText(state, rank, offset);
  for (const Dependence &dependence : dependences) {
    addDependence(state, dependence, word);
    if (dependence.lowered)
      lower(state, *dependence.lowered);
    if (!(dependence.isMixed || dependence.isReset) || dependence.first == kNobody)
      continue;
    // Of a reset and another Set the one that comes last takes the other back.
    auto text = [&](uint32_t site) { return "the Set by " + actorText(state, site); };
    Trap trap = dependence.isMixed ? makeTrap<Rule::SignalMixed>(word)
                                   : makeTrap<Rule::DataRace>(text(dependence.first),
                                                              text(dependence.second), word);
    trap.sites.push_back(siteOf(state, dependence.first, "the other one is sent here", -1));
    report(state, std::move(trap), siteOf(state, dependence.second, "", state.nowPs),
           placeKey(state, dependence.first) + "/" + placeKey(state, dependence.second));
  }
}

} // namespace audit_detail

std::shared_ptr<const AuditLimits> Audit::limits() const {
  return state_->hasNewLimits ? std::make_shared<const AuditLimits>(state_->limits) : nullptr;
}

Proof Audit::proof() const { return {state_->openPairs, state_->moreDependences}; }

} // namespace pto
