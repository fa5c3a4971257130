// What an unordered pair of accesses is called: the same fact has several causes, and each has its
// own repair.

#include "audit/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::audit_detail {

static llvm::StringRef verb(AccessKind kind) {
  static constexpr llvm::StringLiteral kVerbs[] = {"read", "write", "atomic addition", "update",
                                                   "look"};
  return kVerbs[size_t(kind)];
}

/// "the write by `tstore` (MTE3, rank 0 block 1)". What a scalar store changes is written when its
/// line leaves the cache, and not when the instruction that the report points at was run.
static std::string deedText(const State &state, const Access &access) {
  bool isWriteBack = state.agents[access.agent].kind == AgentKind::WriteBack;
  llvm::StringRef what = isWriteBack ? "write-back of what was stored" : verb(access.kind);
  return ("the " + what + " by " + actorText(state, access.site)).str();
}

namespace {
/// Two unordered accesses: a change, and the other one, which may be a change too.
struct Pair {
  const Access &change;
  const Access &other;
};
} // namespace

namespace {
/// What a pair is, and the place that the report begins at, if it is neither of the two.
struct Explanation {
  Trap trap;
  std::optional<TrapSite> place;
};
} // namespace

/// The wait of the other's core through which it learnt that the change had been issued.
static const Acquisition *wokenBy(const State &state, const Pair &pair) {
  const CoreStory *story = state.story(pair.other.core);
  if (!story || pair.change.issuer == kNobody)
    return nullptr;
  for (const Acquisition &acquired : story->acquired)
    if (acquired.timePs <= pair.other.timePs &&
        acquired.full->of(pair.change.issuer) >= pair.change.issueTime)
      return &acquired;
  return nullptr;
}

/// The update through which a wait learnt of a change: something has to be written before that one.
/// The first that the change's own core sent, since that is where its payload was left behind; else
/// the first one of somebody who had heard of it.
static const Told *toldBy(const Acquisition &woken, const Access &change) {
  const Told *first = nullptr;
  for (const Told &update : woken.updates) {
    if (update.full->of(change.issuer) < change.issueTime)
      continue;
    if (update.core == change.core)
      return &update;
    if (!first)
      first = &update;
  }
  return first;
}

/// The last wait of a core before an access, if it passed on what it knew already.
static const Acquisition *stalePassage(const State &state, const Access &access) {
  const CoreStory *story = state.story(access.core);
  const Acquisition *last = nullptr;
  for (size_t i = 0; story && i != story->acquired.size(); ++i)
    if (story->acquired[i].timePs <= access.timePs)
      last = &story->acquired[i];
  return last && last->isStale ? last : nullptr;
}

/// A change that the other's core was told of before it was done.
static std::optional<Explanation> explainWaking(const State &state, const Pair &pair,
                                                llvm::StringRef where) {
  const Acquisition *woken = wokenBy(state, pair);
  if (!woken)
    return std::nullopt;
  std::string word = wordText(state, woken->rank, woken->offset);
  bool hasRetired = woken->full->of(pair.change.agent) >= pair.change.time;
  Trap trap = hasRetired
                  ? makeTrap<Rule::NotVisible>(deedText(state, pair.change),
                                               state.sites[pair.other.site].rank, word)
                  : makeTrap<Rule::SignalOvertakes>(word, actorText(state, pair.other.site),
                                                    actorText(state, pair.change.site), where);
  Explanation explanation{std::move(trap), {}};
  if (const Told *told = toldBy(*woken, pair.change)) {
    explanation.place = siteOf(state, told->site, "", told->sentPs);
    explanation.trap.sites.push_back(
        siteOf(state, woken->site, "this wait passed on it", woken->timePs));
  } else {
    explanation.place = siteOf(state, woken->site, "", woken->timePs);
  }
  return explanation;
}

static std::optional<Explanation> explainStale(const State &state, const Access &before,
                                               const Access &after) {
  for (const Access *access : {&after, &before}) {
    const Acquisition *stale = stalePassage(state, *access);
    if (!stale)
      continue;
    Trap trap = makeTrap<Rule::StaleSignal>(wordText(state, stale->rank, stale->offset),
                                            deedText(state, before), deedText(state, after));
    return Explanation{std::move(trap), siteOf(state, stale->site, "", stale->timePs)};
  }
  return std::nullopt;
}

static Explanation explain(const State &state, const Access &before, const Access &after, bool isUb,
                           llvm::StringRef where) {
  if (isUb)
    return {makeTrap<Rule::TileRace>(deedText(state, before), deedText(state, after), where), {}};
  bool isOneCore = before.core == after.core && after.core != kNoCore;
  if (isOneCore)
    return {makeTrap<Rule::UseBeforeCompletion>(deedText(state, after), where,
                                                actorText(state, before.site)),
            {}};
  if (changes(before.kind))
    if (auto explanation = explainWaking(state, {before, after}, where))
      return *explanation;
  if (changes(after.kind))
    if (auto explanation = explainWaking(state, {after, before}, where))
      return *explanation;
  if (auto explanation = explainStale(state, before, after))
    return *explanation;
  return {makeTrap<Rule::DataRace>(deedText(state, before), deedText(state, after), where), {}};
}

