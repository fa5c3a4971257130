//===- binary.h - .ptoc files -----------------------------------*- C++ -*-===//
//
// Layout: "PTOC", u32 version, u64 payload size, u64 checksum (xxh3 of the payload), payload. The
// payload is a row of sections of LEB128 numbers and counted strings; what an instruction holds
// follows from its row in opcode.def.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_BINARY_H
#define PTO_BYTECODE_BINARY_H

#include "bytecode/module.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

inline constexpr uint32_t kFormatVersion = 5;

void writeBinary(llvm::raw_ostream &out, const Module &module);
/// Whether the bytes claim to be a .ptoc file.
[[nodiscard]] bool isBinary(llvm::StringRef bytes);
/// Reads and verifies. The bytes are hostile: every count is bounded by what is left to read.
[[nodiscard]] llvm::Expected<Module> readBinary(llvm::StringRef bytes);

} // namespace pto

#endif
