// Findings of the audit and their words.

#include "audit/parts.h"

#include "diag/finding.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

namespace audit_detail {

static std::string keyOf(Rule rule, const std::string &cause) {
  return std::to_string(unsigned(rule)) + " " + cause;
}

bool isMetAgain(State &state, Rule rule, const std::string &cause) {
  auto known = state.causes.find(keyOf(rule, cause));
  if (known == state.causes.end())
    return false;
  ++known->second.again;
  return true;
}

void report(State &state, Trap trap, const TrapSite &site, const std::string &cause) {
  constexpr size_t kMostFindings = 64;
  if (isMetAgain(state, trap.rule, cause))
    return;
  state.causes.try_emplace(keyOf(trap.rule, cause), Cause{state.findings.size(), 0});
  if (state.findings.size() < kMostFindings)
    state.findings.push_back({std::move(trap), site});
}

void withdraw(State &state, Rule rule, const std::string &cause) {
  if (auto known = state.causes.find(keyOf(rule, cause)); known != state.causes.end())
    known->second.isWithdrawn = true;
}

TrapSite siteOf(const State &state, uint32_t site, std::string role, int64_t timePs) {
  const SiteInfo &info = state.sites[site];
  return {info.place, std::move(role), info.rank, info.block, timePs, info.call};
}

std::string wordText(const State &state, int32_t rank, int64_t offset) {
  return "`" + elementName(state.context.module, state.context.layout, offset) + "` of rank " +
         std::to_string(rank);
}

std::string rangeText(const State &state, int32_t rank, ByteRange range) {
  const Module &module = state.context.module;
  const Layout &layout = state.context.layout;
  std::string first = elementName(module, layout, range.begin);
  std::string last = elementName(module, layout, range.end - 1);
  std::string of = " of rank " + std::to_string(rank);
  if (first == last)
    return "`" + first + "`" + of;
  return "`" + first + "` to `" + last + "`" + of + " (" + std::to_string(range.end - range.begin) +
         " bytes)";
}

std::string placeKey(const State &state, uint32_t site) {
  const CodePlace &place = state.sites[site].place;
  return std::to_string(place.file) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

std::string pairKey(const State &state, uint32_t one, uint32_t other) {
  std::string a = placeKey(state, one), b = placeKey(state, other);
  return a < b ? a + "/" + b : b + "/" + a;
}

static std::string agentText(const SiteInfo &site) {
  std::string rank = "rank " + std::to_string(site.rank);
  return site.block < 0 ? rank + " host" : rank + " block " + std::to_string(site.block);
}

std::string actorText(const State &state, uint32_t site) {
  const SiteInfo &info = state.sites[site];
  std::string agent = agentText(info);
  std::string_view name = info.block < 0 ? "" : std::string_view(info.actor.name());
  return ("`" + pto::info(info.opcode).mnemonic + "` (" +
          (name.empty() ? "" : llvm::Twine(name) + ", ") + agent + ")")
      .str();
}

/// Whether a core made a step before an access. What a pipe or an engine does was decided when it
/// was issued, and a step behind that comes too late for it.
static bool isStepBefore(const State &state, const Step &step, const Access &access) {
  bool isIssued =
      access.issuer != kNobody && state.agents[access.agent].kind != AgentKind::WriteBack;
  return isIssued ? step.time < access.issueTime : step.timePs <= access.timePs;
}

/// The last steps of a core up to an access, without the places that the report shows anyway.
static void addSteps(const State &state, const Access &access, const Access &before,
                     const Access &after, std::vector<const Step *> &steps) {
  constexpr size_t kMostSteps = 3;
  const CoreStory *story = state.story(access.core);
  size_t first = steps.size();
  for (size_t i = 0; story && i != story->steps.size(); ++i) {
    const Step &step = story->steps[i];
    if (isStepBefore(state, step, access) && step.site != before.site && step.site != after.site)
      steps.push_back(&step);
  }
  if (steps.size() - first > kMostSteps)
    steps.erase(steps.begin() + long(first), steps.end() - long(kMostSteps));
}

/// What a core did between a post of its own and an access: nothing of it was the wait that was
/// needed. The post stands first. What came before it, and a fence, could not have ordered the two.
static void addStepsSince(const State &state, const Access &post, const Access &after,
                          std::vector<const Step *> &steps) {
  const CoreStory *story = state.story(after.core);
  const Step *begin = nullptr;
  for (size_t i = 0; story && i != story->steps.size(); ++i) {
    const Step &step = story->steps[i];
    if (step.site == post.site && step.timePs <= post.timePs)
      begin = &step;
    bool isFence = state.sites[step.site].opcode == Opcode::Dsb;
    if (step.timePs >= post.timePs && isStepBefore(state, step, after) && step.site != post.site &&
        step.site != after.site && !isFence)
      steps.push_back(&step);
  }
  if (begin && !steps.empty())
    steps.insert(steps.begin(), begin);
}

static std::string stepText(const State &state, const Step &step) {
  const SiteInfo &site = state.sites[step.site];
  llvm::StringRef what =
      site.opcode == Opcode::WaitToken ? "after" : pto::info(site.opcode).mnemonic;
  std::string line = "  " + timeText(step.timePs) + ", " + agentText(site) + ", line " +
                     std::to_string(site.place.line) + ": `" + what.str() + "`";
  if (step.rank >= 0)
    line += " of " + wordText(state, step.rank, step.offset);
  return line;
}

void addTrace(const State &state, Trap &trap, const Access &before, const Access &after) {
  std::vector<const Step *> steps;
  bool isOneCore = before.core == after.core;
  if (isOneCore && state.agents[before.agent].kind == AgentKind::Queue) {
    addStepsSince(state, before, after, steps);
  } else {
    if (!isOneCore)
      addSteps(state, before, before, after, steps);
    addSteps(state, after, before, after, steps);
  }
  llvm::stable_sort(steps, [](const Step *a, const Step *b) { return a->timePs < b->timePs; });
  if (!steps.empty())
    trap.details.push_back("what had ordered them last:");
  for (const Step *step : steps)
    trap.details.push_back(stepText(state, *step));
}

/// What nobody ever looked at will let a wait of the next launch pass.
static void reportLeftOver(State &state) {
  struct Left {
    uint64_t count = 0;
    std::string what, word;
    int64_t timePs = 0;
  };
  std::map<uint32_t, Left> bySite;
  auto add = [&](const Update &update, std::pair<int32_t, int64_t> key, uint64_t count) {
    Left &left = bySite[update.site];
    if (left.count == 0) {
      left.what = (name(update.op) + " " + llvm::Twine(update.value)).str();
      left.word = wordText(state, key.first, key.second);
    }
    left.count += count;
    left.timePs = update.landedPs;
  };
  for (const auto &[key, word] : state.words) {
    if (word.unseen())
      add(word.unseen()->first, key, word.unseen()->count);
    for (const Update &update : word.updates()) {
      bool isNews = update.landedPs < 0 || update.after != update.before;
      if (update.isSeen || !isNews || (update.op == NotifyOp::Set && update.value == 0))
        continue;
      add(update, key, 1);
    }
  }
  for (const auto &[site, left] : bySite)
    report(state,
           makeTrap<Rule::SignalLeftOver>(
               left.what, left.word,
               left.count == 1 ? "" : ", nor were " + std::to_string(left.count - 1) + " more"),
           siteOf(state, site, "", left.timePs), placeKey(state, site));
}

/// A wait that would hang if it came later than it did.
static void reportLuck(State &state, const Passage &passage, const std::string &word) {
  if (!passage.missed)
    return;
  const Condition &wants = passage.condition;
  Trap trap = makeTrap<Rule::WaitByLuck>(actorText(state, passage.missed->site), word,
                                         passage.missed->value,
                                         (name(wants.cmp) + " " + llvm::Twine(wants.value)).str());
  trap.sites.push_back(siteOf(state, passage.missed->site, "nothing makes this wait for it", -1));
  report(state, std::move(trap), siteOf(state, passage.site, "", -1),
         placeKey(state, passage.site));
}

static void reportLuck(State &state) {
  for (const auto &[key, word] : state.words) {
    std::string text = wordText(state, key.first, key.second);
    for (const Passage &passage : word.missedPassages())
      reportLuck(state, passage, text);
    for (const Passage &passage : word.passages())
      reportLuck(state, passage, text);
  }
}

} // namespace audit_detail

using namespace audit_detail;

void Audit::finish() {
  reportLeftOver(*state_);
  reportLuck(*state_);
}

std::vector<AuditFinding> Audit::takeFindings() {
  State &state = *state_;
  std::set<size_t> withdrawn;
  for (const auto &[key, cause] : state.causes) {
    if (cause.again != 0 && cause.finding < state.findings.size())
      state.findings[cause.finding].trap.again = cause.again;
    if (cause.isWithdrawn)
      withdrawn.insert(cause.finding);
  }
  std::vector<AuditFinding> findings;
  for (size_t i = 0; i != state.findings.size(); ++i)
    if (!withdrawn.count(i))
      findings.push_back(std::move(state.findings[i]));
  return findings;
}

std::vector<std::string> Audit::storyOf(int32_t rank, int64_t offset) const {
  constexpr size_t kMostLines = 4;
  std::vector<std::string> lines;
  auto found = state_->words.find({rank, offset});
  if (found == state_->words.end())
    return lines;
  llvm::ArrayRef<Update> updates = found->second.updates();
  for (const Update &update : updates.take_back(kMostLines)) {
    std::string line = actorText(*state_, update.site) + ", line " +
                       std::to_string(state_->sites[update.site].place.line) + ": " +
                       name(update.op).str() + " " + std::to_string(update.value);
    line += update.landedPs < 0 ? ", still on its way"
                                : " made it " + std::to_string(update.after) + " from " +
                                      std::to_string(update.before) +
                                      (update.isSeen ? "" : ", and nobody looked before the next");
    lines.push_back(std::move(line));
  }
  return lines;
}

} // namespace pto