/// One cause has one finding, however many pairs of accesses it lets race: what a wait or a signal
/// should have covered is one cause, and else the two instructions are.
static std::string causeOf(const State &state, const Explanation &explanation, const Access &before,
                           const Access &after) {
  if (!explanation.place)
    return pairKey(state, before.site, after.site);
  const CodePlace &place = explanation.place->place;
  return std::to_string(place.file) + ":" + std::to_string(place.line);
}

static std::string ubText(ByteRange range) {
  return "bytes " + std::to_string(range.begin) + " to " + std::to_string(range.end - 1) + " of UB";
}

/// What two accesses to UB share, in the words of the program, with a note at the tile's
/// declaration; the bytes of UB where it is no one tile.
static std::string tileText(const State &state, const Access &before, const Access &after,
                            ByteRange range, std::vector<TrapSite> &notes) {
  std::optional<TilePlace> tile = tileOf(state, after, range);
  std::optional<TilePlace> other = tileOf(state, before, range);
  if (!tile || !other)
    return ubText(range);
  notes.push_back({tile->place, "the tile is declared here", -1, -1, -1});
  if (!(tile->place == other->place)) {
    notes.back().role = "the tile of the later access is declared here";
    notes.push_back(
        {other->place, "the tile of the earlier one, at the same bytes of UB", -1, -1, -1});
    return ubText(range);
  }
  std::string text = "the tile of line " + std::to_string(tile->place.line);
  if (range.end - range.begin == tile->size)
    return text;
  return "bytes " + std::to_string(range.begin - tile->begin) + " to " +
         std::to_string(range.end - 1 - tile->begin) + " of " + text;
}

/// A change that came after a write-back of its line in this run, and may as well come before it.
static void reportPutBack(State &state, const Access &before, const Accessor &who, int32_t rank,
                          ByteRange range) {
  Trap trap = makeTrap<Rule::LineClobbered>(rangeText(state, rank, range));
  trap.sites.push_back(siteOf(state, who.site,
                              "changed here, and nothing orders that behind the write-back: it "
                              "can come before it, and is lost then",
                              state.nowPs));
  report(state, std::move(trap), siteOf(state, before.site, "", before.timePs),
         pairKey(state, before.site, who.site));
}

void reportRace(State &state, const Access &before, const Accessor &who, AccessKind kind, bool isUb,
                int32_t rank, ByteRange range) {
  Access after{who.agent,  who.time,      kind,        who.site,     who.core,
               who.issuer, who.issueTime, state.nowPs, who.operation};
  // The read found nothing written because it came before this write, which is the cause.
  if (before.kind == AccessKind::Read && changes(kind))
    withdraw(state, Rule::UninitialisedRead, placeKey(state, before.site));
  if (isUb && isMetAgain(state, Rule::TileRace, pairKey(state, before.site, after.site)))
    return; // Nothing of it need be put in words.
  if (before.kind == AccessKind::PutBack)
    return reportPutBack(state, before, who, rank, range);
  std::vector<TrapSite> notes;
  std::string where =
      isUb ? tileText(state, before, after, range, notes) : rangeText(state, rank, range);
  Explanation explanation = explain(state, before, after, isUb, where);
  std::string cause = causeOf(state, explanation, before, after);
  Trap &trap = explanation.trap;
  auto site = [&](const Access &access) {
    return siteOf(state, access.site, deedText(state, access), access.timePs);
  };
  TrapSite place = siteOf(state, who.site, "", state.nowPs);
  trap.sites.insert(trap.sites.begin(), site(before));
  if (explanation.place) {
    trap.sites.insert(trap.sites.begin() + 1, site(after));
    place = *explanation.place;
  }
  llvm::append_range(trap.sites, notes);
  if (changes(before.kind) && state.agents.isBefore(before.epoch(), *who.clock))
    trap.details.push_back("a barrier by ROCE lies between; it tells the rank whose memory it is, "
                           "and no third one");
  addTrace(state, trap, before, after);
  report(state, std::move(trap), place, cause);
}

void reportUninitialised(State &state, const Accessor &who, int32_t rank, ByteRange range) {
  report(
      state,
      makeTrap<Rule::UninitialisedRead>(actorText(state, who.site), rangeText(state, rank, range)),
      siteOf(state, who.site, "", state.nowPs), placeKey(state, who.site));
}

void reportOverwritten(State &state, const Access &before, const Accessor &who, int32_t rank,
                       ByteRange range) {
  Trap trap =
      makeTrap<Rule::OverwrittenUnread>(rangeText(state, rank, range), before.source, who.source);
  trap.sites.push_back(siteOf(state, before.site, "this is what is lost", before.timePs));
  report(state, std::move(trap), siteOf(state, who.site, "", state.nowPs),
         placeKey(state, who.site) + "/" + placeKey(state, before.site));
}

} // namespace pto::audit_detail
