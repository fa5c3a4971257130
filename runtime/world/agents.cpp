// Agents: each runs ahead on its own until it asks; its request is carried out when the clock has
// come to the time of asking.

#include "world/parts.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace pto {

static constexpr uint64_t kRunAhead = 1 << 16; ///< Instructions before others get their turn.
static constexpr unsigned kPrivateRow = 1024;  ///< Private requests before others get their turn.
static constexpr uint64_t kLooksBeforeSuspicion = 64;

void wake(World &world, Agent &agent, int64_t atPs, uint64_t operation) {
  agent.park = Park::None;
  agent.wokenBy = operation;
  world.agenda.add(std::max(atPs, world.nowPs), ActionKind::Resume, agent.id);
}

static uint64_t stateHash(const Core &core) {
  auto bytes = [](const auto &range) {
    return llvm::ArrayRef(reinterpret_cast<const uint8_t *>(range.data()),
                          range.size() * sizeof range[0]);
  };
  uint64_t hash = llvm::xxh3_64bits(bytes(core.scalars));
  for (const Frame &frame : core.frames)
    hash = mixBits(hash ^ (uint64_t(frame.function) << 32 | frame.pc));
  for (unsigned i = 0; i != core.request.viewCount; ++i)
    hash = mixBits(hash ^ uint64_t(core.request.views[i].offset) ^
                   uint64_t(core.request.views[i].rank) << 40);
  return hash;
}

/// What a request means to others: it only looks, it changes nothing, or it does something.
enum class Meaning : uint8_t { Look, Nothing, Deed };

/// HIXL's own progress is on the agenda, so a question that gets the same answer while nothing is
/// there gets it for ever.
static Meaning meaningOf(HixlVerb verb) {
  static constexpr HixlVerb kLooks[] = {HixlVerb::ConnectStatus,    HixlVerb::ConnectEntries,
                                        HixlVerb::TransferStatus,   HixlVerb::ReportedStatus,
                                        HixlVerb::ReportedData,     HixlVerb::ReportedRequest,
                                        HixlVerb::GetNotifies,      HixlVerb::NotifyIs,
                                        HixlVerb::TransferStatuses, HixlVerb::Status};
  return llvm::is_contained(kLooks, verb) ? Meaning::Look : Meaning::Deed;
}

static Meaning meaningOf(const Request &request) {
  Opcode opcode = request.opcode;
  if (opcode == Opcode::HixlCall)
    return meaningOf(HixlVerb(request.values[0]));
  static constexpr Opcode kLooks[] = {Opcode::Load, Opcode::Ttest, Opcode::Test, Opcode::HostLoad};
  static constexpr Opcode kNothings[] = {
      Opcode::Dsb,       Opcode::Dcci,     Opcode::PipeBarrier, Opcode::Yield,
      Opcode::WaitToken, Opcode::Tsync,    Opcode::SessionOk,   Opcode::SessionRequire,
      Opcode::Group,     Opcode::GroupAdd, Opcode::GroupRoot,   Opcode::Sleep,
      Opcode::HixlText,  Opcode::HixlPair};
  if (llvm::is_contained(kLooks, opcode))
    return Meaning::Look;
  return llvm::is_contained(kNothings, opcode) ? Meaning::Nothing : Meaning::Deed;
}

/// Keeps account of polling; `agent.core` has the answer of its request.
static void notePolling(World &world, Agent &agent) {
  Polling &polling = agent.polling;
  Meaning meaning = meaningOf(agent.core.request);
  if (meaning == Meaning::Deed)
    ++world.epoch;
  if (meaning == Meaning::Deed || polling.epoch != world.epoch)
    polling = {0, 0, world.epoch, false};
  if (meaning != Meaning::Look || ++polling.looks < kLooksBeforeSuspicion)
    return;
  uint64_t now = stateHash(agent.core);
  polling.isCycling |= now == polling.snapshot;
  // Brent's cycle search: the snapshot moves on at powers of two.
  if (!polling.isCycling && (polling.looks & (polling.looks - 1)) == 0)
    polling.snapshot = now;
}

bool onlyPollersLeft(const World &world) {
  size_t pollers = 0;
  for (const auto &agent : world.agents) {
    if (!agent || agent->park != Park::None)
      continue;
    if (!agent->polling.isCycling || agent->polling.epoch != world.epoch)
      return false;
    ++pollers;
  }
  return pollers ==
         world.agenda.size() + 1; // All but the one that moves now; and nothing else is due.
}

