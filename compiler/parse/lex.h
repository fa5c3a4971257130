//===- lex.h - a text to its tokens -----------------------------*- C++ -*-===//
//
// Runs the generated lexer and hands out every token, comments and white space included.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_LEX_H
#define PTO_PARSE_LEX_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace pto {

/// A token as it stands in the text; `type` and `channel` are PtoLexer's.
struct LexedToken {
  size_t type;
  size_t channel;
  uint32_t begin;
  uint32_t end;
  bool inComment; ///< At the end of the text: a comment was still open, and starts at `begin`.
};

/// Calls `visit` for each token, the end of the text last, until it returns false.
void lex(llvm::StringRef text, llvm::function_ref<bool(const LexedToken &)> visit);

/// How the grammar calls a type of token: `IDENT`.
[[nodiscard]] llvm::StringRef tokenKind(size_t type);

/// How a token is always written: `+=`; empty for names and literals.
[[nodiscard]] llvm::StringRef tokenSpelling(size_t type);

} // namespace pto

#endif
