#include "parse/text_guard.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace pto {

namespace {
/// The offset of the first byte that no UTF-8 text has; the size of the text if there is none. A
/// NUL is legal UTF-8 but stands in no source file: it is how binary files are recognised.
size_t firstBadByte(StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const auto *at = begin;
  bool isLegal = llvm::isLegalUTF8String(&at, begin + text.size());
  size_t badAt = isLegal ? text.size() : size_t(at - begin);
  return std::min(badAt, std::min(text.find('\0'), text.size()));
}

StringRef skipSpacesAndComments(StringRef text) {
  text.consume_front("\xEF\xBB\xBF");
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.drop_until([](char c) { return c == '\n'; });
  return text;
}

StringRef takeWord(StringRef text) {
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

/// The beginning of an MLIR text, or nothing. `#` also begins attributes of this language and, by
/// habit, lines for a C preprocessor; both get better messages from the parser.
StringRef ptoIrBeginning(StringRef text) {
  StringRef word = takeWord(text);
  if (word == "module" || word == "func.func")
    return word;
  if (text.starts_with("\"pto."))
    return text.take_front(1 + takeWord(text.drop_front()).size());
  if (!text.starts_with("#") && !text.starts_with("!"))
    return {};
  word = takeWord(text.drop_front());
  static constexpr StringRef kPreprocessor[] = {"include", "define", "pragma", "if",
                                                "ifdef",   "ifndef", "undef"};
  if (word.empty() || !llvm::isAlpha(word.front()) || llvm::is_contained(kPreprocessor, word))
    return {};
  return text.take_front(1 + word.size());
}
} // namespace

bool guardText(const Sources &sources, FileId file, Sink &sink) {
  StringRef text = sources.text(file);
  size_t badAt = firstBadByte(text);
  if (badAt != text.size()) {
    SourceRange at{file, uint32_t(badAt), uint32_t(badAt + 1)};
    auto byte = static_cast<unsigned char>(text[badAt]);
    sink.report<Rule::InvalidUtf8>(at, llvm::formatv("0x{0:X-2}", unsigned(byte)).str(), badAt);
    return false;
  }
  StringRef beginning = ptoIrBeginning(skipSpacesAndComments(text));
  if (!beginning.empty()) {
    auto begin = uint32_t(beginning.data() - text.data());
    SourceRange at{file, begin, begin + uint32_t(beginning.size())};
    sink.report<Rule::PtoIrInput>(at, beginning);
    return false;
  }
  return true;
}

} // namespace pto
