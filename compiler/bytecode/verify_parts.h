//===- verify_parts.h - the parts of the verifier, private ------*- C++ -*-===//
//
// verify() runs them in this order; each may rely on what those before it accepted.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_VERIFY_PARTS_H
#define PTO_BYTECODE_VERIFY_PARTS_H

#include "bytecode/module.h"
#include "bytecode/operand.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace pto {

/// Files, strings, constants, objects, and the heads of functions.
[[nodiscard]] llvm::Error verifyTables(const Module &module);
/// Each instruction alone, against its row.
[[nodiscard]] llvm::Error verifyCode(const Module &module, const Function &function);
/// What calls and launches pass, who calls whom, and which code may run on the device or the host.
[[nodiscard]] llvm::Error verifyCalls(const Module &module);
[[nodiscard]] llvm::Error verifyEntries(const Module &module);

/// Scalar and view registers of a call: the result, then the parameters.
struct CallShape {
  uint64_t scalars;
  uint64_t views;
};
[[nodiscard]] CallShape callShape(const Function &function);

/// Which types a typed row works on; all rows that are not about arithmetic take every scalar.
[[nodiscard]] TypeSet typesOf(Opcode opcode);
/// Whether only a core can run it: it needs pipes, UB, or the queues of a core.
[[nodiscard]] bool isDeviceOnly(Opcode opcode);

/// The position of the first operand of a kind, or nothing.
[[nodiscard]] std::optional<unsigned> findOperand(Opcode opcode, OperandKind kind);

[[nodiscard]] llvm::Error invalid(const llvm::Twine &problem);
[[nodiscard]] llvm::Error invalid(const Function &function, const llvm::Twine &problem);
[[nodiscard]] llvm::Error invalid(const Function &function, size_t at, const llvm::Twine &problem);

/// A place names a file of the module, and a line and a column from 1, or neither.
[[nodiscard]] bool isPlace(const Module &module, const CodePlace &place);
/// A text that reports and JSON can hold.
[[nodiscard]] bool isText(llvm::StringRef text);

} // namespace pto

#endif
