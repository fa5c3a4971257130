// Keeps the audit informed of what engines do, and takes from it what it found.

#include "world/parts.h"

namespace pto {

void followEngines(World &world) {
  if (!world.audit || world.deeds.empty())
    return;
  world.audit->follow(world.deeds.deeds());
  world.deeds.clear();
}

void followRequest(World &world, const Agent &agent, const Request &request,
                   const Completion &completion) {
  followEngines(world);
  if (!world.audit || completion.progress != Progress::Done)
    return;
  switch (request.opcode) {
  case Opcode::PipeBarrier:
    return world.audit->drains(agent.id, request);
  case Opcode::WaitToken:
  case Opcode::Tsync:
    return world.audit->joinsTokens(agent.id, request);
  case Opcode::SetAtomic:
    return world.audit->changesStores(agent.id, request);
  case Opcode::Test:
    if (completion.value == 0)
      world.audit->pollsEvent(agent.id, request);
    return;
  default:
    return;
  }
}

void reportAudit(World &world) {
  if (!world.audit)
    return;
  // A run that ended by itself left nothing under way.
  if (!world.stopped && world.finishedHosts == world.options.ranks)
    world.audit->finish();
  for (const AuditFinding &found : world.audit->takeFindings())
    world.findings.push_back(makeFinding(world, found.trap, found.site));
}

} // namespace pto
