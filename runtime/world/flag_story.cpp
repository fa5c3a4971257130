// For hang reports: which flag holds the pipes of a core, and who could have raised it.

#include "world/parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace pto {

static std::string at(const World &world, const CodePlace &place) {
  Place p = placeOf(world, place);
  return p.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

static std::vector<FlagHold> holdsOf(const World &world, const Agent &agent) {
  // A kernel that has ended is blocked in nothing; what it asked last is history.
  return world.engines.flagHolds(agent.id, agent.isDraining ? Request() : agent.core.request);
}

CodePlace flagWaitPlace(const World &world, const Agent &agent) {
  std::vector<FlagHold> holds = holdsOf(world, agent);
  return agent.isDraining && !holds.empty() ? holds.front().place : agent.core.request.place;
}

std::string flagWaitText(const World &world, const Agent &agent) {
  std::vector<FlagHold> holds = holdsOf(world, agent);
  if (holds.empty())
    return "its pipes";
  const FlagHold &hold = holds.front();
  if (hold.pipe == "S")
    return "the flag (" + hold.flag + ") is down";
  return "pipe " + hold.pipe + " stands at the wait_flag at " + at(world, hold.place) +
         ", and the flag (" + hold.flag + ") is down";
}

/// The places of the sets between two pipes in a kernel and in all that it calls.
static llvm::SmallVector<CodePlace, 4> settersOf(const Module &module, uint32_t kernel, Pipe from,
                                                 Pipe to) {
  llvm::SmallSetVector<uint32_t, 8> reached;
  reached.insert(kernel);
  llvm::SmallVector<CodePlace, 4> places;
  for (size_t i = 0; i != reached.size(); ++i) {
    const Function &function = module.functions[reached[i]];
    for (uint32_t pc = 0; pc != function.code.size(); ++pc) {
      const Instruction &each = function.code[pc];
      if (each.opcode == Opcode::Call)
        reached.insert(each.operands[0]);
      if (each.opcode == Opcode::SetFlag && Pipe(each.operands[0]) == from &&
          Pipe(each.operands[1]) == to)
        places.push_back(pc < function.places.size() ? function.places[pc] : function.place);
    }
  }
  return places;
}

static bool isSame(const CodePlace &a, const CodePlace &b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

static void describeHold(const World &world, const Agent &agent, const FlagHold &hold, Trap &trap) {
  if (hold.raised == 0)
    trap.details.push_back("  nobody ever raised the flag (" + hold.flag + ")");
  else
    trap.details.push_back("  the flag (" + hold.flag + ") was raised " +
                           std::to_string(hold.raised) + (hold.raised == 1 ? " time" : " times") +
                           ", last at " + at(world, hold.lastRaised) + ", and taken as often");
  llvm::SmallVector<CodePlace, 4> setters =
      settersOf(world.module, world.launches[agent.launch].kernel, hold.from, hold.to);
  trap.details.push_back(setters.empty() ? "  no set_flag of the kernel is of these pipes"
                                         : "  who could still raise it:");
  for (const CodePlace &place : setters) {
    bool isQueued =
        llvm::any_of(hold.queued, [&](const CodePlace &queued) { return isSame(queued, place); });
    std::string why = isQueued ? "queued on " + name(hold.from).str() + ", which stands still too"
                      : agent.isDraining ? std::string("the kernel has ended")
                                         : "not reached again: the core is blocked at " +
                                               at(world, agent.core.request.place);
    trap.details.push_back("    set_flag at " + at(world, place) + " — " + why);
  }
}

void describeFlags(const World &world, const Agent &agent, Trap &trap) {
  for (const FlagHold &hold : holdsOf(world, agent))
    describeHold(world, agent, hold, trap);
}

} // namespace pto
