#include "hixl/json_text.h"

#include "llvm/ADT/StringExtras.h"

namespace pto {

static constexpr size_t kMostBytes = size_t(1) << 20;
static constexpr unsigned kMostNesting = 32;
/// Before a number that is no integer. As a raw character it is not allowed in JSON.
static constexpr char kNumberMark = '\x01';

namespace {
/// Copies a text with its numbers marked; stops at what is no JSON.
class Guard {
public:
  explicit Guard(llvm::StringRef text) : rest_(text) {}

  /// Why the text is refused; empty: it may be parsed.
  std::string run() {
    while (!rest_.empty() && why_.empty())
      step();
    return why_;
  }
  [[nodiscard]] const std::string &text() const { return copy_; }

private:
  void step() {
    char c = rest_.front();
    if (c == '"')
      return takeString();
    if (c == '-' || llvm::isDigit(c))
      return takeNumber();
    if (c == '/' || c == '#')
      why_ = "JSON has no comments";
    if ((c == '{' || c == '[') && ++nesting_ > kMostNesting)
      why_ = "it is nested more than " + std::to_string(kMostNesting) + " deep";
    if ((c == '}' || c == ']') && nesting_ > 0)
      --nesting_;
    take(1);
  }
  void takeString() {
    size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"')
      end += rest_[end] == '\\' ? 2 : 1;
    take(std::min(end + 1, rest_.size()));
  }
  void takeNumber() {
    llvm::StringRef number = rest_.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+'; });
    if (!isNumber(number))
      why_ = ("`" + number.take_front(40) + "` is no number of JSON").str();
    bool isMarked = number.find_first_of(".eE") != llvm::StringRef::npos;
    copy_ += isMarked ? "\"\\u0001" : "";
    take(number.size());
    copy_ += isMarked ? "\"" : "";
  }
  void take(size_t count) {
    copy_ += rest_.take_front(count);
    rest_ = rest_.drop_front(count);
  }
  static bool takeDigits(llvm::StringRef &text) {
    size_t before = text.size();
    text = text.drop_while(llvm::isDigit);
    return text.size() != before;
  }
  static bool isNumber(llvm::StringRef text) {
    text.consume_front("-");
    bool isZeroFirst = text.starts_with("0") && text.size() > 1 && llvm::isDigit(text[1]);
    if (isZeroFirst || !takeDigits(text))
      return false;
    if (text.consume_front(".") && !takeDigits(text))
      return false;
    if (text.consume_front("e") || text.consume_front("E")) {
      if (!text.consume_front("+"))
        text.consume_front("-");
      if (!takeDigits(text))
        return false;
    }
    return text.empty();
  }

  llvm::StringRef rest_;
  std::string copy_;
  std::string why_;
  unsigned nesting_ = 0;
};
} // namespace

HixlJson parseHixlJson(llvm::StringRef text) {
  if (text.trim().empty())
    return {std::nullopt, "it is empty"};
  if (text.size() > kMostBytes)
    return {std::nullopt, "it has more than 1 MiB"};
  Guard guard(text);
  if (std::string why = guard.run(); !why.empty())
    return {std::nullopt, why};
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(guard.text());
  if (value)
    return {std::move(*value), ""};
  // "[line:column, byte=n]: what": the place is one of the copy, so only its line is told.
  std::string said = llvm::toString(value.takeError());
  auto [place, what] = llvm::StringRef(said).split("]: ");
  return {std::nullopt, (what.lower() + " in line " + place.ltrim('[').split(':').first).str()};
}

std::optional<int64_t> plainInteger(llvm::StringRef text) {
  int64_t number = 0;
  if (text.empty() || !llvm::all_of(text, llvm::isDigit) || text.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

std::optional<llvm::StringRef> stringIn(const llvm::json::Value &value) {
  std::optional<llvm::StringRef> text = value.getAsString();
  if (text && text->starts_with(kNumberMark))
    return std::nullopt;
  return text;
}

std::optional<int64_t> integerIn(const llvm::json::Value &value) {
  if (std::optional<llvm::StringRef> text = stringIn(value))
    return plainInteger(*text);
  return value.getAsInteger();
}

std::optional<std::string> digitsIn(const llvm::json::Value &value) {
  if (std::optional<llvm::StringRef> text = value.getAsString())
    return text->ltrim(kNumberMark).str();
  if (std::optional<int64_t> number = value.getAsInteger())
    return std::to_string(*number);
  return std::nullopt;
}

std::string quoted(llvm::StringRef text) {
  static constexpr size_t kMost = 60;
  std::string result = "'";
  for (char c : text.take_front(kMost))
    result += llvm::isPrint(c) ? c : '?';
  return result + (text.size() > kMost ? "…'" : "'");
}

std::string shown(const llvm::json::Value &value) {
  switch (value.kind()) {
  case llvm::json::Value::Null:
    return "null";
  case llvm::json::Value::Boolean:
    return value.getAsBoolean().value_or(false) ? "true" : "false";
  case llvm::json::Value::Number:
    if (std::optional<int64_t> number = value.getAsInteger())
      return std::to_string(*number);
    return "a number beyond 64 bits";
  case llvm::json::Value::String:
    if (std::optional<llvm::StringRef> text = stringIn(value))
      return quoted(*text);
    return digitsIn(value).value_or("").substr(0, 40);
  case llvm::json::Value::Array:
    return "an array";
  case llvm::json::Value::Object:
    return "an object";
  }
  return "";
}

} // namespace pto