/// The signal that a request waits for.
static std::string awaitedWord(const World &world, const Request &request) {
  bool isSignal = request.viewCount != 0 && request.views[0].isSignal;
  return isSignal ? elementName(world.module, world.layout, request.views[0].offset) : "";
}

static void traceWaitEnd(World &world, Agent &agent, int64_t timePs) {
  if (agent.waitBeginPs >= 0 && world.trace.isOn())
    world.trace.add({.kind = EventKind::WaitEnd,
                     .lane = agent.isHost ? Lane::Host : Lane::Scalar,
                     .opcode = agent.core.request.opcode,
                     .rank = agent.core.rank,
                     .index = agent.core.block,
                     .timePs = timePs,
                     .startPs = agent.waitBeginPs,
                     .operation = agent.wokenBy,
                     .word = awaitedWord(world, agent.core.request),
                     .place = agent.core.request.place});
  agent.waitBeginPs = -1;
  agent.wokenBy = 0;
}

static void block(World &world, Agent &agent, int64_t atPs) {
  if (agent.park == Park::None)
    agent.park = Park::Engine;
  if (agent.waitBeginPs >= 0)
    return;
  agent.waitBeginPs = atPs;
  if (world.trace.isOn())
    world.trace.add({.kind = EventKind::WaitBegin,
                     .lane = agent.isHost ? Lane::Host : Lane::Scalar,
                     .opcode = agent.core.request.opcode,
                     .rank = agent.core.rank,
                     .index = agent.core.block,
                     .timePs = atPs,
                     .word = awaitedWord(world, agent.core.request),
                     .place = agent.core.request.place});
}

/// Carries out the request of an agent; false if the agent has to stop here.
static bool answer(World &world, Agent &agent, int64_t atPs) {
  Completion completion = carryOut(world, agent, atPs);
  if (world.stopped)
    return false;
  if (completion.progress == Progress::Trapped) {
    reportTrap(world, agent, *completion.trap);
    return false;
  }
  if (completion.progress == Progress::Blocked && !agent.hasRequest)
    return false; // The last host at a meeting: all of them are on the agenda already.
  if (completion.progress == Progress::Blocked) {
    block(world, agent, atPs);
    return false;
  }
  traceWaitEnd(world, agent, completion.timePs);
  agent.hasRequest = false;
  complete(agent.core, completion.timePs, completion.value);
  notePolling(world, agent);
  bool asksOften = agent.polling.isCycling && agent.polling.looks % kLooksBeforeSuspicion == 0;
  if (asksOften && onlyPollersLeft(world)) {
    reportStall(world);
    return false;
  }
  return true;
}

static void finish(World &world, Agent &agent) {
  ++world.epoch;
  if (agent.isHost)
    finishHost(world, agent);
  else
    finishBlock(world, agent);
}

/// Runs bytecode until the agent asks; false if it has to stop here.
static bool runAhead(World &world, Agent &agent) {
  uint64_t left = world.options.maxSteps - world.steps;
  if (left == 0) {
    reportTrap(world, agent, makeTrap<Rule::StepLimit>(world.options.maxSteps));
    return false;
  }
  uint64_t before = agent.core.steps;
  Trap trap;
  Stop stop = run(agent.core, world.machine, std::min(left, kRunAhead), trap);
  world.steps += agent.core.steps - before;
  switch (stop) {
  case Stop::Asked:
    agent.hasRequest = true;
    return true;
  case Stop::Budget:
    world.agenda.add(agent.core.timePs, ActionKind::Resume, agent.id);
    return false;
  case Stop::Done:
    finish(world, agent);
    return false;
  case Stop::Trapped:
    reportTrap(world, agent, trap);
    return false;
  }
  return false;
}

void resume(World &world, uint32_t id) {
  Agent &agent = *world.agents[id];
  if (agent.park == Park::Finished)
    return; // Its host was lost.
  if (agent.isDraining || agent.core.frames.empty())
    return finish(world, agent);
  int64_t atPs = std::max(world.nowPs, agent.core.timePs);
  unsigned inARow = 0;
  for (;;) {
    if (agent.hasRequest && !answer(world, agent, atPs))
      return;
    if (!runAhead(world, agent))
      return;
    atPs = agent.core.timePs;
    bool isAlone = isPrivate(world, agent) && ++inARow < kPrivateRow;
    bool isNext = world.agenda.empty() || atPs < world.agenda.nextTime();
    if (!isAlone && !isNext) {
      world.agenda.add(atPs, ActionKind::Resume, agent.id);
      return;
    }
    if (isNext)
      world.nowPs = std::max(world.nowPs, atPs);
  }
}

} // namespace pto
