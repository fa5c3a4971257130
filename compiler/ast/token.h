//===- token.h - the tokens of a text, comments included --------*- C++ -*-===//
//
// What a tree leaves out, for those who write the text anew: every word and sign in order. A kind
// says only how a token may stand beside another; what it is, is its spelling.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AST_TOKEN_H
#define PTO_AST_TOKEN_H

#include <cstdint>

namespace pto::ast {

enum class TokenKind : uint8_t {
  Word,         ///< A keyword or a name.
  Literal,      ///< A number, a string, `true` or `false`.
  Sign,         ///< A bracket, an operator, punctuation.
  LineComment,  ///< To the end of its line; `///` too.
  BlockComment, ///< May hold several lines.
};

/// Byte offsets into its text, half open.
struct Token {
  TokenKind kind;
  uint32_t begin;
  uint32_t end;
};

} // namespace pto::ast

#endif
