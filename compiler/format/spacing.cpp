// What stands between two tokens of one line, and where a line that is too long may break.
#include "format/piece.h"

#include "base/operator.h"

#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace pto {

namespace {
using ast::TokenKind;

/// Costs of a break, beside what the depth of brackets adds; the least one is taken.
enum Cost : uint8_t {
  Never = 0,
  Comma = 1,
  Clause = 2,   ///< Before `where`, `after`, `step`.
  Logic = 3,    ///< After `&&` and `||`.
  Relation = 4, ///< After `<`.
  Sum = 5,      ///< After `+`, `|`, `<<`.
  Product = 6,
  OfADepth = 8, ///< For each bracket around it.
  Assignment = 19,
  Opener = 20, ///< After `(`: a comma further inside is better.
};
constexpr unsigned kMaxDepth = 26; ///< Deeper ones cost the same.

bool isOperator(const Piece &piece) {
  static constexpr StringRef kNone[] = {"(", ")", "[", "]",  "{",  "}", ",",
                                        ";", ":", ".", "..", "->", "@", "#"};
  return piece.kind == TokenKind::Sign && piece.role == Role::Plain &&
         !llvm::is_contained(kNone, piece.text);
}

/// Of a binary operator; none of an assignment.
std::optional<unsigned> precedenceOf(StringRef text) {
#define PTO_BINARY(Enum, Spelling, ...)                                                            \
  if (text == Spelling)                                                                            \
    return precedence(BinaryOp::Enum);
#include "base/operator.def"
  return std::nullopt;
}

Cost costOfOperator(unsigned level) {
  if (level <= precedence(BinaryOp::LogicalAnd))
    return Logic;
  if (level <= precedence(BinaryOp::Less))
    return Relation;
  return level <= precedence(BinaryOp::Add) ? Sum : Product;
}

class Spacing {
public:
  explicit Spacing(Pieces &pieces) : pieces_(pieces) {}

  void run() {
    for (size_t i = 0; i < pieces_.size(); ++i)
      take(uint32_t(i));
  }

private:
  void take(uint32_t at) {
    Piece &piece = pieces_[at];
    if (piece.role == Role::BlockOpen || piece.role == Role::BlockClose)
      open_.clear(); // A statement counts its own brackets only.
    else if (piece.partner < at && !open_.empty())
      open_.pop_back();
    if (!piece.isComment() && isPrefix(piece))
      piece.role = Role::Prefix;
    if (at > 0) {
      const Piece &before = pieces_[at - 1];
      bool touchesComment = before.isComment() || piece.isComment();
      piece.wantsSpace = touchesComment ? isApartFromComment(before, piece) : isApart(piece);
      piece.breakCost = before.isComment() ? uint8_t(Never) : costBefore(piece);
    }
    if (piece.isComment())
      return;
    if (piece.partner > at && piece.role != Role::BlockOpen)
      open_.push_back(at);
    beforeLast_ = last_;
    last_ = at;
  }

  [[nodiscard]] const Piece &last() const { return pieces_[last_]; }

  /// Whether an operand ends with it, so that an operator or a suffix can follow.
  [[nodiscard]] static bool endsOperand(const Piece &piece) {
    return piece.role == Role::Name || piece.kind == TokenKind::Literal || piece.is(")") ||
           piece.is("]") || piece.role == Role::AngleClose || piece.role == Role::MapClose;
  }
  [[nodiscard]] bool isPrefix(const Piece &piece) const {
    bool canBe = piece.is("-") || piece.is("~") || piece.is("!");
    return canBe && !endsOperand(last()) && !isInSlug();
  }
  /// `leak-on-exit` in `#[allow(leak-on-exit, "why")]` and `violation(leak-on-exit)` is one name.
  [[nodiscard]] bool isInSlug() const {
    if (open_.empty() || open_.back() == 0 || !pieces_[open_.back()].is("("))
      return false;
    const Piece &before = pieces_[open_.back() - 1];
    return before.is("violation") || (before.text == "allow" && isInAttribute());
  }
  [[nodiscard]] bool isInAttribute() const {
    return !open_.empty() && open_.front() > 0 && pieces_[open_.front() - 1].is("#");
  }

  [[nodiscard]] static bool isApartFromComment(const Piece &before, const Piece &after) {
    bool isInside = before.is("(") || before.is("[");
    bool isClosed = after.is(")") || after.is("]") || after.is(",") || after.is(";");
    return before.isComment() ? !isClosed : !isInside;
  }

  /// Between two tokens.
  [[nodiscard]] bool isApart(const Piece &after) const {
    const Piece &before = last();
    if (after.is(",") || after.is(";") || after.is(":") || after.is(")") || after.is("]") ||
        after.role == Role::AngleOpen || after.role == Role::AngleClose)
      return false;
    if (before.is("(") || before.is("[") || before.is("#") || before.is("@") || before.is(".") ||
        before.is("..") || before.role == Role::Prefix || before.role == Role::AngleOpen)
      return false;
    if (after.is(".") || after.is("@"))
      return false;
    if (after.is(".."))
      return !endsOperand(before);
    bool isWritten = before.text.end() != after.text.begin(); // `unreachable-1d` has `1` and `d`.
    if (isInSlug() && (after.is("-") || before.is("-") || !isWritten))
      return false;
    if (after.is("(") || after.is("["))
      return !takesBracket(before, after);
    bool isEmpty = after.partner == last_ && after.partner != uint32_t(&after - pieces_.data());
    return !isEmpty; // `{}`
  }

  /// Whether the bracket belongs to what is before it: a call, a subscript, parameters.
  [[nodiscard]] bool takesBracket(const Piece &before, const Piece &after) const {
    if (before.kind == TokenKind::Literal)
      return after.is("["); // Of `test "title" (ranks = 2)` it is a part of its own.
    return endsOperand(before) || before.is("violation") || isInAttribute() ||
           pieces_[beforeLast_].is(".");
  }

  [[nodiscard]] uint8_t costBefore(const Piece &piece) const {
    unsigned cost = ownCost(piece), depth = unsigned(open_.size());
    bool isNamed = cost == Assignment && depth > 0; // `n = 4` in a list
    if (cost == Never || isNamed || isInSlug() || isInAttribute())
      return Never;
    return uint8_t(cost == Assignment ? cost : cost + OfADepth * std::min(depth, kMaxDepth));
  }
  [[nodiscard]] unsigned ownCost(const Piece &piece) const {
    const Piece &before = last();
    if (before.is(","))
      return Comma;
    bool isClosing = piece.partner == last_;
    if (before.is("(") || before.is("[") || before.role == Role::MapOpen)
      return isClosing ? Never : Opener;
    if (isOperator(before)) {
      std::optional<unsigned> precedence = precedenceOf(before.text);
      return !precedence ? Assignment : costOfOperator(*precedence);
    }
    bool isClause = piece.kind == TokenKind::Word && piece.role != Role::Name;
    return isClause && endsOperand(before) ? Clause : Never;
  }

  Pieces &pieces_;
  llvm::SmallVector<uint32_t> open_;   ///< Brackets around, within the statement.
  uint32_t last_ = 0, beforeLast_ = 0; ///< The tokens before, without comments.
};
} // namespace

void setSpaces(Pieces &pieces) { Spacing(pieces).run(); }

} // namespace pto
