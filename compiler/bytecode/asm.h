//===- asm.h - bytecode as text, both ways ----------------------*- C++ -*-===//
//
// assemble(disassemble(m)) is m again, byte for byte in binary form; tests hold it to that.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_ASM_H
#define PTO_BYTECODE_ASM_H

#include "bytecode/module.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

void disassemble(llvm::raw_ostream &out, const Module &module);
/// One function alone, for dumps.
void disassemble(llvm::raw_ostream &out, const Module &module, const Function &function);
/// Reads what disassemble() writes; the error names the line.
[[nodiscard]] llvm::Expected<Module> assemble(llvm::StringRef text);

} // namespace pto

#endif
