// Notifies, waits and tests of signal words, and what follows from any write to GM.

#include "world/parts.h"

#include "bytecode/operand.h"
#include "memory/walk.h"
#include "port/checks.h"

namespace pto {

void noteWrite(World &world, int32_t rank, ByteRange range, const Writer &writer) {
  world.engines.wrote(rank, range, writer, world.nowPs);
  world.signals.noteWrite(world.gm, rank, range, writer, world.nowPs);
  for (uint32_t id : world.signals.take(rank, range)) {
    Agent &agent = *world.agents[id];
    wake(world, agent, world.nowPs + 1 + agent.jitter.below(cost(Cost::WaitPoll)),
         writer.operation);
  }
}

void landUpdate(World &world, const SignalUpdate &update) {
  Word word{update.rank, update.offset};
  int32_t before = readWord(world.gm, word);
  applyUpdate(world.gm, update);
  if (world.audit)
    world.audit->lands(update, before, readWord(world.gm, word));
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Signal,
                     .lane = Lane::Scalar,
                     .opcode = update.writer.opcode,
                     .rank = update.writer.rank,
                     .index = update.writer.block,
                     .timePs = world.nowPs,
                     .operation = update.writer.operation,
                     .peer = update.rank,
                     .value = readWord(world.gm, word),
                     .word = elementName(world.module, world.layout, update.offset),
                     .place = update.writer.place});
  noteWrite(world, update.rank, {update.offset, update.offset + 4}, update.writer);
}

void landNotify(World &world, const Action &action) {
  ++world.epoch;
  SignalUpdate update = world.notifies[action.subject];
  world.freeNotifies.push_back(action.subject);
  landUpdate(world, update);
}

void applyEffect(World &world, const Effect &effect) {
  ++world.epoch;
  if (effect.fault)
    return reportFault(world, *effect.fault);
  if (effect.signal)
    landUpdate(world, *effect.signal);
  if (!effect.wrote.empty())
    noteWrite(world, effect.rank, effect.wrote, effect.writer);
  for (uint32_t id : effect.wakes) {
    Agent *agent = world.agents[id].get();
    if (agent && agent->park == Park::Engine)
      wake(world, *agent, world.nowPs + 1);
  }
}

/// The scalar unit's copy of the words goes to GM and is dropped before they are read or written.
static void dropCopies(World &world, Agent &agent, const View &words, const Request &request) {
  llvm::SmallVector<Cache::Line, 1> written;
  if (Audit *audit = auditOf(world, agent))
    audit->flushes(agent.id, request, &words);
  agent.cache.flush(world.gm, words, written);
  for (const Cache::Line &line : written)
    noteWrite(world, line.rank, {line.offset, line.offset + Cache::kLineBytes},
              {request.opcode, agent.core.rank, agent.core.block, request.place, 0});
}

void countWrite(Agent &agent, const Request &request, const View &word, int32_t value) {
  SignalWrites *found = nullptr;
  for (SignalWrites &writes : agent.writes)
    if (writes.at == request.at)
      found = &writes;
  if (!found) {
    agent.writes.push_back({request.at, 0, {}, 0});
    found = &agent.writes.back();
  }
  ++found->count;
  found->last = {word.rank, word.offset};
  found->value = value;
}

static uint32_t keepNotify(World &world, const SignalUpdate &update) {
  if (world.freeNotifies.empty()) {
    world.notifies.push_back(update);
    return uint32_t(world.notifies.size() - 1);
  }
  uint32_t slot = world.freeNotifies.back();
  world.freeNotifies.pop_back();
  world.notifies[slot] = update;
  return slot;
}

static Writer notifierOf(World &world, const Agent &agent, const Request &request) {
  return {request.opcode,
          agent.core.rank,
          agent.core.block,
          request.place,
          world.engines.nextOperation(),
          request.call};
}

std::optional<Trap> checkTold(const World &world, const Agent &agent, const Request &request) {
  const View &word = request.views[0];
  llvm::StringRef name = info(request.opcode).mnemonic;
  if (auto trap = checkSignal(word, "sig", name))
    return trap;
  if (auto trap = checkNotEmpty(word, name))
    return trap;
  return checkOwnReach(world, agent, word.rank, request.opcode);
}

