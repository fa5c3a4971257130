// Signal words: what is sent and lands, what a wait acquires, and signals that nobody saw.

#include "audit/parts.h"

#include "memory/walk.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

namespace audit_detail {

/// What another rank may rely on: stores of the core's own pipe, and lines that its cache wrote
/// back, only as far as a fence has made them visible. The own rank sees what has retired, and a
/// read that has retired needs no fence.
ClockRef visibleTo(const CoreOrder &core, ClockRef full, int32_t rank) {
  AgentId stores = agentOf(core, Pipe::MTE3);
  bool isAll =
      full->of(stores) <= core.visibleStores && full->of(core.writeBack) <= core.visibleLines;
  if (rank == core.rank || isAll)
    return full;
  auto visible = std::make_shared<Clock>(*full);
  visible->set(stores, std::min(full->of(stores), core.visibleStores));
  visible->set(core.writeBack, std::min(full->of(core.writeBack), core.visibleLines));
  return visible;
}

void sendUpdate(State &state, const SignalUpdate &signal, Epoch epoch, ClockRef clock,
                ClockRef full, uint32_t site, uint32_t core) {
  Update update;
  update.epoch = epoch;
  update.clock = std::move(clock);
  update.full = std::move(full);
  update.op = signal.op;
  update.value = signal.value;
  update.site = site;
  update.operation = signal.writer.operation;
  update.core = core;
  update.sentPs = state.nowPs;
  std::vector<Dependence> dependences;
  state.word(signal.rank, signal.offset).send(state.agents, std::move(update), dependences);
  ++state.updatesUnderWay;
  addDependences(state, dependences, signal.rank, signal.offset);
}

/// A Set that left no trace of an update which nobody had seen.
static void checkLost(State &state, const WordHistory &word, const Update &update, int32_t rank,
                      int64_t offset) {
  const Update *lost = word.landedBefore(update);
  if (update.op != NotifyOp::Set || !lost || lost->isSeen)
    return;
  bool isEvent = lost->op != NotifyOp::Set || lost->after != 0; // A reset is for nobody.
  bool isNews = lost->after != lost->before;
  bool leavesNothing = update.after == 0 || (isNews && update.after == lost->before);
  // Of two senders either may stand for both; one that sends twice means two events.
  bool isRepeated = isNews && lost->op == NotifyOp::Set && update.after == lost->after &&
                    update.epoch.agent == lost->epoch.agent;
  if (!isEvent || (!leavesNothing && !isRepeated))
    return;
  // Without an order the two kinds are mixed, which is said as it is.
  bool isMixed = lost->op != update.op && !state.agents.isBefore(lost->epoch, *update.full);
  if (isMixed)
    return;
  Trap trap = makeTrap<Rule::SignalLost>(wordText(state, rank, offset));
  trap.sites.push_back(
      siteOf(state, lost->site,
             "this update made it " + std::to_string(lost->after) + ", and nobody has looked since",
             lost->landedPs));
  report(state, std::move(trap), siteOf(state, update.site, "", state.nowPs),
         placeKey(state, update.site) + "/" + placeKey(state, lost->site));
}

static void checkWrap(State &state, const Update &update, int32_t rank, int64_t offset) {
  bool wraps = update.op == NotifyOp::AtomicAdd &&
               int64_t(update.before) + update.value != int64_t(update.after);
  if (!wraps)
    return;
  report(state,
         makeTrap<Rule::CounterWrapped>(wordText(state, rank, offset), update.before, update.value,
                                        update.after),
         siteOf(state, update.site, "", state.nowPs), placeKey(state, update.site));
}

static Condition conditionOf(const Request &request) {
  return {WaitCmp(request.values[1]), int32_t(request.values[0])};
}

/// Calls with the byte of each word of a request.
static void forWords(const Request &request, llvm::function_ref<void(int64_t)> visit) {
  const View &words = request.views[0];
  int64_t count = elements(words);
  if (count == 0)
    return;
  for (ElementWalk walk(words, 0); count != 0; --count) {
    visit(walk.offset());
    if (count != 1)
      walk.advance(1);
  }
}

/// The updates that a wait finds and that its core does not know of: one of them tells it whatever
/// it learns here.
static llvm::SmallVector<Told, 1> newsOf(const State &state, const WordHistory &word,
                                         const CoreOrder &core) {
  constexpr size_t kKept = 32;
  llvm::SmallVector<Told, 1> news;
  const Clock &known = state.agents[core.scalar].clock;
  for (const Update &update : llvm::reverse(word.updates()))
    if (update.landedPs >= 0 && news.size() != kKept && !state.agents.isBefore(update.epoch, known))
      news.push_back({update.site, update.core, update.sentPs, update.full});
  std::reverse(news.begin(), news.end());
  return news;
}

static void noteAcquisition(CoreOrder &core, Acquisition acquisition) {
  constexpr size_t kKept = 32;
  std::deque<Acquisition> &acquired = core.story.acquired;
  acquired.push_back(std::move(acquisition));
  if (acquired.size() > kKept)
    acquired.pop_front();
}

} // namespace audit_detail

using namespace audit_detail;

void Audit::sends(uint32_t id, const SignalUpdate &update) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  const Writer &writer = update.writer;
  uint32_t site = siteOf(state, writer, AgentKind::Scalar);
  Epoch now = state.agents.touch(core.scalar);
  ClockRef full = state.agents.release(core.scalar);
  state.addStep(core, site, update.rank, update.offset);
  sendUpdate(state, update, now, visibleTo(core, full, update.rank), full, site, id);
}

