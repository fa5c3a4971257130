#include "parse/scan.h"

#include "parse/lex.h"
#include "parse/parse.h"

#include "grammar/PtoLexer.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace pto {

namespace {
/// Enough to see what a file suffers from; what follows is the same again.
constexpr unsigned kMaxFaults = 20;
/// A text with this many brackets that close nothing is no program; the rest is not read.
constexpr unsigned kMaxStrayClosers = 100;

/// Names a character that has no place in the language, with the usual reason for it to be there.
std::string describeCharacter(StringRef text) {
  auto first = static_cast<unsigned char>(text.front());
  if (first == '\'' || first == '`')
    return llvm::formatv("`{0}` (strings are written in `\"`)", text.front());
  if (first < 0x20 || first == 0x7f)
    return llvm::formatv("the control character 0x{0:X-2}", unsigned(first));
  if (first < 0x80)
    return llvm::formatv("`{0}`", text.front());
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.data());
  size_t length = std::min<size_t>(llvm::getNumBytesForUTF8(first), text.size());
  llvm::UTF32 point = 0;
  if (llvm::convertUTF8Sequence(&at, at + length, &point, llvm::strictConversion) !=
      llvm::conversionOK)
    return llvm::formatv("the byte 0x{0:X-2}", unsigned(first));
  bool isQuote = point == 0x2018 || point == 0x2019 || point == 0x201C || point == 0x201D;
  return llvm::formatv("`{0}` (U+{1:X-4}{2})", text.take_front(length), point,
                       isQuote ? "; strings are written in `\"`" : "");
}

class Scan {
public:
  Scan(const Sources &sources, FileId file, Sink &sink, ScannedText &into)
      : sources_(sources), file_(file), sink_(sink), into_(into) {}

  bool take(const LexedToken &token) {
    if (token.channel == PtoLexer::COMMENTS && token.type == PtoLexer::DOC_COMMENT)
      into_.docs.push_back(range(token));
    if (token.channel != antlr4::Token::DEFAULT_CHANNEL)
      return true;
    if (token.inComment)
      openComment(token);
    else if (token.type == PtoLexer::OPEN_STRING)
      openString(token);
    else if (token.type == PtoLexer::BAD)
      return badCharacter(token);
    else if (!follow(token))
      return false;
    if (token.type != antlr4::Token::EOF)
      into_.tokens.add(token.type, token.begin, token.end);
    return true;
  }

private:
  [[nodiscard]] SourceRange range(const LexedToken &token) const {
    return {file_, token.begin, token.end};
  }

  /// Notes the line, so that the parser does not complain of the consequences; says whether it is
  /// the first fault there.
  bool isFirstOnLine(SourceRange at) {
    uint32_t line = sources_.lineColumn(file_, at.begin).line;
    if (!into_.faultyLines.empty() && into_.faultyLines.back() == line)
      return false;
    into_.faultyLines.push_back(line);
    return true;
  }

  void openComment(const LexedToken &token) {
    SourceRange start{file_, token.begin, token.begin + 2};
    if (isFirstOnLine(start))
      sink_.report<Rule::UnterminatedComment>(start);
  }

  void openString(const LexedToken &token) {
    if (isFirstOnLine(range(token)))
      sink_.report<Rule::UnterminatedString>(range(token));
  }

  bool badCharacter(const LexedToken &token) {
    if (isFirstOnLine(range(token)))
      sink_.report<Rule::BadCharacter>(range(token),
                                       describeCharacter(sources_.text(range(token))));
    return ++faults_ < kMaxFaults;
  }

  /// Counts brackets and looks for two commas in a row; false where reading should stop.
  bool follow(const LexedToken &token) {
    switch (token.type) {
    case PtoLexer::LPAREN:
    case PtoLexer::LBRACK:
    case PtoLexer::LBRACE:
      return ++depth_ <= kMaxNesting || tooDeep(token);
    case PtoLexer::RPAREN:
    case PtoLexer::RBRACK:
    case PtoLexer::RBRACE:
      strayClosers_ += depth_ == 0;
      depth_ -= depth_ != 0;
      return strayClosers_ <= kMaxStrayClosers;
    case PtoLexer::COMMA:
      doubleComma(token);
      return true;
    default:
      return true;
    }
  }

  bool tooDeep(const LexedToken &token) {
    sink_.report<Rule::NestingTooDeep>(range(token), depth_, kMaxNesting);
    into_.tooDeep = true;
    return false;
  }

  /// The grammar lets a list end in a comma, and on one token of lookahead cannot tell an end from
  /// a gap.
  void doubleComma(const LexedToken &token) {
    TokenStream &tokens = into_.tokens;
    bool followsComma =
        tokens.size() != 0 && tokens[tokens.size() - 1].getType() == PtoLexer::COMMA;
    if (followsComma && isFirstOnLine(range(token)))
      sink_.report<Rule::SyntaxError>(range(token), "an expression", "a second `,`");
  }

  const Sources &sources_;
  FileId file_;
  Sink &sink_;
  ScannedText &into_;
  unsigned depth_ = 0;
  unsigned strayClosers_ = 0;
  unsigned faults_ = 0;
};
} // namespace

void scan(const Sources &sources, FileId file, Sink &sink, ScannedText &into) {
  StringRef text = sources.text(file);
  into.tokens.reserve(text.size() / 4 + 16);
  Scan state(sources, file, sink, into);
  lex(text, [&](const LexedToken &token) { return state.take(token); });
  auto end = uint32_t(text.size());
  into.tokens.add(antlr4::Token::EOF, end, end);
}

} // namespace pto
