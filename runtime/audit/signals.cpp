// Signal words: what is sent and lands, what a wait acquires, and signals that nobody saw.

#include "audit/state.h"

#include "memory/walk.h"

namespace pto {

namespace audit_detail {

/// What another rank may rely on: work of the core's own pipes only as far as a fence has made it
/// visible; the own rank sees what has retired.
static ClockRef visibleTo(State &state, const CoreOrder &core, ClockRef full, int32_t rank) {
  if (rank == core.rank)
    return full;
  bool isAll = true;
  for (unsigned i = 0; i != kOwnPipes; ++i)
    isAll &= full->of(core.pipes[i]) <= core.visible[i];
  if (isAll)
    return full;
  auto visible = std::make_shared<Clock>(*full);
  for (unsigned i = 0; i != kOwnPipes; ++i)
    visible->set(core.pipes[i], std::min(full->of(core.pipes[i]), core.visible[i]));
  return visible;
}

void sendUpdate(State &state, const SignalUpdate &signal, Epoch epoch, ClockRef clock,
                ClockRef full, uint32_t site) {
  Update update;
  update.epoch = epoch;
  update.clock = std::move(clock);
  update.full = std::move(full);
  update.op = signal.op;
  update.value = signal.value;
  update.site = site;
  update.operation = signal.writer.operation;
  std::vector<Dependence> dependences;
  state.word(signal.rank, signal.offset).send(state.agents, std::move(update), dependences);
  ++state.updatesUnderWay;
  addDependences(state, dependences, signal.rank, signal.offset);
}

/// A Set that took away one which nobody had seen, and which said something else.
static void checkLost(State &state, const WordHistory &word, const Update &update, int32_t rank,
                      int64_t offset) {
  const Update *lost = word.landedBefore(update);
  if (update.op != NotifyOp::Set || !lost || lost->isSeen || lost->after == lost->before)
    return;
  bool isReset = lost->op == NotifyOp::Set && lost->after < lost->before;
  bool grows = update.after >= lost->after && lost->op == NotifyOp::Set;
  if (isReset || update.after == lost->after ||
      (grows && update.epoch.agent == lost->epoch.agent))
    return;
  Trap trap = makeTrap<Rule::SignalLost>(wordText(state, rank, offset));
  trap.sites.push_back(siteOf(state, lost->site,
                              "this update made it " + std::to_string(lost->after) +
                                  ", and nobody had looked",
                              lost->landedPs));
  report(state, std::move(trap), siteOf(state, update.site, "", state.nowPs),
         std::to_string(update.site) + "/" + std::to_string(lost->site));
}

static void checkWrap(State &state, const Update &update, int32_t rank, int64_t offset) {
  bool wraps = update.op == NotifyOp::AtomicAdd &&
               int64_t(update.before) + update.value != int64_t(update.after);
  if (!wraps)
    return;
  report(state,
         makeTrap<Rule::CounterWrapped>(wordText(state, rank, offset), update.before, update.value,
                                        update.after),
         siteOf(state, update.site, "", state.nowPs), std::to_string(update.site));
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
  uint32_t site = state.sites.of(writer.opcode, writer.place, writer.rank, writer.block,
                                 AgentKind::Scalar);
  Epoch now = state.agents.touch(core.scalar);
  ClockRef full = state.agents.release(core.scalar);
  state.addStep(core, site, update.rank, update.offset);
  sendUpdate(state, update, now, visibleTo(state, core, full, update.rank), full, site);
}

void Audit::lands(const SignalUpdate &signal, int32_t before, int32_t after) {
  State &state = *state_;
  WordHistory &word = state.word(signal.rank, signal.offset);
  Update *update = word.land(signal.writer.operation, before, after, state.nowPs);
  if (!update)
    return;
  --state.updatesUnderWay;
  checkLost(state, word, *update, signal.rank, signal.offset);
  checkWrap(state, *update, signal.rank, signal.offset);
  ClockRef known = update->full;
  Accessor who{update->epoch.agent, update->epoch.time, known.get(),  0, kNoCore, kNobody, 0,
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
    state.agents.join(core.scalar, passage.acquired);
    noteAcquisition(core, {site, core.rank, offset, passage.isStale(), state.nowPs,
                           std::make_shared<const Clock>(std::move(full))});
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
