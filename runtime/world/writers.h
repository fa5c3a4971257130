//===- writers.h - who of a program could write a signal --------*- C++ -*-===//
//
// For hang reports: the instructions of a kernel that write signal words, and of which objects, as
// far as the code alone says.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_WORLD_WRITERS_H
#define PTO_WORLD_WRITERS_H

#include "bytecode/module.h"
#include "port/request.h"

namespace pto {

struct SignalWriter {
  CodePoint at;
  Opcode opcode = Opcode::Return;
  CodePlace place;
  bool adds = false;                      ///< It notifies with AtomicAdd.
  bool mayBeAny = false;                  ///< Its word comes from a parameter.
  llvm::SmallVector<uint32_t, 2> objects; ///< Else: the objects that it may be in.

  [[nodiscard]] bool mayWrite(uint32_t object) const;
};

/// Of the kernel and of all that it calls, in order of the code.
[[nodiscard]] std::vector<SignalWriter> signalWritersOf(const Module &module, uint32_t kernel);

} // namespace pto

#endif
