//===- verify.h - whether a module may be run -------------------*- C++ -*-===//
//
// Structure only, from the rows of opcode.def: register indices and types, labels, indices into the
// module's tables, enumerators, calls that fit, functions that end. What a verified module does at
// run time can trap, but cannot leave the machine.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_VERIFY_H
#define PTO_BYTECODE_VERIFY_H

#include "bytecode/module.h"

#include "llvm/Support/Error.h"

namespace pto {

[[nodiscard]] llvm::Error verify(const Module &module);

inline constexpr uint32_t kMaxRegisters = 1u << 16;
inline constexpr uint32_t kMaxCode = 1u << 22;
inline constexpr uint32_t kMaxObjects = 1u << 16;

} // namespace pto

#endif
