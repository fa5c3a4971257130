//===- deadlock.cpp - why nobody can move -----------------------------------===//
//
// For every block that waits: the word, what it holds and should, who wrote it last, and every
// operation of the program that could still write it with the reason why it will not.
//
//===----------------------------------------------------------------------===//

#include "world/parts.h"
#include "world/writers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

static constexpr size_t kMostWaiters = 8;   ///< Told one by one; the rest is counted.
static constexpr size_t kMostWriters = 6;   ///< Lines for one waiter.
static constexpr size_t kMostCompared = 64; ///< Waiters that are searched for a cycle.

namespace {
/// One block of the latest launch of a kernel on a rank.
struct BlockView {
  const Launch *launch = nullptr;
  int32_t block = 0;
  const Agent *agent = nullptr; ///< Null: finished, or without a core so far.
  llvm::ArrayRef<SignalWrites> writes;
};

class DeadlockReport {
public:
  explicit DeadlockReport(World &world) : world_(world) {}
  void make();

private:
  void collect();
  void collectLaunches();
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] bool waitForEachOther() const;
  [[nodiscard]] bool couldWake(const Agent &other, const Agent &waiter) const;
  void describe(const Agent &waiter, Trap &trap) const;
  void describeHistory(const Agent &waiter, Trap &trap) const;
  void describeWriters(const Agent &waiter, Trap &trap) const;
  [[nodiscard]] std::string writerLine(const BlockView &block, const SignalWriter &writer,
                                       Word word) const;
  void describeWaiters(Trap &trap) const;
  void describeRest(Trap &trap) const;
  [[nodiscard]] std::string at(const CodePlace &place) const;
  [[nodiscard]] Word wordOf(const Agent &waiter) const;
  [[nodiscard]] std::string waitText(const Agent &waiter) const;
  [[nodiscard]] std::string syncallText(const Agent &waiter) const;
  [[nodiscard]] std::string statusOf(const BlockView &block) const;
  [[nodiscard]] const std::vector<SignalWriter> &writersOf(uint32_t kernel) const;

  World &world_;
  std::vector<const Agent *> waiters_; ///< Cores at a twait or syncall, then pollers.
  std::vector<const Agent *> hosts_;   ///< Hosts that wait for kernels or each other.
  std::vector<BlockView> blocks_;
  mutable std::map<uint32_t, std::vector<SignalWriter>> writers_; ///< By kernel.
};
} // namespace

const std::vector<SignalWriter> &DeadlockReport::writersOf(uint32_t kernel) const {
  auto [entry, isNew] = writers_.try_emplace(kernel);
  if (isNew)
    entry->second = signalWritersOf(world_.module, kernel);
  return entry->second;
}

