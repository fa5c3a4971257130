#include "check/waves.h"

#include "base/check.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

using namespace program;

namespace {
constexpr int64_t kMostWords = 1024; ///< Of one wait; a larger one counts as passed.

/// What the words of one rank may hold.
class WaveWords {
public:
  WaveWords(const SignalWriters &writers, int32_t firstLater)
      : writers_(writers), firstLater_(firstLater) {}

  /// Goes on as far as the block may; whether it made a step.
  bool advance(WaveBlock &block);
  /// The first word that surely stops a wait.
  [[nodiscard]] std::optional<SignalWord> stops(const WaveStep &wait) const;
  /// The least and the greatest number that a word may hold.
  [[nodiscard]] std::pair<int64_t, int64_t> range(SignalWord word) const;
  /// The first of the later blocks that has notified a word, and where.
  [[nodiscard]] std::pair<int32_t, const Expr *> giver(SignalWord word) const {
    return givers_.lookup(word);
  }

private:
  /// A number from low to high, and the sums of what may be added to it.
  struct Held {
    int64_t low, high, up = 0, down = 0;
  };
  void notify(const WaveStep &step, int32_t block);
  [[nodiscard]] Held held(SignalWord word) const;

  const SignalWriters &writers_;
  int32_t firstLater_;
  llvm::DenseMap<SignalWord, Held> words_; ///< Looked up, never walked.
  llvm::DenseMap<SignalWord, std::pair<int32_t, const Expr *>> givers_; ///< The same.
  llvm::DenseSet<int32_t> blurred_; ///< Objects; kNoObject: all. The same.
};
} // namespace

//===--- What a block does ----------------------------------------------------------===//

/// The offsets of all words of a view; empty where they are not known.
static llvm::SmallVector<int64_t, 1> offsetsOf(const TrialView &view) {
  if (!view.offset || view.object == ViewFacts::kNoObject)
    return {};
  llvm::SmallVector<int64_t, 1> offsets{*view.offset};
  for (size_t d = 0; d != view.shape.size(); ++d) {
    std::optional<int64_t> size = view.shape[d], stride = view.stride[d];
    if (!size || !stride || *size < 1 || *size > kMostWords ||
        *size * int64_t(offsets.size()) > kMostWords)
      return {};
    size_t before = offsets.size();
    for (int64_t i = 1; i < *size; ++i)
      for (size_t k = 0; k != before; ++k)
        offsets.push_back(offsets[k] + i * *stride);
  }
  llvm::sort(offsets);
  return offsets;
}

/// A wait that is not known, or not understood, passes: then it is no step.
static void addWait(std::vector<WaveStep> &steps, const Expr &expr, Trial &trial) {
  auto cmp = WaitCmp(expr.ops[2]->bits);
  std::optional<int64_t> value = trial.number(expr.ops[1]);
  bool isUnderstood =
      cmp == WaitCmp::GE || cmp == WaitCmp::GT || cmp == WaitCmp::EQ || cmp == WaitCmp::NE;
  TrialView view = trial.view(expr.ops[0]);
  llvm::SmallVector<int64_t, 1> offsets = offsetsOf(view);
  if (value && isUnderstood && !offsets.empty())
    steps.push_back(
        {WaveStep::Kind::Wait, &expr, view.object, std::move(offsets), false, cmp, *value});
}

/// A change of words at `words`, which may be those of another rank.
static void addChange(std::vector<WaveStep> &steps, const Expr &expr, const Expr &words,
                      Trial &trial) {
  TrialView view = trial.view(&words);
  bool isOwn = words.type.locality == Locality::Gm;
  if (!isOwn && view.rank && trial.agent.rank) {
    if (*view.rank != *trial.agent.rank)
      return;
    isOwn = true;
  }
  const IntrinsicInfo &row = info(expr.intrinsic);
  bool isNotify = row.param("sig") >= 0 && row.param("op") >= 0;
  std::optional<int64_t> value =
      isNotify ? trial.number(expr.ops[size_t(row.param("value"))]) : std::nullopt;
  llvm::SmallVector<int64_t, 1> offsets = offsetsOf(view);
  if (!isOwn || !value || offsets.size() != 1) {
    steps.push_back({WaveStep::Kind::Blur, &expr, view.object});
    return;
  }
  bool isSet = NotifyOp(expr.ops[size_t(row.param("op"))]->bits) == NotifyOp::Set;
  steps.push_back(
      {WaveStep::Kind::Notify, &expr, view.object, std::move(offsets), isSet, WaitCmp::EQ, *value});
}

