//===- piece.h - a token, and all that its layout depends on ----*- C++ -*-===//
//
// Pieces are read once, from the tokens and the tree; what stands in the text between two tokens
// counts only as far as it is a field here. That is what makes the layout canonical.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FORMAT_PIECE_H
#define PTO_FORMAT_PIECE_H

#include "ast/node.h"
#include "ast/token.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace pto {

/// What a token is where its spelling does not tell.
enum class Role : uint8_t {
  Plain,
  Name,      ///< A word that the program chose, or that it names.
  Prefix,    ///< `-`, `~` or `!` before an operand.
  AngleOpen, ///< Of `session<SDMA>` and `fn f<T>`.
  AngleClose,
  BlockOpen,
  BlockClose,
  MapOpen,
  MapClose,
};

struct Piece {
  llvm::StringRef text; ///< Of a line comment without the white space at its end.
  ast::TokenKind kind;
  Role role = Role::Plain;
  bool startsLine = false; ///< Whether it is the first on its line.
  bool followsGap = false; ///< Whether an empty line is before it.
  bool wantsSpace = false; ///< Between it and the piece before, where they share a line.
  uint8_t breakCost = 0;   ///< Of a line break before it; 0: there is never one.
  uint32_t column = 0;     ///< In the text, from 0; of comments that end their line.
  uint32_t partner = 0;    ///< The other one of two brackets; itself if it is none.

  [[nodiscard]] bool isLineComment() const { return kind == ast::TokenKind::LineComment; }
  [[nodiscard]] bool isComment() const {
    return isLineComment() || kind == ast::TokenKind::BlockComment;
  }
  [[nodiscard]] bool isMultiLine() const {
    return kind == ast::TokenKind::BlockComment && text.contains('\n');
  }
  [[nodiscard]] bool is(llvm::StringRef spelling) const {
    return role != Role::Name && text == spelling;
  }
};
using Pieces = std::vector<Piece>;

[[nodiscard]] Pieces readPieces(llvm::StringRef text, const ast::File &file,
                                llvm::ArrayRef<ast::Token> tokens);

/// Sets what stands between the pieces: spaces, and where a line may break (spacing.cpp).
void setSpaces(Pieces &pieces);

/// Columns that a text takes on a screen.
[[nodiscard]] unsigned widthOf(llvm::StringRef text);

inline constexpr unsigned kMaxColumns = 100;
inline constexpr unsigned kIndent = 4;

} // namespace pto

#endif
