// Findings: a trap, with the place and agent that it happened to.

#include "world/parts.h"

#include "diag/sink.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

Place placeOf(const World &world, const CodePlace &place) {
  const std::vector<std::string> &files = world.module.files;
  return {place.file < files.size() ? files[place.file] : "", place.line, place.column,
          std::max(place.length, 1u)};
}

std::string agentName(const Agent &agent) {
  std::string rank = "rank " + std::to_string(agent.core.rank);
  return agent.isHost ? rank + " host" : rank + " block " + std::to_string(agent.core.block);
}

static Site siteOf(const World &world, const TrapSite &site) {
  return {placeOf(world, site.place), site.role, site.rank, site.block, site.timePs};
}

/// A place in a function says little without its call, and a function of the library least. Of the
/// places of one call the first one has the note.
static void addSite(const World &world, const TrapSite &site, Finding &finding) {
  finding.sites.push_back(siteOf(world, site));
  if (site.call.line == 0)
    return;
  Site call{placeOf(world, site.call), "in this call", site.rank, site.block, -1};
  bool isKnown = llvm::any_of(finding.sites, [&](const Site &other) {
    return other.role == call.role && other.rank == call.rank && other.block == call.block &&
           other.place.line == call.place.line && other.place.column == call.place.column &&
           other.place.file == call.place.file;
  });
  if (!isKnown)
    finding.sites.push_back(std::move(call));
}

Finding makeFinding(const World &world, const Trap &trap, const TrapSite &site) {
  const RuleInfo &row = info(trap.rule);
  Finding finding{trap.rule,
                  row.severity,
                  fillSlots(row.message, trap.args),
                  fillSlots(row.mend, trap.args),
                  {},
                  {},
                  {},
                  trap.again};
  addSite(world, site, finding);
  for (const TrapSite &other : trap.sites)
    addSite(world, other, finding);
  finding.details = trap.details;
  return finding;
}

void traceFinding(World &world, const Finding &finding, const TrapSite &site) {
  world.trace.add({.kind = EventKind::Finding,
                   .lane = site.block < 0 ? Lane::Host : Lane::Scalar,
                   .rank = std::max(site.rank, 0),
                   .index = std::max(site.block, 0),
                   .timePs = world.nowPs,
                   .text = finding.message,
                   .place = site.place});
}

void reportTrap(World &world, const Agent &agent, const Trap &trap) {
  TrapSite site{currentPlace(agent.core, world.module),
                "",
                agent.core.rank,
                agent.isHost ? -1 : agent.core.block,
                std::max(world.nowPs, agent.core.timePs),
                callPlace(agent.core, world.module)};
  world.findings.push_back(makeFinding(world, trap, site));
  traceFinding(world, world.findings.back(), site);
  world.stopped = true;
}

void reportFault(World &world, const PipeFault &fault) {
  const Writer &writer = fault.writer;
  TrapSite site{writer.place, "", writer.rank, writer.block, world.nowPs, writer.call};
  world.findings.push_back(makeFinding(world, fault.trap, site));
  traceFinding(world, world.findings.back(), site);
  world.stopped = true;
}

void reportBlockEnd(World &world, const Agent &core, const Trap &trap, const CodePlace &place) {
  TrapSite site{place, "", core.core.rank, core.core.block, world.nowPs};
  Place at = placeOf(world, place);
  for (Finding &finding : world.findings) {
    const Place &other = finding.sites.front().place;
    if (finding.rule != trap.rule || other.line != at.line || other.column != at.column ||
        other.file != at.file)
      continue;
    constexpr size_t kMostSites = 8;
    if (finding.sites.size() < kMostSites)
      finding.sites.push_back({at, "and here", site.rank, site.block, site.timePs});
    return;
  }
  world.findings.push_back(makeFinding(world, trap, site));
  traceFinding(world, world.findings.back(), site);
}

void settleExpectedViolations(World &world) {
  for (Rule rule : world.entry.expectedViolations) {
    size_t before = world.findings.size();
    llvm::erase_if(world.findings, [&](const Finding &finding) { return finding.rule == rule; });
    if (world.findings.size() == before)
      world.findings.push_back(makeFinding(world,
                                           makeTrap<Rule::ViolationExpected>(info(rule).slug),
                                           {world.entry.place, "", -1, -1, -1}));
  }
}

} // namespace pto