void WaveBlock::operation(const Expr &expr, Trial &trial) {
  if (expr.kind != ExprKind::Intrinsic)
    return;
  if (expr.intrinsic == Intrinsic::Twait)
    return addWait(steps, expr, trial);
  if (expr.intrinsic == Intrinsic::Syncall)
    steps.push_back({WaveStep::Kind::Meet, &expr});
  const IntrinsicInfo &row = info(expr.intrinsic);
  for (size_t i = 0; i != row.params.size(); ++i) {
    Access access = row.params[i].access;
    if (expr.ops[i] && expr.ops[i]->type.isSignal && access != Access::None &&
        access != Access::Read)
      addChange(steps, expr, *expr.ops[i], trial);
  }
}

//===--- What the words hold --------------------------------------------------------===//

WaveWords::Held WaveWords::held(SignalWord word) const {
  auto found = words_.find(word);
  if (found != words_.end())
    return found->second;
  auto [low, high] = writers_.start(word.first);
  return {low, high};
}

std::pair<int64_t, int64_t> WaveWords::range(SignalWord word) const {
  Held of = held(word);
  return {of.low + of.down, of.high + of.up};
}

void WaveWords::notify(const WaveStep &step, int32_t block) {
  SignalWord word{step.object, step.offsets.front()};
  Held of = held(word);
  if (step.isSet) {
    of.low = std::min(of.low, step.value);
    of.high = std::max(of.high, step.value);
  } else {
    (step.value < 0 ? of.down : of.up) += step.value;
  }
  words_.insert_or_assign(word, of);
  if (block < firstLater_)
    return;
  auto [known, isNew] = givers_.try_emplace(word, block, step.expr);
  if (!isNew && block < known->second.first)
    known->second = {block, step.expr};
}

std::optional<SignalWord> WaveWords::stops(const WaveStep &wait) const {
  if (writers_.mayWrite(wait.object) || blurred_.contains(wait.object) ||
      blurred_.contains(ViewFacts::kNoObject))
    return std::nullopt;
  for (int64_t offset : wait.offsets) {
    auto [low, high] = range({wait.object, offset});
    bool mayWrap = low < INT32_MIN || high > INT32_MAX;
    bool mayHold = wait.cmp == WaitCmp::GE   ? high >= wait.value
                   : wait.cmp == WaitCmp::GT ? high > wait.value
                   : wait.cmp == WaitCmp::EQ ? low <= wait.value && wait.value <= high
                                             : low != wait.value || high != wait.value;
    if (!mayHold && !mayWrap)
      return SignalWord{wait.object, offset};
  }
  return std::nullopt;
}

bool WaveWords::advance(WaveBlock &block) {
  size_t before = block.at;
  for (; block.at != block.steps.size(); ++block.at) {
    const WaveStep &step = block.steps[block.at];
    if (step.kind == WaveStep::Kind::Meet || step.kind == WaveStep::Kind::Unknown ||
        (step.kind == WaveStep::Kind::Wait && stops(step)))
      break;
    if (step.kind == WaveStep::Kind::Notify)
      notify(step, block.block);
    else if (step.kind == WaveStep::Kind::Blur)
      blurred_.insert(step.object);
  }
  return block.at != before;
}

//===--- The waves ------------------------------------------------------------------===//

/// Plays until nobody can go on. From the last to the first, since who waits for a later block is
/// then done in one round.
static void play(llvm::MutableArrayRef<WaveBlock> blocks, WaveWords &words) {
  for (bool moved = true; moved;) {
    moved = false;
    for (WaveBlock &block : llvm::reverse(blocks))
      moved |= words.advance(block);
  }
}

static bool isWaiting(const WaveBlock &block) {
  return block.at != block.steps.size() && block.steps[block.at].kind == WaveStep::Kind::Wait;
}