Completion notify(World &world, Agent &agent, const Request &request, int64_t atPs) {
  const View &word = request.views[0];
  if (auto trap = checkTold(world, agent, request))
    return Completion::trapped(std::move(*trap));
  SignalUpdate update{
      word.rank, word.offset, NotifyOp(request.values[1]), int32_t(request.values[0]), {}};
  update.writer = notifierOf(world, agent, request);
  if (!agent.cache.empty())
    dropCopies(world, agent, word, request);
  countWrite(agent, request, word, update.value);
  if (Audit *audit = auditOf(world, agent))
    audit->sends(agent.id, update);
  int32_t own = agent.core.rank;
  int64_t latency = cost(word.rank == own ? Cost::LocalNotify : Cost::NotifyLatency);
  if (word.rank != own)
    latency += world.options.topology.linkBetween(own, word.rank).extraLatencyPs(latency);
  int64_t landsPs = std::max(atPs + 1 + agent.jitter.spread(latency), agent.lastNotifyPs + 1);
  int64_t after = atPs + agent.jitter.spread(cost(Cost::NotifyIssue));
  agent.lastNotifyPs = landsPs;
  world.agenda.add(landsPs, ActionKind::Notify, keepNotify(world, update));
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::Notify,
                     .lane = Lane::Scalar,
                     .opcode = request.opcode,
                     .rank = agent.core.rank,
                     .index = agent.core.block,
                     .timePs = after,
                     .startPs = atPs,
                     .operation = update.writer.operation,
                     .peer = word.rank,
                     .value = update.value,
                     .word = elementName(world.module, world.layout, word.offset),
                     .text = pto::name(update.op).str(),
                     .place = request.place});
  return Completion::done(after);
}

static std::optional<Trap> validateWait(const Agent &agent, const Request &request) {
  llvm::StringRef name = info(request.opcode).mnemonic;
  const View &words = request.views[0];
  if (auto trap = checkSignal(words, "sig", name))
    return trap;
  if (words.rank != agent.core.rank)
    return makeTrap<Rule::OperandNotLocal>("sig", name, "on rank " + std::to_string(words.rank));
  return std::nullopt;
}

/// The first word from number `from` on, around the end, that does not compare; absent: all do.
static std::optional<size_t> firstMiss(const World &world, const Request &request, size_t from) {
  const View &words = request.views[0];
  size_t count = size_t(elements(words));
  if (count == 0)
    return std::nullopt;
  size_t at = from < count ? from : 0;
  ElementWalk walk(words, int64_t(at));
  for (size_t seen = 0; seen != count; ++seen) {
    int32_t held = readWord(world.gm, {words.rank, walk.offset()});
    if (!holds(WaitCmp(request.values[1]), held, int32_t(request.values[0])))
      return at;
    if (++at == count) {
      at = 0;
      walk = ElementWalk(words, 0);
    } else
      walk.advance(1);
  }
  return std::nullopt;
}

/// `from p`: whoever notified the words last must be rank p. A word that nobody notified, or whose
/// line a cache wrote back, says nothing of senders.
static std::optional<Trap> checkSender(const World &world, const Agent &agent,
                                       const Request &request) {
  if (!request.has(2))
    return std::nullopt;
  const View &words = request.views[0];
  ElementWalk walk(words, 0);
  for (int64_t i = 0, count = elements(words); i != count; ++i, walk.advance(1)) {
    const LastWrite *last = world.signals.lastWrite({words.rank, walk.offset()});
    bool isNotify = last && updatesSignal(last->writer.opcode);
    if (!isNotify || last->writer.rank == int32_t(request.values[2]))
      continue;
    Trap trap = makeTrap<Rule::SignalFromOther>(int32_t(request.values[2]), last->writer.rank);
    trap.sites.push_back({last->writer.place, "it was raised here", last->writer.rank,
                          last->writer.block, last->timePs});
    return trap;
  }
  return std::nullopt;
}

Completion waitForSignal(World &world, Agent &agent, const Request &request, int64_t atPs) {
  if (auto trap = validateWait(agent, request))
    return Completion::trapped(std::move(*trap));
  if (!agent.cache.empty())
    dropCopies(world, agent, request.views[0], request);
  // The word that failed last is the first to be looked at again: a scan of many words stays
  // linear.
  std::optional<size_t> miss =
      firstMiss(world, request, agent.waitBeginPs < 0 ? 0 : agent.scanFrom);
  if (!miss) {
    if (std::optional<Trap> trap = checkSender(world, agent, request))
      return Completion::trapped(std::move(*trap));
    if (Audit *audit = auditOf(world, agent))
      audit->passes(agent.id, request);
    return Completion::done(atPs + agent.jitter.spread(cost(Cost::WaitPoll)));
  }
  agent.scanFrom = *miss;
  agent.park = Park::Signal;
  Word word{request.views[0].rank, ElementWalk(request.views[0], int64_t(*miss)).offset()};
  world.signals.park(word, agent.id);
  return Completion::blocked();
}

Completion testSignal(World &world, Agent &agent, const Request &request, int64_t atPs) {
  if (auto trap = validateWait(agent, request))
    return Completion::trapped(std::move(*trap));
  if (!agent.cache.empty())
    dropCopies(world, agent, request.views[0], request);
  bool all = !firstMiss(world, request, 0);
  if (Audit *audit = auditOf(world, agent))
    audit->tests(agent.id, request, all);
  return Completion::done(atPs + agent.jitter.spread(cost(Cost::WaitPoll)), all);
}

} // namespace pto
