//===- vm.h - run one agent until it needs the world ------------*- C++ -*-===//
#ifndef PTO_VM_VM_H
#define PTO_VM_VM_H

#include "vm/core.h"

namespace pto {

enum class Stop : uint8_t {
  Done,  ///< The outermost function has returned.
  Asked, ///< core.request says what for; complete() goes on.
  Trapped,
  Budget, ///< It ran as many instructions as it was given.
};

/// Prepares the core to run a function with its parameters.
void enter(Core &core, const Machine &machine, uint32_t function, llvm::ArrayRef<ScalarBits> args,
           llvm::ArrayRef<View> viewArgs);
/// Runs at most `budget` instructions; fills `trap` when it stops so.
[[nodiscard]] Stop run(Core &core, const Machine &machine, uint64_t budget, Trap &trap);
/// Answers the request: its value goes to the destination, the time is set.
void complete(Core &core, int64_t timePs, ScalarBits value);

/// The place of the instruction that the core stopped at or runs next.
[[nodiscard]] CodePlace currentPlace(const Core &core, const Module &module);
/// Where the kernel or host called the function that this happens in; no line: it is in itself.
[[nodiscard]] CodePlace callPlace(const Core &core, const Module &module);

} // namespace pto

#endif
