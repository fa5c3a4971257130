//===- texts.cpp - texts with holes, and maps of texts -------------------------------===//
//
// A hole `{rank + 1}` holds integers: names, numbers, + - * / %, and parentheses. It is read here,
// since to the parser a literal is one token; each part of it has its own place all the same.
//
//===----------------------------------------------------------------------===//

#include "ast/quoted.h"
#include "check/body.h"

#include "llvm/ADT/StringExtras.h"

namespace pto::check_detail {

/// Reads one hole. `at_` counts bytes of the file.
class Hole {
public:
  Hole(Body &body, SourceRange range, llvm::StringRef written)
      : body_(body), range_(range), rest_(written) {}

  /// Null after a finding.
  Expr *read() {
    Expr *value = sum();
    skipSpaces();
    if (value && !rest_.empty())
      return refuse();
    return value;
  }

private:
  [[nodiscard]] SourceRange here(size_t length) const {
    auto begin = uint32_t(range_.end - rest_.size());
    return {range_.file, begin, begin + uint32_t(length)};
  }
  void skipSpaces() { rest_ = rest_.ltrim(); }

  Expr *refuse() {
    body_.sink_.report<Rule::TypeMismatch>(
        range_, "an integer of names, numbers, + - * / % and parentheses in this hole",
        "`" + body_.checker_.sources.text(range_).str() + "`");
    return nullptr;
  }

  Expr *combine(BinaryOp op, Expr *left, Expr *right) {
    return body_.makeBinary(op, left, right, range_);
  }

  std::optional<BinaryOp> take(llvm::ArrayRef<std::pair<char, BinaryOp>> signs) {
    skipSpaces();
    for (auto [sign, op] : signs)
      if (rest_.starts_with(sign)) {
        rest_ = rest_.drop_front();
        return op;
      }
    return std::nullopt;
  }

  Expr *sum() {
    Expr *left = product();
    while (left) {
      auto op = take({{'+', BinaryOp::Add}, {'-', BinaryOp::Subtract}});
      if (!op)
        break;
      Expr *right = product();
      left = right ? combine(*op, left, right) : nullptr;
    }
    return left;
  }

  Expr *product() {
    Expr *left = factor();
    while (left) {
      auto op =
          take({{'*', BinaryOp::Multiply}, {'/', BinaryOp::Divide}, {'%', BinaryOp::Remainder}});
      if (!op)
        break;
      Expr *right = factor();
      left = right ? combine(*op, left, right) : nullptr;
    }
    return left;
  }

  Expr *factor() {
    skipSpaces();
    if (rest_.consume_front("("))
      return inParentheses();
    size_t length = rest_.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).size();
    if (length == 0)
      return refuse();
    SourceRange at = here(length);
    llvm::StringRef word = rest_.take_front(length);
    rest_ = rest_.drop_front(length);
    if (llvm::isDigit(word.front())) {
      uint64_t value = 0;
      return word.getAsInteger(10, value) ? refuse() : literal(word, at);
    }
    ast::NameExpr name;
    name.range = at;
    name.name = word;
    return body_.checkName(name);
  }

  Expr *literal(llvm::StringRef word, SourceRange at) {
    ast::IntegerLiteral number;
    number.range = at;
    number.text = word;
    return body_.checkInteger(number);
  }

  Expr *inParentheses() {
    if (++depth_ > kMaxDepth)
      return refuse();
    Expr *value = sum();
    skipSpaces();
    return value && rest_.consume_front(")") ? value : value ? refuse() : nullptr;
  }

  static constexpr unsigned kMaxDepth = 32;
  Body &body_;
  SourceRange range_; ///< Without its braces.
  llvm::StringRef rest_;
  unsigned depth_ = 0;
};

/// A literal; with holes, `{{` and `}}` stand for braces.
Expr *Body::checkText(const ast::Expr *written, bool hasHoles) {
  const auto *literal = llvm::dyn_cast_or_null<ast::StringLiteral>(written);
  if (!literal || literal->text.size() < 2) {
    SourceRange at = written ? written->range : SourceRange{};
    sink_.report<Rule::TypeMismatch>(at, "a text in quotes",
                                     "`" + checker_.sources.text(at).str() + "`");
    return error(at);
  }
  ast::Quoted quoted = ast::quoted(literal->text);
  llvm::StringRef raw = quoted.inside;
  std::string form;
  llvm::SmallVector<Expr *, 2> ops;
  for (size_t i = 0; i < raw.size(); ++i) {
    size_t close = hasHoles && raw[i] == '{' ? raw.find('}', i) : llvm::StringRef::npos;
    bool isBrace = hasHoles && (raw.substr(i).starts_with("{{") || raw.substr(i).starts_with("}}"));
    if (isBrace || close == llvm::StringRef::npos) {
      form += raw[i];
      i += isBrace;
      continue;
    }
    auto begin = uint32_t(literal->range.begin + quoted.begin + i + 1);
    llvm::StringRef inside = raw.slice(i + 1, close);
    SourceRange at{literal->range.file, begin, begin + uint32_t(inside.size())};
    Expr *value = Hole(*this, at, inside).read();
    if (!value || value->type.isError() || !requireInteger(value))
      return error(written->range);
    ops.push_back(value);
    form += "{}";
    i = close;
  }
  Expr *expr = make(ExprKind::String, Type{TypeKind::String}, written->range);
  expr->text = quoted.isRaw ? program_.copy(llvm::StringRef(form)) : checker_.unescape(form);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return expr;
}

/// `{ "key": "value" }`. Its values are mostly JSON, so a brace there is only a brace.
Expr *Body::checkTextMap(const ast::Expr *written) {
  const auto *map = llvm::dyn_cast<ast::MapExpr>(written);
  if (!map) {
    sink_.report<Rule::TypeMismatch>(written->range,
                                     "a map of texts, such as `{ \"key\": \"value\" }`",
                                     "`" + checker_.sources.text(written->range).str() + "`");
    return error(written->range);
  }
  llvm::SmallVector<Expr *, 8> ops;
  for (const ast::Part *part : map->entries) {
    const auto *entry = llvm::dyn_cast_or_null<ast::MapEntry>(part);
    Expr *value = entry ? checkText(entry->value, false) : error(written->range);
    if (value->type.isError())
      return value;
    Expr *key = make(ExprKind::String, Type{TypeKind::String}, entry->range);
    key->text = checker_.unescape(entry->key);
    ops.push_back(key);
    ops.push_back(value);
  }
  Expr *expr = make(ExprKind::TextMap, Type::none(), written->range);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  return expr;
}

} // namespace pto::check_detail
