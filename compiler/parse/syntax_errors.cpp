#include "parse/syntax_errors.h"

#include "parse/lex.h"

#include "llvm/Support/FormatVariadic.h"

using antlr4::ParserRuleContext;
using llvm::StringRef;

namespace pto {

namespace {
Expectation expectationOf(antlr4::Parser &parser) {
  const antlr4::misc::IntervalSet &next =
      parser.getATN().nextTokens(parser.getATN().states[parser.getState()]);
  size_t only = next.size() == 1 ? size_t(next.getMinElement()) : 0;
  return {parser.getContext()->getRuleIndex(), only};
}

bool isCloser(size_t token) {
  return llvm::is_contained(
      {PtoParser::SEMI, PtoParser::RPAREN, PtoParser::RBRACK, PtoParser::RBRACE}, token);
}
} // namespace

SyntaxErrors::SyntaxErrors(const Sources &sources, FileId file, ScannedText &text, Sink &sink)
    : sources_(sources), file_(file), scanned_(text), tokens_(text.tokens), sink_(sink),
      around_{sources.text(file), text.tokens} {}

void SyntaxErrors::beginItem() {
  itemColumn_ = sources_.lineColumn(file_, tokens_.current().begin).column;
}

antlr4::Token *SyntaxErrors::recoverInline(antlr4::Parser *parser) {
  Expectation expected = expectationOf(*parser);
  report(expected, parser->getContext());
  if (mayInvent(expected.token))
    return invent(expected.token);
  isReported_ = true;
  throw antlr4::InputMismatchException(parser);
}

void SyntaxErrors::reportError(antlr4::Parser *parser, const antlr4::RecognitionException &) {
  if (!isReported_)
    report({parser->getContext()->getRuleIndex(), 0}, parser->getContext());
  isReported_ = true;
}

/// A closing token may be taken as read where what was found could stand behind it.
bool SyntaxErrors::mayInvent(size_t type) const {
  const SourceToken &found = tokens_.current();
  size_t next = found.getType();
  if (next == antlr4::Token::EOF)
    return isCloser(type);
  switch (type) {
  case PtoParser::SEMI:
    return next == PtoParser::RBRACE || around_.isFirstOnLine(found);
  case PtoParser::RPAREN:
  case PtoParser::RBRACK:
    return next == PtoParser::SEMI || next == PtoParser::LBRACE || next == PtoParser::RBRACE ||
           beginsStatement(found);
  default:
    return false;
  }
}

antlr4::Token *SyntaxErrors::invent(size_t type) {
  const SourceToken &last = tokens_.previous();
  return &invented_.emplace_back(type, last.end, last.end, last.index);
}

/// Where something is missing at the end of a line, the caret belongs there, not on the next line.
SourceRange SyntaxErrors::placeOf(const Expectation &expected) const {
  const SourceToken &found = tokens_.current();
  bool isBehind = expected.token == PtoParser::SEMI || found.getType() == antlr4::Token::EOF ||
                  (isCloser(expected.token) && around_.isFirstOnLine(found));
  if (isBehind && found.index != 0)
    return {file_, tokens_.previous().end, tokens_.previous().end};
  return {file_, found.begin, found.end};
}

/// A second complaint about one token or one line is nearly always an echo of the first.
bool SyntaxErrors::isConsequence(SourceRange at) const {
  uint32_t line = sources_.lineColumn(file_, at.begin).line;
  bool isCutHere = scanned_.isCut && tokens_.current().getType() == antlr4::Token::EOF;
  return isCutHere || tokens_.index() == lastToken_ || line == lastLine_ ||
         std::binary_search(scanned_.faultyLines.begin(), scanned_.faultyLines.end(), line);
}

void SyntaxErrors::report(const Expectation &expected, const ParserRuleContext *context) {
  SourceRange at = placeOf(expected);
  bool isEcho = isConsequence(at);
  lastToken_ = tokens_.index();
  if (isEcho) {
    if (++echoes_ >= kMaxEchoes)
      throw antlr4::ParseCancellationException();
    return;
  }
  lastLine_ = sources_.lineColumn(file_, at.begin).line;
  if (!sayBadNumber())
    noteOpener(say(expected, at), expected, context);
  if (++errors_ >= kMaxErrors)
    throw antlr4::ParseCancellationException();
}

Finding &SyntaxErrors::say(const Expectation &expected, SourceRange at) {
  const SourceToken &found = tokens_.current();
  std::string cause = usualCause(expected, around_);
  if (!cause.empty())
    return sink_.report<Rule::BadForm>(SourceRange{file_, found.begin, found.end}, cause);
  bool isComparison = found.getType() == PtoParser::ASSIGN &&
                      (expected.token == PtoParser::LBRACE || expected.token == PtoParser::RPAREN ||
                       expected.token == PtoParser::RBRACK);
  bool isSlice = found.getType() == PtoParser::COLON && expected.token == PtoParser::RBRACK;
  std::string wanted = isComparison ? "`==`"
                       : isSlice    ? "`..`"
                                    : describeExpected(expected, around_);
  Finding &finding = sink_.report<Rule::SyntaxError>(at, wanted, describeFound(expected, around_));
  if (expected.token == PtoParser::SEMI)
    finding.fixes.push_back({sources_.name(file_).str(), at.begin, at.begin, ";", "insert `;`"});
  return finding;
}

/// `12abc` reads as a number and a name; nobody means that.
bool SyntaxErrors::sayBadNumber() {
  const SourceToken &found = tokens_.current(), &last = tokens_.previous();
  bool isNumber = last.getType() == PtoParser::INT || last.getType() == PtoParser::FLOAT;
  bool continues = found.getType() == PtoParser::IDENT || found.getType() == PtoParser::INT ||
                   found.getType() == PtoParser::FLOAT;
  if (!isNumber || !continues || last.end != found.begin)
    return false;
  SourceRange whole{file_, last.begin, found.end};
  StringRef text = sources_.text(whole);
  sink_.report<Rule::BadLiteral>(whole, text.size() <= 32
                                            ? llvm::formatv("`{0}` is no number", text).str()
                                            : std::string("this is no number"));
  return true;
}

/// For a bracket that is not closed, the place where it was opened says more than the place where
/// the parser noticed.
void SyntaxErrors::noteOpener(Finding &finding, const Expectation &expected,
                              const ParserRuleContext *context) const {
  static constexpr size_t kBegunByBracket[] = {PtoParser::RuleBlock,     PtoParser::RuleArguments,
                                               PtoParser::RuleParams,    PtoParser::RuleSettings,
                                               PtoParser::RuleBracketed, PtoParser::RuleMapLiteral,
                                               PtoParser::RuleSuffix};
  bool isClosing = isCloser(expected.token) && expected.token != PtoParser::SEMI;
  if (!isClosing || !llvm::is_contained(kBegunByBracket, context->getRuleIndex()))
    return;
  auto begin = uint32_t(context->start->getStartIndex());
  SourceRange opener{file_, begin, begin + 1};
  bool isOnSameLine = sources_.lineColumn(file_, begin).line == lastLine_;
  if (!isOnSameLine)
    sink_.note(finding, opener, "opened here");
}

} // namespace pto
