// The life of an audit, of hosts and of launches: who joins whom.

#include "audit/parts.h"

#include "base/check.h"

namespace pto {

using namespace audit_detail;

namespace audit_detail {

State::State(const AuditContext &context) : context(context) {
  const Module &module = context.module;
  for (int32_t rank = 0; rank != context.ranks; ++rank) {
    gm.emplace_back(context.gm.bytesPerRank());
    for (size_t i = 0; i != module.objects.size(); ++i) {
      const ObjectLayout &placed = context.layout.objects[i];
      // Signal words are 0 at start, as in an HCCL window.
      if (module.objects[i].hasInit || module.objects[i].isSignal)
        gm.back().initialise({placed.view.offset, placed.view.offset + placed.bytes});
    }
    hosts.push_back(agents.add(AgentKind::Host, rank, -1));
  }
  rankEnds.resize(size_t(context.ranks));
  if (context.limits)
    limits = *context.limits;
}

WordHistory &State::word(int32_t rank, int64_t offset) {
  auto found = words.find({rank, offset});
  if (found != words.end())
    return found->second;
  int32_t value = int32_t(loadScalar(ScalarType::I32, context.gm.of(rank) + offset));
  return words.emplace(std::pair(rank, offset), WordHistory(value)).first->second;
}

void State::addStep(CoreOrder &core, uint32_t site, int32_t rank, int64_t offset) {
  constexpr size_t kKept = 16;
  std::deque<Step> &steps = core.story.steps;
  steps.push_back({nowPs, site, rank, offset, agents[core.scalar].time});
  if (steps.size() > kKept)
    steps.pop_front();
}

Accessor hostOf(State &state, int32_t rank, uint32_t site) {
  Epoch now = state.agents.touch(state.hosts[size_t(rank)]);
  return {now.agent, now.time, &state.agents[now.agent].clock, 0, kNoCore, kNobody, 0, site, 0};
}

const CoreStory *State::story(uint32_t core) const {
  auto running = cores.find(core);
  if (running != cores.end())
    return &running->second.story;
  auto ended = past.find(core);
  return ended == past.end() ? nullptr : &ended->second;
}

} // namespace audit_detail

Audit::Audit(const AuditContext &context) : state_(std::make_unique<State>(context)) {}
Audit::~Audit() = default;

size_t Audit::agents() const { return state_->agents.size(); }

void Audit::setTime(int64_t nowPs) { state_->nowPs = nowPs; }

void Audit::launchBegins(uint32_t launch, int32_t rank, int32_t stream, uint32_t kernel) {
  LaunchOrder order;
  order.rank = rank;
  order.stream = stream;
  order.kernel = kernel;
  order.begin = *state_->agents.release(state_->hosts[size_t(rank)]);
  state_->launches.emplace(launch, std::move(order));
}

void Audit::launchStarts(uint32_t launch) {
  LaunchOrder &order = state_->launches.at(launch);
  order.begin.join(state_->streams[{order.rank, order.stream}]);
}

void Audit::launchEnds(uint32_t launch) {
  LaunchOrder &order = state_->launches.at(launch);
  state_->streams[{order.rank, order.stream}].join(order.end);
  state_->rankEnds[size_t(order.rank)].join(order.end);
  state_->launches.erase(launch);
}

void Audit::hostSyncs(int32_t rank) {
  state_->agents.join(state_->hosts[size_t(rank)], state_->rankEnds[size_t(rank)]);
}

void Audit::hostsMeet() {
  State &state = *state_;
  Clock all;
  for (AgentId host : state.hosts)
    all.join(*state.agents.release(host));
  for (AgentId host : state.hosts)
    state.agents.join(host, all);
  // Where nothing is under way everybody now knows all, and nothing older needs a clock any more.
  bool isQuiet = state.launches.empty() && state.flights.empty() && state.updatesUnderWay == 0;
  if (!isQuiet)
    return;
  for (const Clock &end : state.rankEnds)
    if (!all.covers(end))
      return;
  for (const auto &[part, agent] : state.idle)
    state.agents.giveUp(agent, state.ended);
  state.agents.settle(state.ended);
  state.ended.clear();
  state.idle.clear();
  state.past.clear();
  state.streams.clear();
  for (Clock &end : state.rankEnds)
    end = Clock();
}

/// An access of a host; gives the history of the signal word that it concerns, if there is one.
static WordHistory *hostTouches(State &state, int32_t rank, const Request &request,
                                AccessKind kind) {
  uint32_t site =
      state.sites.of({request.opcode, request.place, rank, -1, AgentKind::Host, request.call});
  const View &view = request.views[0];
  access(state, hostOf(state, rank, site), kind, view, 0, elements(view));
  auto word = view.isSignal ? state.words.find({view.rank, view.offset}) : state.words.end();
  return word == state.words.end() ? nullptr : &word->second;
}

void Audit::hostReads(int32_t rank, const Request &request) {
  if (WordHistory *word = hostTouches(*state_, rank, request, AccessKind::Read))
    word->markSeen();
}

void Audit::hostWrites(int32_t rank, const Request &request) {
  if (WordHistory *word = hostTouches(*state_, rank, request, AccessKind::Write))
    word->restart(int32_t(request.values[0]));
}

void Audit::fileFills(int32_t rank, uint32_t object) {
  State &state = *state_;
  const ObjectLayout &placed = state.context.layout.objects[object];
  uint32_t site = state.sites.of({Opcode::FileFill, {}, rank, -1, AgentKind::Host, {}});
  accessBytes(state, hostOf(state, rank, site), AccessKind::Write, rank,
              {placed.view.offset, placed.view.offset + placed.bytes});
}

} // namespace pto
