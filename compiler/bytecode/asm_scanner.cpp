#include "bytecode/asm_scanner.h"

#include "bytecode/asm_text.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

namespace pto {

static constexpr uint32_t kMaxUint32 = std::numeric_limits<uint32_t>::max();

void AsmScanner::fail(const llvm::Twine &problem) {
  if (!failed())
    problem_ = ("line " + llvm::Twine(lineNumber_) + ": " + problem).str();
  line_ = rest_ = "";
}

void AsmScanner::failAt(const llvm::Twine &expected) {
  fail("expected " + expected + ", found " +
       (line_.empty() ? "the end of the line" : quoteText(line_, 20)));
}

llvm::Error AsmScanner::takeError() const {
  if (!failed())
    return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), problem_);
}

bool AsmScanner::nextLine() {
  skip();
  if (!line_.empty())
    failAt("the end of the line");
  while (line_.empty() && !rest_.empty()) {
    std::tie(line_, rest_) = rest_.split('\n');
    ++lineNumber_;
    skip();
  }
  return !line_.empty();
}

/// The length of a quoted text, with its quotes; npos if it is not closed.
static size_t quotedLength(llvm::StringRef text) {
  for (size_t i = 1; i < text.size(); ++i)
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  return llvm::StringRef::npos;
}

/// A quote inside a remark may hold parentheses.
void AsmScanner::skipRemark() {
  while (!line_.empty() && !line_.consume_front(")"))
    line_ = line_.front() == '"' ? line_.substr(quotedLength(line_)) : line_.drop_front();
}

void AsmScanner::skip() {
  line_ = line_.ltrim(" \t\r");
  while (line_.starts_with("(")) {
    skipRemark();
    line_ = line_.ltrim(" \t\r");
  }
}

bool AsmScanner::accept(llvm::StringRef token) {
  skip();
  if (!line_.starts_with(token))
    return false;
  // A word must end where the token does; a prefix such as the `r` of `r1` is followed by a digit.
  llvm::StringRef after = line_.drop_front(token.size());
  if (llvm::isAlpha(token.back()) && !after.empty() && llvm::isAlpha(after.front()))
    return false;
  line_ = after;
  return true;
}

void AsmScanner::expect(llvm::StringRef token) {
  if (!accept(token))
    failAt("'" + token + "'");
}

llvm::StringRef AsmScanner::word() {
  skip();
  llvm::StringRef found = line_.take_while(isWordCharacter);
  line_ = line_.drop_front(found.size());
  return found;
}

llvm::StringRef AsmScanner::token() {
  skip();
  llvm::StringRef found =
      line_.take_until([](char c) { return llvm::StringRef(" \t\r,;(").contains(c); });
  line_ = line_.drop_front(found.size());
  return found;
}

/// The character that an escape stands for, taken off the text; nothing if it is none.
static std::optional<char> takeEscape(llvm::StringRef &text) {
  unsigned code = 0;
  if (text.consume_front("n"))
    return '\n';
  if (text.consume_front("x")) {
    if (text.size() < 2 || text.take_front(2).getAsInteger(16, code))
      return std::nullopt;
    text = text.drop_front(2);
    return char(code);
  }
  if (!text.starts_with("\"") && !text.starts_with("\\"))
    return std::nullopt;
  char itself = text.front();
  text = text.drop_front();
  return itself;
}

std::string AsmScanner::quoted() {
  skip();
  size_t length = line_.starts_with("\"") ? quotedLength(line_) : llvm::StringRef::npos;
  if (length == llvm::StringRef::npos) {
    failAt("a quoted text");
    return "";
  }
  llvm::StringRef inner = line_.slice(1, length - 1);
  std::string text;
  while (!inner.empty()) {
    char c = inner.front();
    inner = inner.drop_front();
    if (c == '\\') {
      std::optional<char> escaped = takeEscape(inner);
      if (!escaped) {
        fail("there is no such escape in a quoted text");
        return "";
      }
      c = *escaped;
    }
    text += c;
  }
  line_ = line_.drop_front(length);
  return text;
}

std::string AsmScanner::name() {
  skip();
  if (line_.starts_with("\""))
    return quoted();
  llvm::StringRef found = word();
  if (found.empty())
    failAt("a name");
  return found.str();
}

uint64_t AsmScanner::number(uint64_t max) {
  skip();
  uint64_t value = 0;
  llvm::StringRef digits = line_.take_while(llvm::isDigit);
  if (digits.getAsInteger(10, value) || value > max) {
    failAt("a number up to " + llvm::Twine(max));
    return 0;
  }
  line_ = line_.drop_front(digits.size());
  return value;
}

int64_t AsmScanner::signedNumber() {
  skip();
  int64_t value = 0;
  size_t signs = line_.starts_with("-") ? 1 : 0;
  llvm::StringRef digits =
      line_.take_front(signs + line_.drop_front(signs).take_while(llvm::isDigit).size());
  if (digits.getAsInteger(10, value)) {
    failAt("a number");
    return 0;
  }
  line_ = line_.drop_front(digits.size());
  return value;
}

ScalarType AsmScanner::scalarType() {
  llvm::StringRef found = word();
  std::optional<ScalarType> type = scalarTypeByName(found);
  if (!type)
    fail("there is no scalar type '" + found + "'");
  return type.value_or(ScalarType::I32);
}

ScalarBits AsmScanner::scalar(ScalarType type) {
  llvm::StringRef found = token();
  std::optional<ScalarBits> bits = parseScalar(type, found);
  if (!bits)
    fail("'" + found + "' is no value of " + info(type).name);
  return bits.value_or(0);
}

Extent AsmScanner::extent() {
  if (accept("ranks"))
    return {1, accept("+") || line_.starts_with("-") ? signedNumber() : 0};
  int64_t value = signedNumber();
  if (!accept("*"))
    return {0, value};
  expect("ranks");
  return {value, accept("+") || line_.starts_with("-") ? signedNumber() : 0};
}

void AsmScanner::index(size_t expected) {
  if (uint64_t found = number(kMaxUint32); !failed() && found != expected)
    fail("this is number " + llvm::Twine(expected) + ", not " + llvm::Twine(found));
}

CodePlace AsmScanner::place(uint32_t &file) {
  CodePlace place;
  expect(";");
  place.line = uint32_t(number(kMaxUint32));
  expect(":");
  place.column = uint32_t(number(kMaxUint32));
  if (accept(":")) {
    file = place.line;
    place.line = place.column;
    place.column = uint32_t(number(kMaxUint32));
  }
  if (accept("+"))
    place.length = uint32_t(number(kMaxUint32));
  place.file = file;
  return place;
}

} // namespace pto
