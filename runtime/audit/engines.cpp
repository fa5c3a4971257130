// What the engines wrote down: operations of pipes with their flags, and transfers.

#include "audit/parts.h"

#include "memory/walk.h"

namespace pto {

namespace audit_detail {

/// Finished tokens that a later `after` may still name.
static constexpr size_t kTokensKept = 4096;

static Actor actorOf(Pipe pipe) {
  switch (pipe) {
  case Pipe::V:
    return AgentKind::V;
  case Pipe::MTE2:
    return AgentKind::MTE2;
  case Pipe::MTE3:
    return AgentKind::MTE3;
  case Pipe::S:
  case Pipe::ALL:
    break;
  }
  return AgentKind::Scalar;
}

uint32_t siteOf(State &state, const Writer &writer, Actor actor) {
  return state.sites.of(
      {writer.opcode, writer.place, writer.rank, writer.block, actor, writer.call});
}

/// Scalar atomics pass their operand through one word of UB, which MTE3 reads later.
static void takeAmoWord(State &state, CoreOrder &core, const Deed &deed) {
  AmoWord &last = core.amoWord;
  uint32_t site = siteOf(state, deed.writer, AgentKind::Scalar);
  bool isDone =
      last.token == 0 || (last.read.agent != kNobody &&
                          state.agents.isBefore(last.read, state.agents[core.scalar].clock));
  if (!isDone && last.operand != deed.operand) {
    Trap trap = makeTrap<Rule::AmoOperandOverwritten>("the operand");
    trap.sites.push_back(siteOf(state, last.site, "the earlier one was issued here", -1));
    report(state, std::move(trap), siteOf(state, site, "", state.nowPs),
           placeKey(state, site) + "/" + placeKey(state, last.site));
  }
  last = {deed.token, deed.operand, site, {}};
}

/// An operation starts after all that its issuer had observed. What the issuer does from now on is
/// told apart from what it did before, so that a notify can be seen to come after it.
static void issue(State &state, CoreOrder &core, const Deed &deed) {
  PipeWork work;
  work.issued = state.agents.release(core.scalar);
  state.agents.tick(core.scalar);
  work.issueTime = state.agents[core.scalar].time;
  core.work.emplace(deed.token, std::move(work));
  if (deed.writer.opcode == Opcode::Amo)
    takeAmoWord(state, core, deed);
}

static void finishWork(CoreOrder &core, uint64_t token, PipeWork &work) {
  core.doneTokens.emplace(token, std::make_shared<const Clock>(std::move(work.done)));
  if (core.doneTokens.size() > kTokensKept)
    core.doneTokens.erase(core.doneTokens.begin());
  core.work.erase(token);
}

/// A store to signal words: each is an update of its own.
static void storeWords(State &state, const CoreOrder &core, const Accessor &who, const Touch &touch,
                       const Deed &deed, const ClockRef &issued) {
  access(state, who, AccessKind::Update, touch.view, touch.first, touch.count);
  auto released = std::make_shared<Clock>(*visibleTo(core, issued, touch.view.rank));
  released->raise(who.agent, who.time);
  ElementWalk walk(touch.view, touch.first);
  for (int64_t i = 0; i != touch.count; ++i) {
    if (i != 0)
      walk.advance(1);
    storeWord(state, who, touch, walk.offset(), deed.wordsBefore[size_t(i)], released);
  }
}

/// The storing unit says nothing of a sum that its type cannot hold.
static void checkSum(State &state, const Accessor &who, const Touch &touch,
                     const SumOverflow &sum) {
  ScalarType type = touch.view.type;
  std::string name(info(type).name);
  std::string more =
      sum.more == 0 ? "" : " (and so for " + std::to_string(sum.more) + " more of what it adds to)";
  int64_t size = touch.view.elementBytes();
  report(state,
         makeTrap<Rule::AccumulationOverflow>(
             rangeText(state, touch.view.rank, {sum.offset, sum.offset + size}),
             formatScalar(type, sum.before), formatScalar(type, sum.addend),
             actorText(state, who.site), formatScalar(type, sum.after) + more, name),
         siteOf(state, who.site, "", state.nowPs), placeKey(state, who.site));
}

static AccessKind kindOf(AccessMode mode) {
  return mode == AccessMode::Read    ? AccessKind::Read
         : mode == AccessMode::Write ? AccessKind::Write
                                     : AccessKind::Add;
}

static void touchBytes(State &state, CoreOrder &core, const Accessor &who, const Touch &touch,
                       const Deed &deed, const ClockRef &issued) {
  if (touch.view.space == Space::Ub && !core.ub)
    core.ub = std::make_unique<Shadow>(int64_t(1) << 20, true);
  AccessKind kind = kindOf(touch.mode);
  bool isWords =
      kind != AccessKind::Read && !deed.wordsBefore.empty() && touch.view.space == Space::Gm;
  if (isWords)
    storeWords(state, core, who, touch, deed, issued);
  else
    access(state, who, kind, touch.view, touch.first, touch.count);
  if (kind == AccessKind::Add && deed.overflow)
    checkSum(state, who, touch, *deed.overflow);
}

static void step(State &state, CoreOrder &core, const Deed &deed) {
  auto found = core.work.find(deed.token);
  if (found == core.work.end())
    return;
  PipeWork &work = found->second;
  AgentId pipe = agentOf(core, deed.pipe);
  state.agents.join(pipe, *work.issued);
  state.agents.join(pipe, work.done); // Its earlier steps, on other pipes.
  if (deed.takes)
    state.agents.join(pipe, core.flags[deed.flag]);
  Epoch now = state.agents.touch(pipe);
  Accessor who{pipe,
               now.time,
               &state.agents[pipe].clock,
               0,
               deed.core,
               core.scalar,
               work.issueTime,
               siteOf(state, deed.writer, actorOf(deed.pipe)),
               deed.writer.operation};
  if ((deed.writer.opcode == Opcode::Tget || deed.writer.opcode == Opcode::MteGet) &&
      deed.pipe == Pipe::MTE3)
    who.source = deed.peer;
  for (const Touch &touch : deed.touches)
    touchBytes(state, core, who, touch, deed, work.issued);
  if (deed.pipe == Pipe::MTE3 && !deed.touches.empty())
    core.lastStore = {who.agent, who.time}, core.lastStoreSite = who.site;
  if (deed.token == core.amoWord.token)
    core.amoWord.read = {who.agent, who.time};
  work.done.join(*state.agents.release(pipe));
  if (deed.raises)
    core.flags[deed.flag] = state.agents[pipe].clock;
  if (!deed.isLast)
    return;
  if (deed.holdsLoads)
    state.agents.join(agentOf(core, Pipe::MTE2), work.done);
  finishWork(core, deed.token, work);
}

/// Where a queue keeps no order, a post that notifies speaks of its own bytes alone: it is done by
/// another agent than the posts before it.
static DomainOrder &tellerOf(State &state, CoreOrder &core, DomainOrder &domain, const Deed &deed) {
  if (!domain.teller) {
    domain.teller = std::make_unique<DomainOrder>();
    Part part = partOf(state, core, AgentKind::Queue);
    part.domain = deed.domain;
    part.queue = ~domain.shared;
    domain.teller->agent = takeAgent(state, part);
    domain.teller->base = domain.teller->covered = state.agents[domain.teller->agent].time;
  }
  return *domain.teller;
}

static DomainOrder &domainOf(State &state, CoreOrder &core, const Deed &deed) {
  if (core.domains.size() <= deed.domain)
    core.domains.resize(deed.domain + 1u);
  DomainOrder &domain = core.domains[deed.domain];
  if (domain.agent == kNobody) {
    domain.shared = deed.sharesQueue ? deed.queue : 0;
    Part part = partOf(state, core, AgentKind::Queue);
    part.domain = deed.domain;
    part.queue = domain.shared;
    domain.agent = takeAgent(state, part);
    state.agents[domain.agent].queue = deed.queue;
    domain.base = domain.covered = state.agents[domain.agent].time;
    if (deed.engine == DmaEngine::RDMA)
      state.agents.divide(domain.agent, deed.peer);
  }
  return domain;
}

/// Cores that post to one queue have to take turns.
static void checkQueue(State &state, const CoreOrder &core, const Deed &deed, uint32_t site,
                       const Clock &issued) {
  Epoch now{core.scalar, state.agents[core.scalar].time};
  LastPost &last = state.queues[deed.queue];
  if (last.core != kNoCore && last.core != deed.core &&
      !state.agents.isBefore(last.issued, issued)) {
    Trap trap = makeTrap<Rule::QueueShared>(actorText(state, site), core.rank, deed.peer,
                                            actorText(state, last.site));
    trap.sites.push_back(siteOf(state, last.site, "the other one was posted here", last.timePs));
    report(state, std::move(trap), siteOf(state, site, "", state.nowPs),
           placeKey(state, site) + "/" + placeKey(state, last.site));
  }
  last = {deed.core, now, site, state.nowPs};
}

/// A transfer may touch its bytes from now on, and is done with them for whoever waited for it.
static void post(State &state, CoreOrder &core, const Deed &deed) {
  DomainOrder &whole = domainOf(state, core, deed);
  const DomainOrder &domain =
      deed.isUnordered && deed.signal ? tellerOf(state, core, whole, deed) : whole;
  ClockRef issued = state.agents.release(core.scalar);
  state.agents.tick(core.scalar);
  uint32_t site = siteOf(state, deed.writer, deed.engine);
  state.addStep(core, site);
  if (deed.sharesQueue)
    checkQueue(state, core, deed, site, *issued);
  uint32_t time = domain.base + uint32_t(deed.sequence);
  state.agents[domain.agent].time = std::max(state.agents[domain.agent].time, time);
  Accessor who{domain.agent,
               time,
               issued.get(),
               deed.isUnordered ? ~deed.writer.operation : deed.queue,
               deed.core,
               core.scalar,
               state.agents[core.scalar].time,
               site,
               deed.writer.operation};
  for (const Touch &touch : deed.touches)
    access(state, who, kindOf(touch.mode), touch.view, touch.first, touch.count);
  state.flights.emplace(deed.writer.operation, Flight{{domain.agent, time}, issued});
  if (!deed.signal)
    return;
  auto full = std::make_shared<Clock>(*issued);
  state.agents.raiseIn(*full, domain.agent, time);
  auto released = std::make_shared<Clock>(*visibleTo(core, issued, deed.signal->rank));
  state.agents.raiseIn(*released, domain.agent, time);
  sendUpdate(state, *deed.signal, {domain.agent, time}, released, full, site, deed.core);
}

static void cover(State &state, CoreOrder &core, const Deed &deed) {
  DomainOrder &domain = core.domains[deed.domain];
  uint32_t time = domain.base + uint32_t(deed.sequence);
  domain.covered = std::max(domain.covered, time);
  bool isNews = state.agents[core.scalar].clock.of(domain.agent) < time;
  state.agents.raise(core.scalar, domain.agent, time);
  if (domain.teller)
    state.agents.raise(core.scalar, domain.teller->agent,
                       domain.teller->base + uint32_t(deed.sequence));
  if (deed.isPolled && isNews)
    addDependence(state, {}, "an event that `test` polls");
}

static void raiseFlag(State &state, CoreOrder &core, const Deed &deed) {
  core.flags[deed.flag] = *state.agents.release(core.scalar);
}

static void takeFlag(State &state, CoreOrder &core, const Deed &deed) {
  state.agents.join(core.scalar, core.flags[deed.flag]);
}

namespace {
struct FollowRow {
  DeedKind kind;
  void (*follow)(State &state, CoreOrder &core, const Deed &deed);
};
} // namespace

/// What a running core did. A transfer is complete whether its core still runs or not.
static constexpr FollowRow kFollow[] = {
    {DeedKind::PipeIssue, issue},   {DeedKind::PipeStep, step}, {DeedKind::FlagRaise, raiseFlag},
    {DeedKind::FlagTake, takeFlag}, {DeedKind::Post, post},     {DeedKind::Cover, cover},
};

} // namespace audit_detail

void Audit::follow(llvm::ArrayRef<Deed> deeds) {
  using namespace audit_detail;
  State &state = *state_;
  for (const Deed &deed : deeds) {
    if (deed.kind == DeedKind::Complete)
      state.flights.erase(deed.writer.operation);
    auto core = state.cores.find(deed.core);
    for (const FollowRow &row : kFollow)
      if (row.kind == deed.kind && core != state.cores.end())
        row.follow(state, core->second, deed);
  }
}

} // namespace pto
