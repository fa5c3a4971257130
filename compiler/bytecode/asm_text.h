//===- asm_text.h - how single things of a module are written ---*- C++ -*-===//
//
// Shared by the disassembler, the comments it adds, and the messages of the verifier. What a round
// trip needs is read back by AsmScanner.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_ASM_TEXT_H
#define PTO_BYTECODE_ASM_TEXT_H

#include "bytecode/module.h"

namespace pto {

/// Between quotes, on one line, in printable characters; exact.
[[nodiscard]] std::string quoteText(llvm::StringRef text);
/// The same, cut to about `width` characters for comments.
[[nodiscard]] std::string quoteText(llvm::StringRef text, size_t width);
/// Whether a character can stand in a name without quotes, or in a mnemonic.
[[nodiscard]] bool isWordCharacter(char c);
/// A name as it is if it is a plain word, otherwise quoted.
[[nodiscard]] std::string nameText(llvm::StringRef name);
/// `add.i32`
[[nodiscard]] std::string mnemonicText(const Instruction &instruction);
/// `2*ranks+1`
[[nodiscard]] std::string extentText(const Extent &extent);
/// As a person reads it if those words mean just these bits, otherwise the bits as `0x…`.
[[nodiscard]] std::string scalarText(ScalarType type, ScalarBits bits);
/// The reverse of scalarText.
[[nodiscard]] std::optional<ScalarBits> parseScalar(ScalarType type, llvm::StringRef text);

inline constexpr llvm::StringLiteral kFunctionKindNames[] = {"function", "kernel", "host"};

} // namespace pto

#endif
