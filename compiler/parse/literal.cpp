#include "parse/literal.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace pto {

namespace {
std::string withoutSeparators(StringRef text) {
  std::string digits = text.str();
  llvm::erase(digits, '_');
  return digits;
}

/// The number of bytes of the escape at the start of `text`, or 0 if it is none.
size_t escapeLength(StringRef text) {
  if (text.size() > 1 && StringRef("nt\\\"").contains(text[1]))
    return 2;
  StringRef digits = text;
  if (!digits.consume_front("\\u{"))
    return 0;
  size_t close = digits.find('}');
  unsigned point = 0;
  if (close == StringRef::npos || close > 6 || digits.take_front(close).getAsInteger(16, point))
    return 0;
  bool isCharacter = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
  return isCharacter ? 3 + close + 1 : 0;
}
/// `text` begins with the escape, and so does `at`.
void sayBadEscape(StringRef text, SourceRange at, Sink &sink) {
  size_t close = text.find('}');
  bool isPoint = text.starts_with("\\u{") && close != StringRef::npos && close < 16;
  StringRef shown = text.take_front(isPoint ? close + 1 : 2);
  at.end = at.begin + uint32_t(shown.size());
  if (isPoint)
    sink.report<Rule::BadLiteral>(at, llvm::formatv("`{0}` is no Unicode character", shown).str());
  else
    sink.report<Rule::BadLiteral>(
        at, llvm::formatv("`{0}` is no escape; there are \\n \\t \\\\ \\\" and \\u{{hex digits}",
                          llvm::isPrint(shown.back()) ? shown : "\\")
                .str());
}
} // namespace

void checkInteger(const Sources &sources, SourceRange at, Sink &sink) {
  StringRef text = sources.text(at);
  uint64_t value = 0;
  // Radix 0 would read a leading zero as octal, which the language does not have.
  bool hasPrefix = text.size() > 2 && text[0] == '0' && llvm::isAlpha(text[1]);
  unsigned radix = !hasPrefix ? 10 : llvm::toLower(text[1]) == 'x' ? 16 : 2;
  std::string digits = withoutSeparators(hasPrefix ? text.drop_front(2) : text);
  if (StringRef(digits).getAsInteger(radix, value))
    sink.report<Rule::BadLiteral>(at, "this number does not fit in 64 bits");
}

void checkFloat(const Sources &sources, SourceRange at, Sink &sink) {
  llvm::APFloat value(llvm::APFloat::IEEEdouble());
  auto status = value.convertFromString(withoutSeparators(sources.text(at)),
                                        llvm::APFloat::rmNearestTiesToEven);
  if (!status)
    llvm::consumeError(status.takeError());
  else if (value.isFinite())
    return;
  sink.report<Rule::BadLiteral>(at, "this number is larger than any f32");
}

void checkString(const Sources &sources, SourceRange at, Sink &sink) {
  StringRef text = sources.text(at);
  for (size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i)) {
    size_t length = escapeLength(text.drop_front(i));
    if (!length) {
      // A lone backslash ends a string that was never closed, which has been said already.
      if (i + 1 == text.size())
        return;
      sayBadEscape(text.drop_front(i), {at.file, at.begin + uint32_t(i), at.end}, sink);
      length = 2;
    }
    i += length;
  }
}

} // namespace pto