std::string DeadlockReport::at(const CodePlace &place) const {
  Place p = placeOf(world_, place);
  return p.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

static bool isTwait(const Agent &agent) { return agent.park == Park::Signal; }
static bool isSyncall(const Agent &agent) { return agent.park == Park::Syncall; }
static bool isAtRankBarrier(const Agent &agent) { return agent.park == Park::Ranks; }
static bool isPolling(const Agent &agent) { return agent.park == Park::None; }

/// Whether the request looks at signal words.
static bool looksAtSignal(const Agent &agent) {
  Opcode opcode = agent.core.request.opcode;
  return opcode == Opcode::Twait || opcode == Opcode::Ttest;
}

Word DeadlockReport::wordOf(const Agent &waiter) const {
  const View &words = waiter.core.request.views[0];
  ByteRange range = byteRange(words);
  int64_t offset = words.offset;
  // The word that the scan stopped at; of a grid it is found again by its number.
  View one = words;
  size_t number = isTwait(waiter) ? waiter.scanFrom : 0;
  for (unsigned d = one.dims; d-- != 0;) {
    offset += int64_t(number % size_t(std::max<int64_t>(one.shape[d], 1))) * one.stride[d] *
              one.elementBytes();
    number /= size_t(std::max<int64_t>(one.shape[d], 1));
  }
  return {words.rank, std::clamp(offset, range.begin, range.end)};
}

void DeadlockReport::collectLaunches() {
  std::map<std::pair<uint32_t, int32_t>, const Agent *> live; // (launch, block)
  for (const auto &agent : world_.agents)
    if (agent && !agent->isHost)
      live[{agent->launch, agent->core.block}] = agent.get();
  std::map<std::pair<int32_t, uint32_t>, uint32_t> latest; // (rank, kernel) → launch
  for (uint32_t i = 0; i != world_.launches.size(); ++i)
    latest[{world_.launches[i].rank, world_.launches[i].kernel}] = i;
  for (const auto &[key, index] : latest) {
    const Launch &launch = world_.launches[index];
    for (int32_t block = 0; block != launch.blocks; ++block) {
      auto found = live.find({index, block});
      BlockView view{&launch, block, found == live.end() ? nullptr : found->second, {}};
      const auto &ended = world_.ranks[size_t(launch.rank)].ended;
      auto written = ended.find({launch.kernel, block});
      if (view.agent)
        view.writes = view.agent->writes;
      else if (written != ended.end() && written->second.launch == index)
        view.writes = written->second.writes;
      blocks_.push_back(view);
    }
  }
}

void DeadlockReport::collect() {
  std::vector<const Agent *> pollers;
  for (const auto &agent : world_.agents) {
    if (!agent || agent->park == Park::Finished)
      continue;
    if (isTwait(*agent) || isSyncall(*agent) || isAtRankBarrier(*agent) || isHeldByFlag(*agent))
      waiters_.push_back(agent.get());
    else if (isPolling(*agent))
      pollers.push_back(agent.get());
    else if (agent->isHost)
      hosts_.push_back(agent.get());
  }
  auto byRank = [](const Agent *a, const Agent *b) {
    return std::pair(a->core.rank, a->core.block) < std::pair(b->core.rank, b->core.block);
  };
  llvm::stable_sort(waiters_, byRank);
  llvm::stable_sort(pollers, byRank);
  waiters_.insert(waiters_.end(), pollers.begin(), pollers.end());
  collectLaunches();
}

/// Whether `other` has an operation that could write the word that `waiter` looks at.
bool DeadlockReport::couldWake(const Agent &other, const Agent &waiter) const {
  const Request &request = waiter.core.request;
  if (isSyncall(waiter))
    return !other.isHost && other.launch == waiter.launch && !isSyncall(other);
  if (isAtRankBarrier(waiter))
    return !other.isHost && !isAtRankBarrier(other) &&
           world_.launches[other.launch].kernel == world_.launches[waiter.launch].kernel;
  if (other.isHost || &other == &waiter || !looksAtSignal(waiter))
    return false;
  if (isTwait(waiter) && request.has(2) && int32_t(request.values[2]) != other.core.rank)
    return false;
  uint32_t object = request.views[0].object;
  return llvm::any_of(writersOf(world_.launches[other.launch].kernel),
                      [&](const SignalWriter &writer) { return writer.mayWrite(object); });
}

bool DeadlockReport::waitForEachOther() const {
  if (waiters_.size() < 2 || waiters_.size() > kMostCompared)
    return false;
  return llvm::all_of(waiters_, [&](const Agent *waiter) {
    return llvm::any_of(waiters_, [&](const Agent *other) { return couldWake(*other, *waiter); });
  });
}

std::string DeadlockReport::summary() const {
  if (waiters_.empty())
    return "the hosts wait for kernels that never got a core";
  std::vector<std::string> names;
  for (const Agent *waiter : llvm::ArrayRef(waiters_).take_front(kMostWaiters))
    names.push_back(agentName(*waiter));
  if (waiters_.size() == 1)
    return names.front() + (isPolling(*waiters_.front()) ? " polls" : " waits") +
           ", and nobody is left who could wake it";
  std::string last = names.back();
  if (waiters_.size() > kMostWaiters)
    last = std::to_string(waiters_.size() - kMostWaiters) + " more";
  else
    names.pop_back();
  return llvm::join(names, ", ") + " and " + last +
         (waitForEachOther() ? " wait for each other"
                             : " wait, and nobody is left who could wake them");
}

/// "1 of 2 blocks are here; block 0 is blocked at k.pto:3:5 in twait"
std::string DeadlockReport::syncallText(const Agent &waiter) const {
  constexpr unsigned kMostMissing = 3;
  const Launch &launch = world_.launches[waiter.launch];
  std::string text = std::to_string(launch.atSyncall) + " of " + std::to_string(launch.blocks) +
                     " blocks are here";
  unsigned missing = 0;
  for (const BlockView &block : blocks_) {
    bool isMissing = block.launch == &launch && !(block.agent && isSyncall(*block.agent));
    if (isMissing && missing++ < kMostMissing)
      text += "; block " + std::to_string(block.block) + ": " + statusOf(block);
  }
  if (missing > kMostMissing)
    text += "; and " + std::to_string(missing - kMostMissing) + " more";
  return text;
}

/// "`ready` on rank 1 holds 0, wanted EQ 1 (from rank 0)"
std::string DeadlockReport::waitText(const Agent &waiter) const {
  if (isSyncall(waiter))
    return syncallText(waiter);
  if (isAtRankBarrier(waiter))
    return rankBarrierText(world_, waiter.launch);
  if (isHeldByFlag(waiter))
    return flagWaitText(world_, waiter);
  const Request &request = waiter.core.request;
  Word word = wordOf(waiter);
  std::string element = "`" + elementName(world_.module, world_.layout, word.second) +
                        "` on rank " + std::to_string(word.first);
  if (!looksAtSignal(waiter))
    return request.opcode == Opcode::Test ? "the event" : element;
  std::string text = element + " holds " + std::to_string(readWord(world_.gm, word)) + ", wanted " +
                     name(WaitCmp(request.values[1])).str() + " " +
                     std::to_string(int32_t(request.values[0]));
  if (isTwait(waiter) && request.has(2))
    text += " (from rank " + std::to_string(int32_t(request.values[2])) + ")";
  return text;
}

std::string DeadlockReport::statusOf(const BlockView &block) const {
  const Launch &launch = *block.launch;
  if (!block.agent && block.block < launch.nextBlock)
    return "the kernel has finished";
  const std::vector<uint32_t> &ready = world_.ranks[size_t(launch.rank)].ready;
  bool isStarted =
      llvm::any_of(ready, [&](uint32_t index) { return &world_.launches[index] == &launch; });
  if (!block.agent)
    return isStarted ? "the block never got a core"
                     : "its launch waits behind another on stream " + std::to_string(launch.stream);
  if (block.agent->isDraining)
    return "its kernel has ended, and a pipe still waits";
  const Request &request = block.agent->core.request;
  llvm::StringRef verb = block.agent->park == Park::None ? "polling" : "blocked";
  return (verb + " at " + at(request.place) + " in " + info(request.opcode).mnemonic).str();
}

static std::string timesText(uint64_t count) {
  return "executed " + std::to_string(count) + (count == 1 ? " time" : " times");
}

std::string DeadlockReport::writerLine(const BlockView &block, const SignalWriter &writer,
                                       Word word) const {
  std::string text = "    rank " + std::to_string(block.launch->rank) + " block " +
                     std::to_string(block.block) + ": " + info(writer.opcode).mnemonic.str() +
                     " at " + at(writer.place) + " — ";
  const SignalWrites *writes = nullptr;
  for (const SignalWrites &each : block.writes)
    if (each.at == writer.at)
      writes = &each;
  text += timesText(writes ? writes->count : 0);
  if (writes && writes->last == word)
    text += std::string(", last ") + (writer.adds ? "added " : "wrote ") +
            std::to_string(writes->value) + " here";
  else if (writes)
    text += ", last to `" + elementName(world_.module, world_.layout, writes->last.second) +
            "` on rank " + std::to_string(writes->last.first);
  return text + "; " + statusOf(block);
}

void DeadlockReport::describeWriters(const Agent &waiter, Trap &trap) const {
  Word word = wordOf(waiter);
  const Request &request = waiter.core.request;
  uint32_t object = request.views[0].object;
  std::vector<std::string> lines, own;
  bool onlyAdds = true;
  for (const BlockView &block : blocks_) {
    bool isAwaited =
        !isTwait(waiter) || !request.has(2) || int32_t(request.values[2]) == block.launch->rank;
    for (const SignalWriter &writer : writersOf(block.launch->kernel)) {
      if (!isAwaited || !writer.mayWrite(object))
        continue;
      onlyAdds &= writer.adds;
      (block.agent == &waiter ? own : lines).push_back(writerLine(block, writer, word));
    }
  }
  if (lines.empty())
    lines = own;
  int32_t held = readWord(world_.gm, word), wanted = int32_t(request.values[0]);
  if (!lines.empty() && onlyAdds && WaitCmp(request.values[1]) == WaitCmp::EQ && held > wanted)
    trap.details.push_back("  overshot: it is only added to, so EQ " + std::to_string(wanted) +
                           " can no longer hold");
  trap.details.push_back(lines.empty() ? "  no operation of the launched kernels writes it"
                                       : "  who could still write it:");
  for (const std::string &line : llvm::ArrayRef(lines).take_front(kMostWriters))
    trap.details.push_back(line);
  if (lines.size() > kMostWriters)
    trap.details.push_back("    … and " + std::to_string(lines.size() - kMostWriters) + " more");
}

/// What the word was before: a Set that took another back is seen here only.
void DeadlockReport::describeHistory(const Agent &waiter, Trap &trap) const {
  if (!world_.audit)
    return;
  Word word = wordOf(waiter);
  std::vector<std::string> story = world_.audit->storyOf(word.first, word.second);
  if (story.size() < 2)
    return;
  trap.details.push_back("  its last updates:");
  for (const std::string &line : story)
    trap.details.push_back("    " + line);
}

void DeadlockReport::describe(const Agent &waiter, Trap &trap) const {
  const Request &request = waiter.core.request;
  const char *verb = isPolling(waiter) ? "polls" : "waits";
  int32_t block = waiter.isHost ? -1 : waiter.core.block;
  CodePlace place = isHeldByFlag(waiter) ? flagWaitPlace(world_, waiter) : request.place;
  trap.sites.push_back({place, std::string(verb) + " here: " + waitText(waiter), waiter.core.rank,
                        block, world_.nowPs});
  std::string where = waiter.isDraining
                          ? " at the end of its kernel"
                          : " at " + at(place) + " in " + info(request.opcode).mnemonic.str();
  trap.details.push_back(agentName(waiter) + " " + verb + where + ": " + waitText(waiter));
  if (isHeldByFlag(waiter))
    describeFlags(world_, waiter, trap);
  if (!looksAtSignal(waiter))
    return;
  if (const LastWrite *last = world_.signals.lastWrite(wordOf(waiter))) {
    const Writer &writer = last->writer;
    std::string who = "rank " + std::to_string(writer.rank) +
                      (writer.block < 0 ? " host" : " block " + std::to_string(writer.block));
    trap.details.push_back("  last written by " + who + ": " + info(writer.opcode).mnemonic.str() +
                           " at " + at(writer.place) + ", to " + std::to_string(last->value) +
                           " at " + timeText(last->timePs));
  } else
    trap.details.push_back("  nobody ever wrote it");
  describeHistory(waiter, trap);
  describeWriters(waiter, trap);
}

/// Each waiter; but blocks that wait at one place for one word share a story, which is told once.
void DeadlockReport::describeWaiters(Trap &trap) const {
  using Story = std::tuple<uint32_t, uint32_t, uint32_t, Word>;
  std::vector<Story> told;
  size_t untold = 0;
  for (const Agent *waiter : waiters_) {
    const CodePlace &place = waiter->core.request.place;
    Story story{place.file, place.line, place.column,
                looksAtSignal(*waiter) ? wordOf(*waiter) : Word{waiter->core.rank, -1}};
    if (told.size() == kMostWaiters || llvm::is_contained(told, story)) {
      ++untold;
      continue;
    }
    told.push_back(story);
    describe(*waiter, trap);
  }
  if (untold != 0)
    trap.details.push_back("… and " + std::to_string(untold) +
                           (untold == 1 ? " more block waits" : " more blocks wait") +
                           " like these");
}

/// Blocks without a core, and the hosts that wait for all this.
void DeadlockReport::describeRest(Trap &trap) const {
  size_t shown = 0;
  for (size_t rank = 0; rank != world_.ranks.size() && shown != kMostWaiters; ++rank)
    for (uint32_t index : world_.ranks[rank].ready) {
      const Launch &launch = world_.launches[index];
      int32_t left = launch.blocks - launch.nextBlock;
      trap.details.push_back("rank " + std::to_string(rank) + ": " + std::to_string(left) + " of " +
                             std::to_string(launch.blocks) + " blocks of `" +
                             world_.module.functions[launch.kernel].name + "` never got a core; " +
                             world_.machine.platform.name.str() + " has " +
                             std::to_string(world_.machine.platform.cores) +
                             ", and a block that waits keeps its core");
      ++shown;
    }
  std::vector<int32_t> ranks;
  for (const Agent *host : hosts_)
    ranks.push_back(host->core.rank);
  if (!ranks.empty())
    trap.details.push_back((ranks.size() == 1 ? "the host of " : "the hosts of ") +
                           ranksText(ranks) + (ranks.size() == 1 ? " waits" : " wait") +
                           " for these kernels");
}

void DeadlockReport::make() {
  collect();
  Trap trap = makeTrap<Rule::Deadlock>(summary());
  describeWaiters(trap);
  describeRest(trap);
  TrapSite primary{world_.entry.place, "", -1, -1, world_.nowPs};
  if (!trap.sites.empty()) {
    primary = trap.sites.front();
    trap.sites.erase(trap.sites.begin());
  }
  world_.findings.push_back(makeFinding(world_, trap, primary));
}

void reportDeadlock(World &world) { DeadlockReport(world).make(); }

} // namespace pto