std::optional<StalledWave>
findStalledWave(std::vector<WaveBlock> known, int32_t blocks, int32_t cores,
                const SignalWriters &writers,
                llvm::function_ref<std::optional<WaveBlock>(int32_t)> follow) {
  PTO_CHECK(known.size() >= size_t(cores), "the first wave has a block for each core");
  WaveWords words(writers, cores);
  auto first = llvm::MutableArrayRef(known).take_front(size_t(cores));
  play(first, words);
  if (!llvm::all_of(first, isWaiting))
    return std::nullopt;
  StalledWave wave;
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const WaveBlock &block : first) {
    wave.waiters.push_back(*words.stops(block.steps[block.at]));
    ranges.push_back(words.range(wave.waiters.back()));
  }
  // With more cores the later blocks would run too: what they give is what is missing.
  std::vector<WaveBlock> later(known.begin() + cores, known.end());
  for (int32_t block = int32_t(known.size()); block < blocks; ++block) {
    std::optional<WaveBlock> next = follow(block);
    if (!next)
      break;
    later.push_back(std::move(*next));
  }
  play(later, words);
  for (auto [block, word, range] : llvm::zip(first, wave.waiters, ranges)) {
    auto [giver, notify] = words.giver(word);
    if (words.stops(block.steps[block.at]) || !notify)
      continue;
    wave.block = block.block;
    wave.wait = block.steps[block.at];
    wave.word = word;
    std::tie(wave.low, wave.high) = range;
    wave.giver = giver;
    wave.notify = notify;
    return wave;
  }
  return std::nullopt;
}

//===--- In words -------------------------------------------------------------------===//

/// `ready`, `flags[3, 1]`
static std::string nameOf(SignalWord word, const WaveSite &site) {
  const Object &object = site.program.objects[size_t(word.first)];
  std::string indices;
  int64_t rest = word.second;
  for (const ObjectExtent &extent : llvm::reverse(object.shape)) {
    int64_t size = extent.fixed + extent.perRank * site.agent.ranks.value_or(0);
    int64_t index = size > 0 && &extent != object.shape.begin() ? rest % size : rest;
    rest = size > 0 ? rest / size : 0;
    indices = std::to_string(index) + (indices.empty() ? "" : ", ") + indices;
  }
  return "`" + object.name + (indices.empty() ? "" : "[" + indices + "]") + "`";
}

/// What the first wave can make of the word, and what the wait wants.
static std::string lackText(const StalledWave &wave, const WaveSite &site) {
  std::string did = " leave ", number = " at " + std::to_string(wave.high);
  if (wave.low != wave.high) {
    bool isLow = wave.high <= wave.wait.value;
    did = isLow ? " raise " : " lower ";
    number =
        " to " + std::to_string(isLow ? wave.high : wave.low) + (isLow ? " at most" : " at least");
  }
  return "the first " + std::to_string(wave.waiters.size()) + " blocks" + did +
         nameOf(wave.word, site) + number + ", and this waits for " + name(wave.wait.cmp).str() +
         " " + std::to_string(wave.wait.value);
}

/// Who waits for what, the first few words.
static std::string waitersText(const StalledWave &wave, const WaveSite &site) {
  constexpr size_t kShown = 3;
  struct Group {
    SignalWord word;
    size_t first, count;
  };
  std::vector<Group> groups;
  size_t others = 0;
  for (auto [block, word] : llvm::enumerate(wave.waiters)) {
    SignalWord sought = word;
    auto known = llvm::find_if(groups, [&](const Group &group) { return group.word == sought; });
    if (known != groups.end())
      ++known->count;
    else if (groups.size() != kShown)
      groups.push_back({word, block, 1});
    else
      ++others;
  }
  std::string text;
  for (const Group &group : groups)
    text += (text.empty() ? "" : ", ") +
            (group.count == 1 ? "block " + std::to_string(group.first)
                              : std::to_string(group.count) + " blocks") +
            " for " + nameOf(group.word, site);
  if (others != 0)
    text += ", " + std::to_string(others) + " blocks for other words";
  return "all of them wait, and no core becomes free: " + text;
}

void reportStalledWave(const StalledWave &wave, const WaveSite &site, Sink &sink) {
  std::string giver = "block " + std::to_string(wave.giver);
  Finding &finding = sink.report<Rule::MoreBlocksThanCores>(
      wave.wait.expr->range,
      "`twait` of block " + std::to_string(wave.block) + " needs a notify of " + giver + " of " +
          std::to_string(*site.agent.blocks),
      site.coresOf, wave.waiters.size());
  sink.note(finding, wave.notify->range, giver + " would notify here, and never gets a core");
  std::string who = site.agent.rank ? "on rank " + std::to_string(*site.agent.rank) + ", " : "";
  sink.note(finding, site.launch.range,
            who + "block " + std::to_string(wave.block) + " of this launch");
  finding.details.push_back(lackText(wave, site));
  finding.details.push_back(waitersText(wave, site));
}

} // namespace pto::check_detail
