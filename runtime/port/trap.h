//===- trap.h - a run that misbehaved, as a value ---------------*- C++ -*-===//
//
// A trap ends the run: the rule it breaks, the arguments of the rule's message, and the other
// places that belong to the story. Where it happened is known to whoever ran the instruction.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PORT_TRAP_H
#define PTO_PORT_TRAP_H

#include "bytecode/module.h"
#include "diag/rule.h"

#include "llvm/Support/FormatVariadic.h"

namespace pto {

/// A place of the program and the agent that was there.
struct TrapSite {
  CodePlace place;
  std::string role;
  int32_t rank = -1;
  int32_t block = -1;
  int64_t timePs = -1;
  CodePlace call = {}; ///< Where the kernel or host called the function of it; line 0: in itself.
};

struct Trap {
  Rule rule;
  std::vector<std::string> args;
  std::vector<TrapSite> sites;
  std::vector<std::string> details;
  uint64_t again = 0; ///< How often the same cause was met once more.
};

/// The number of arguments is checked against the rule's row when compiling.
template <Rule R, typename... Args> [[nodiscard]] Trap makeTrap(Args &&...args) {
  static_assert(sizeof...(Args) == slotCount(R), "arguments do not match the message's slots");
  return {R, {llvm::formatv("{0}", std::forward<Args>(args)).str()...}, {}, {}, 0};
}

} // namespace pto

#endif
