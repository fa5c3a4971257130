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
/// Tokens of one declaration; the parser keeps some hundred bytes for each until the next.
constexpr unsigned kMaxItemTokens = 1u << 20;

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

  /// False where reading should stop.
  bool take(const LexedToken &token) {
    if (token.channel == PtoLexer::COMMENTS && token.type == PtoLexer::DOC_COMMENT)
      into_.docs.push_back(range(token));
    if (token.channel != antlr4::Token::DEFAULT_CHANNEL)
      return true;
    judge(token);
    bool isKept = token.type != antlr4::Token::EOF && token.type != PtoLexer::BAD;
    if (isKept)
      into_.tokens.add(token.type, token.begin, token.end);
    into_.isCut = faults_ >= kMaxFaults || strayClosers_ > kMaxStrayClosers;
    return !into_.isCut && !into_.isRefused;
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

  void judge(const LexedToken &token) {
    switch (token.type) {
    case antlr4::Token::EOF:
      if (token.inComment)
        say<Rule::UnterminatedComment>({file_, token.begin, token.begin + 2});
      break;
    case PtoLexer::OPEN_STRING:
      say<Rule::UnterminatedString>(range(token));
      break;
    case PtoLexer::OPEN_BLOCK_STRING:
      say<Rule::UnterminatedString>({file_, token.begin, token.begin + 3});
      // It took the rest of the file, whose end is missed by all that was open.
      into_.faultyLines.push_back(sources_.lineColumn(file_, token.end).line);
      break;
    case PtoLexer::BAD:
      say<Rule::BadCharacter>(range(token), describeCharacter(sources_.text(range(token))));
      break;
    case PtoLexer::COMMA:
      doubleComma(token);
      break;
    default:
      follow(token);
    }
    if (open_.empty() && (token.type == PtoLexer::SEMI || token.type == PtoLexer::RBRACE))
      itemTokens_ = 0;
    if (++itemTokens_ > kMaxItemTokens)
      tooLong(token);
  }

  template <Rule R, typename... Args> void say(SourceRange at, Args &&...args) {
    if (isFirstOnLine(at))
      sink_.report<R>(at, std::forward<Args>(args)...);
    ++faults_;
  }

  /// Keeps the open brackets. A `;` or `}` ends what was left open before it, so that a parenthesis
  /// forgotten in each of many lines is not nesting.
  void follow(const LexedToken &token) {
    switch (token.type) {
    case PtoLexer::LPAREN:
    case PtoLexer::LBRACK:
    case PtoLexer::LBRACE:
      open_.push_back(token.type);
      if (open_.size() > kMaxNesting)
        tooDeep(token);
      break;
    case PtoLexer::RPAREN:
      close(PtoLexer::LPAREN);
      break;
    case PtoLexer::RBRACK:
      close(PtoLexer::LBRACK);
      break;
    case PtoLexer::RBRACE:
    case PtoLexer::SEMI:
      while (!open_.empty() && open_.back() != PtoLexer::LBRACE)
        open_.pop_back();
      if (token.type == PtoLexer::RBRACE)
        close(PtoLexer::LBRACE);
      break;
    default:
      break;
    }
  }

  void close(size_t opener) {
    bool matches = !open_.empty() && open_.back() == opener;
    if (matches)
      open_.pop_back();
    else
      ++strayClosers_;
  }

  void tooDeep(const LexedToken &token) {
    sink_.report<Rule::NestingTooDeep>(range(token), open_.size(), kMaxNesting);
    into_.isRefused = true;
  }

  void tooLong(const LexedToken &token) {
    sink_.report<Rule::BadForm>(
        range(token),
        llvm::formatv("this declaration goes on for more than {0} words and signs", kMaxItemTokens)
            .str());
    into_.isRefused = true;
  }

  /// The grammar lets a list end in a comma, and on one token of lookahead cannot tell an end from
  /// a gap.
  void doubleComma(const LexedToken &token) {
    const TokenStream &tokens = into_.tokens;
    bool followsComma = !tokens.isEmpty() && tokens.last().getType() == PtoLexer::COMMA;
    if (followsComma)
      say<Rule::SyntaxError>(range(token), "an expression", "a second `,`");
  }

  const Sources &sources_;
  FileId file_;
  Sink &sink_;
  ScannedText &into_;
  llvm::SmallVector<size_t> open_; ///< The brackets that are open.
  unsigned itemTokens_ = 0;
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
