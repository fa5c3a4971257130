// HIXL in the run: its time, the bytes that it moves, whom it wakes, and what it finds wrong.

#include "world/parts.h"

#include "hixl/incident.h"
#include "hixl/misuse.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static bool usesHixl(const Module &module) {
  return llvm::any_of(module.functions, [](const Function &function) {
    return llvm::any_of(function.code, [](const Instruction &instruction) {
      return instruction.opcode == Opcode::HixlCall;
    });
  });
}

static HixlFault faultOf(const HixlIncident &incident) {
  static constexpr HixlFaultKind kKinds[] = {HixlFaultKind::Link, HixlFaultKind::Host,
                                             HixlFaultKind::Transfer, HixlFaultKind::Stall};
  return {kKinds[size_t(incident.kind)], incident.from, incident.to, incident.atPs,
          incident.untilPs};
}

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

llvm::Error startHixl(World &world) {
  if (!usesHixl(world.module))
    return llvm::Error::success();
  HixlClusterConfig config;
  config.platform = world.options.target.platform;
  config.surroundings.cann = world.options.target.cann;
  config.seed = world.options.seed;
  config.hosts = world.options.ranks;
  config.hostsPerServer = world.entry.servers;
  world.hixl = std::make_unique<HixlHosts>(config);
  for (const std::string &text : world.entry.faults) {
    ParsedIncident parsed = parseHixlIncident(text);
    if (!parsed.value)
      return refuse(parsed.why);
    if (std::max(parsed.value->from, parsed.value->to) >= world.options.ranks)
      return refuse("the fault \"" + text + "\" names a host that this run does not have");
    world.hixl->cluster.fault(faultOf(*parsed.value));
    if (parsed.value->kind == HixlIncidentKind::Host)
      world.hixl->lost.emplace_back(parsed.value->atPs, parsed.value->from);
  }
  followHixl(world);
  return llvm::Error::success();
}

static void copyBytes(World &world, const HixlCopy &copy) {
  std::memmove(world.gm.of(copy.to.host) + copy.to.offset,
               world.gm.of(copy.from.host) + copy.from.offset, size_t(copy.bytes));
  for (uint32_t object = 0; world.audit && object != world.layout.objects.size(); ++object) {
    const ObjectLayout &placed = world.layout.objects[object];
    if (copy.to.offset >= placed.view.offset && copy.to.offset < placed.view.offset + placed.bytes)
      world.audit->fileFills(copy.to.host, object); // As if the host had written it.
  }
  Writer writer;
  writer.place = world.hixl->sites[copy.site].place;
  writer.rank = world.hixl->sites[copy.site].rank;
  noteWrite(world, copy.to.host, {copy.to.offset, copy.to.offset + copy.bytes}, writer);
}

std::vector<llvm::StringRef> hixlEnginesOf(const HixlHosts &hixl) {
  std::vector<llvm::StringRef> names;
  for (size_t i = 0; i != hixlEngines().size(); ++i)
    if (hixl.engines.contains(HixlEngine(i)))
      names.push_back(hixlEngines()[i].name);
  return names;
}

/// The end of a call that blocked its host.
static void wakeHost(World &world, const HixlWake &wake) {
  Agent &host = *world.agents[wake.agent];
  if (host.park != Park::Hixl)
    return;
  host.park = Park::None;
  host.hasRequest = false;
  host.waitBeginPs = -1;
  const HixlCaller &caller = world.hixl->hosts[size_t(host.core.rank)].waiting;
  ScalarBits value = settleHixl(world, caller, wake.answer);
  traceHixlCall(world, caller, wake.answer, wake.atPs);
  complete(host.core, std::max(wake.atPs, world.nowPs) + 1, value);
  world.agenda.add(host.core.timePs, ActionKind::Resume, host.id);
}

static TrapSite trapSite(const HixlSite &site, llvm::StringRef role, int64_t timePs) {
  return {site.place, role.str(), site.rank, -1, timePs, site.call};
}

/// Advice is of programs that work; a run gives it to tests that expect it, and to nobody else.
void reportMisuse(World &world, const HixlMisuse &misuse) {
  Rule rule = hixlRule(misuse.account, misuse.isOfOptions,
                       misuse.isOfOptions && misuse.severity == Severity::Error);
  bool isAdvice = misuse.severity == Severity::Advice || misuse.severity == Severity::Note;
  if (isAdvice && !llvm::is_contained(world.entry.expectedViolations, rule))
    return;
  Trap trap{rule, {misuse.text}, {}, {}, 0};
  if (misuse.other != 0)
    trap.sites.push_back(trapSite(world.hixl->sites[misuse.other], misuse.role, -1));
  const HixlSite &site = world.hixl->sites[misuse.site];
  TrapSite at = trapSite(site, "", misuse.atPs);
  if (misuse.site == 0)
    at.place = world.entry.place;
  Finding finding = makeFinding(world, trap, at);
  finding.severity = misuse.severity;
  finding.mend = misuse.mend;
  if (!misuse.account.empty())
    finding.details.push_back("rule " + misuse.account + " of the reference");
  if (!misuse.state.empty())
    finding.details.push_back(misuse.state);
  world.findings.push_back(std::move(finding));
  traceFinding(world, world.findings.back(), at);
}

void followHixl(World &world) {
  HixlEffects effects = world.hixl->cluster.take();
  for (const HixlCopy &copy : effects.copies)
    copyBytes(world, copy);
  for (const HixlMisuse &misuse : effects.misuses)
    reportMisuse(world, misuse);
  traceHixl(world, effects);
  for (const HixlWake &wake : effects.wakes)
    wakeHost(world, wake);
  std::optional<int64_t> next = world.hixl->cluster.nextPs();
  if (!next || (world.hixl->duePs && *world.hixl->duePs <= *next))
    return;
  world.hixl->duePs = std::max(*next, world.nowPs);
  world.agenda.add(*world.hixl->duePs, ActionKind::Hixl, 0);
}

/// A host that is lost makes no further step; nobody waits for it.
static void loseHosts(World &world) {
  for (auto [atPs, rank] : world.hixl->lost) {
    Agent &host = *world.agents[size_t(rank)];
    if (atPs > world.nowPs || host.park == Park::Finished)
      continue;
    world.atStep -= host.park == Park::Step;
    world.atBarrier -= host.park == Park::Barrier;
    host.park = Park::Finished;
    ++world.finishedHosts;
    releaseHosts(world);
  }
}

void advanceHixl(World &world) {
  if (world.finishedHosts == world.options.ranks)
    return; // Nobody is left to see it.
  ++world.epoch;
  world.hixl->duePs.reset();
  world.hixl->cluster.advance(world.nowPs);
  loseHosts(world);
  followHixl(world);
}

void finishHixl(World &world) {
  if (!world.hixl || world.finishedHosts != world.options.ranks)
    return;
  for (uint32_t engine = 1; engine != world.hixl->objects.size(); ++engine)
    sayUnseen(world, engine, 0);
  world.hixl->cluster.finish(world.nowPs);
  for (const HixlMisuse &misuse : world.hixl->cluster.take().misuses)
    reportMisuse(world, misuse);
}

} // namespace pto
