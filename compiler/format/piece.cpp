#include "format/piece.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Unicode.h"

using llvm::StringRef;

namespace pto {

unsigned widthOf(StringRef text) {
  int columns = llvm::sys::unicode::columnWidthUTF8(text);
  return columns < 0 ? unsigned(text.size()) : unsigned(columns);
}

namespace {
/// Where the tree has names and blocks. Names are the texts that nodes hold, so a new kind of node
/// is known without a change here.
class Marks {
public:
  Marks(StringRef text, const ast::File &file) : text_(text) {
    for (const ast::Item *item : file.items)
      add(item);
    llvm::sort(names_);
    llvm::sort(blocks_);
  }

  [[nodiscard]] bool isName(const ast::Token &token) const {
    auto after =
        llvm::partition_point(names_, [&](auto name) { return name.first <= token.begin; });
    return after != names_.begin() && token.end <= std::prev(after)->second;
  }
  [[nodiscard]] bool isBlock(const ast::Token &token) const {
    return std::binary_search(blocks_.begin(), blocks_.end(), token.begin);
  }

  // What forEachField calls.
  void one(StringRef, const ast::Node *child) { add(child); }
  template <typename T> void many(StringRef, llvm::ArrayRef<T *> children) {
    for (const ast::Node *child : children)
      add(child);
  }
  void text(StringRef, StringRef value) {
    if (value.begin() >= text_.begin() && value.end() <= text_.end() && !value.empty())
      names_.push_back(
          {uint32_t(value.begin() - text_.begin()), uint32_t(value.end() - text_.begin())});
  }
  void flag(StringRef, bool) {}
  void op(StringRef, StringRef) {}

private:
  void add(const ast::Node *node) {
    if (!node)
      return;
    if (node->kind == ast::NodeKind::Block)
      blocks_.push_back(node->range.begin);
    ast::forEachField(*node, *this);
  }

  StringRef text_;
  std::vector<std::pair<uint32_t, uint32_t>> names_;
  std::vector<uint32_t> blocks_;
};

/// Brackets, and which of two roles a brace or an angle has.
class Pairing {
public:
  explicit Pairing(Pieces &pieces) : pieces_(pieces) {}

  void take(uint32_t at, bool isBlock) {
    Piece &piece = pieces_[at];
    piece.partner = at;
    if (piece.isComment())
      return;
    if (piece.is("<") && opensAngle())
      piece.role = Role::AngleOpen;
    else if (piece.is("{"))
      piece.role = isBlock ? Role::BlockOpen : Role::MapOpen;
    if (piece.is("(") || piece.is("[") || piece.is("{") || piece.role == Role::AngleOpen)
      open_.push_back(at);
    else if (piece.is(")") || piece.is("]") || piece.is("}") || closesAngle(piece))
      close(at);
    beforeLast_ = last_;
    last_ = at;
  }

private:
  /// `session<SDMA>`, and the parameters of `fn f<T>`.
  [[nodiscard]] bool opensAngle() const {
    const Piece &last = pieces_[last_], &beforeLast = pieces_[beforeLast_];
    return (last.text == "session" && !beforeLast.is(".")) || beforeLast.is("fn");
  }
  [[nodiscard]] bool closesAngle(const Piece &piece) const {
    return piece.is(">") && !open_.empty() && pieces_[open_.back()].role == Role::AngleOpen;
  }
  void close(uint32_t at) {
    if (open_.empty())
      return;
    Piece &opener = pieces_[open_.back()];
    opener.partner = at;
    pieces_[at].partner = open_.pop_back_val();
    if (opener.role == Role::AngleOpen)
      pieces_[at].role = Role::AngleClose;
    if (opener.role == Role::BlockOpen)
      pieces_[at].role = Role::BlockClose;
    if (opener.role == Role::MapOpen)
      pieces_[at].role = Role::MapClose;
  }

  Pieces &pieces_;
  llvm::SmallVector<uint32_t> open_;
  uint32_t last_ = 0, beforeLast_ = 0; ///< The tokens before, without comments.
};

/// Line ends of all systems: `\n`, `\r\n`, `\r`.
size_t countLineEnds(StringRef gap) {
  size_t alone = 0;
  for (size_t i = 0; i < gap.size(); ++i)
    alone += gap[i] == '\r' && (i + 1 == gap.size() || gap[i + 1] != '\n');
  return gap.count('\n') + alone;
}

uint32_t columnOf(StringRef text, uint32_t at) {
  size_t lineEnd = text.take_front(at).find_last_of("\r\n");
  size_t lineBegin = lineEnd == StringRef::npos ? 0 : lineEnd + 1;
  return widthOf(text.slice(lineBegin, at));
}
} // namespace

Pieces readPieces(StringRef text, const ast::File &file, llvm::ArrayRef<ast::Token> tokens) {
  Marks marks(text, file);
  Pieces pieces;
  pieces.reserve(tokens.size());
  Pairing pairing(pieces);
  uint32_t end = 0;
  for (const ast::Token &token : tokens) {
    size_t lineEnds = countLineEnds(text.slice(end, token.begin));
    end = token.end;
    Piece piece{text.slice(token.begin, token.end), token.kind};
    piece.startsLine = lineEnds > 0 || pieces.empty();
    piece.followsGap = lineEnds > 1;
    if (piece.isLineComment())
      piece.text = piece.text.rtrim();
    if (piece.isLineComment() || piece.isMultiLine())
      piece.column = columnOf(text, token.begin);
    if (token.kind == ast::TokenKind::Word && marks.isName(token))
      piece.role = Role::Name;
    pieces.push_back(piece);
    pairing.take(uint32_t(pieces.size() - 1), marks.isBlock(token));
  }
  return pieces;
}

} // namespace pto