namespace audit_detail {

/// An update that has landed as soon as it was sent.
static Update *sendAndLand(State &state, const Accessor &who, SignalUpdate signal, int32_t before,
                           int32_t after, const ClockRef &released, const ClockRef &full) {
  signal.writer.operation = ~who.operation; // No notify has this number.
  sendUpdate(state, signal, {who.agent, who.time}, released, full, who.site, who.core);
  Update *update = state.word(signal.rank, signal.offset)
                       .land(state.agents, signal.writer.operation, before, after, state.nowPs);
  if (update)
    --state.updatesUnderWay;
  return update;
}

/// A word of a payload may be its own flag: whoever waits for the word knows of the store that
/// brought it, and of what the store's issuer knew.
void storeWord(State &state, const Accessor &who, const Touch &touch, int64_t offset,
               int32_t before, const ClockRef &released) {
  int32_t rank = touch.view.rank;
  bool adds = touch.mode == AccessMode::Add;
  state.words.try_emplace({rank, offset}, before);
  int32_t value = int32_t(loadScalar(ScalarType::I32, state.context.gm.of(rank) + offset));
  SignalUpdate signal{rank,
                      offset,
                      adds ? NotifyOp::AtomicAdd : NotifyOp::Set,
                      adds ? int32_t(uint32_t(value) - uint32_t(before)) : value,
                      {}};
  if (Update *update = sendAndLand(state, who, signal, before, value, released, released))
    update->isSeen = true;
}

void putBackWords(State &state, const Accessor &who, const CacheLine &line, int32_t rank) {
  CoreOrder &core = state.core(who.core);
  ClockRef full = state.agents.release(core.scalar);
  ClockRef released = visibleTo(core, full, rank);
  for (auto [offset, value] : line.words) {
    state.addStep(core, who.site, rank, offset);
    int32_t before = state.word(rank, offset).value();
    SignalUpdate signal{rank, offset, NotifyOp::Set, value, {}};
    if (Update *update = sendAndLand(state, who, signal, before, value, released, full))
      checkLost(state, state.word(rank, offset), *update, rank, offset);
  }
}

} // namespace audit_detail

void Audit::lands(const SignalUpdate &signal, int32_t before, int32_t after) {
  State &state = *state_;
  WordHistory &word = state.word(signal.rank, signal.offset);
  Update *update = word.land(state.agents, signal.writer.operation, before, after, state.nowPs);
  if (!update)
    return;
  --state.updatesUnderWay;
  checkLost(state, word, *update, signal.rank, signal.offset);
  checkWrap(state, *update, signal.rank, signal.offset);
  ClockRef known = update->full;
  Accessor who{update->epoch.agent, update->epoch.time, known.get(), 0, update->core, kNobody, 0,
               update->site,        update->operation};
  accessBytes(state, who, AccessKind::Update, signal.rank, {signal.offset, signal.offset + 4});
}

void Audit::passes(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  uint32_t site = scalarSite(state, id, request);
  bool isTest = request.opcode == Opcode::Ttest;
  forWords(request, [&](int64_t offset) {
    WordHistory &word = state.word(core.rank, offset);
    if (isTest)
      if (const Update *unknown = word.unknownTo(state.agents, core.scalar))
        addDependence(state, {site, unknown->site}, wordText(state, core.rank, offset));
    Epoch now = state.agents.touch(core.scalar);
    Clock full = state.agents[core.scalar].clock;
    Passage passage = word.pass(state.agents, now, conditionOf(request), full);
    passage.site = site;
    passage.isTest = isTest;
    passage.key = {id, core.passages++};
    if (auto limit = state.limits.waits.find(passage.key); limit != state.limits.waits.end()) {
      passage.acquired.meet(limit->second);
      full = state.agents[core.scalar].clock;
      full.join(passage.acquired);
    }
    noteAcquisition(core, {site, core.rank, offset, passage.isReused, newsOf(state, word, core),
                           state.nowPs, std::make_shared<const Clock>(std::move(full))});
    state.agents.join(core.scalar, passage.acquired);
    if (word.isBlurred())
      addDependence(state, {kNobody, site}, wordText(state, core.rank, offset));
    word.keep(state.agents, std::move(passage));
    word.markSeen();
    state.addStep(core, site, core.rank, offset);
    accessBytes(state, scalarOf(state, id, site), AccessKind::Look, core.rank,
                {offset, offset + 4});
  });
}

void Audit::tests(uint32_t id, const Request &request, bool result) {
  if (result)
    return passes(id, request);
  State &state = *state_;
  CoreOrder &core = state.core(id);
  uint32_t site = scalarSite(state, id, request);
  forWords(request, [&](int64_t offset) {
    WordHistory &word = state.word(core.rank, offset);
    if (const Update *unknown = word.unknownTo(state.agents, core.scalar))
      addDependence(state, {site, unknown->site}, wordText(state, core.rank, offset));
    Passage passage;
    passage.waiter = state.agents.touch(core.scalar);
    passage.condition = conditionOf(request);
    passage.site = site;
    passage.isTest = true;
    word.keep(state.agents, std::move(passage));
    word.markSeen();
  });
}

void Audit::pollsEvent(uint32_t, const Request &) {
  addDependence(*state_, {}, "an event that `test` polls");
}

} // namespace pto
