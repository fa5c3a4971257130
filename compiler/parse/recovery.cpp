// Where the parser goes on after a fault. Each skip looks at brackets only, reads a token at most
// twice, and never moves backwards, so that garbage costs time in proportion to its length.
#include "parse/syntax_errors.h"

using antlr4::ParserRuleContext;

namespace pto {

namespace {
/// +1 for what opens, -1 for what closes.
int braceStep(size_t token) { return (token == PtoParser::LBRACE) - (token == PtoParser::RBRACE); }
int bracketStep(size_t token) {
  bool opens = token == PtoParser::LPAREN || token == PtoParser::LBRACK;
  bool closes = token == PtoParser::RPAREN || token == PtoParser::RBRACK;
  return opens - closes + braceStep(token);
}

template <typename Step> int depthBetween(const TokenStream &tokens, size_t from, Step step) {
  int depth = 0;
  for (size_t i = from; i < tokens.current().index; ++i)
    depth += step(tokens[i].getType());
  return depth;
}

/// Whether a closing brace cannot have been the end of a statement, as in `f({ … }, 1)`.
bool continuesExpression(size_t token) {
  return llvm::is_contained({PtoParser::RPAREN, PtoParser::RBRACK, PtoParser::COMMA, PtoParser::DOT,
                             PtoParser::SEMI, PtoParser::ELSE},
                            token);
}
} // namespace

void SyntaxErrors::consume(size_t count) {
  for (; count != 0; --count)
    tokens_.consume();
}

/// A declaration that begins a line, and begins it where the current one did. Indented ones are
/// misplaced declarations inside a body.
bool SyntaxErrors::isItemStart(const SourceToken &token) const {
  if (!isItemKeyword(token.getType()) || !around_.isFirstOnLine(token))
    return false;
  if (token.getType() == PtoParser::TEST && tokens_[token.index + 1].getType() == PtoParser::LPAREN)
    return false;
  return sources_.lineColumn(file_, token.begin).column <= itemColumn_;
}

bool SyntaxErrors::beginsStatement(const SourceToken &token) const {
  return (isStatementKeyword(token.getType()) && around_.isFirstOnLine(token)) ||
         isItemStart(token);
}

/// Called at each turn of a loop; only blocks repair themselves here, so that what is no statement
/// does not end the block around it.
void SyntaxErrors::sync(antlr4::Parser *parser) {
  const ParserRuleContext *context = parser->getContext();
  if (context->getRuleIndex() != PtoParser::RuleBlock)
    return;
  const antlr4::misc::IntervalSet &next =
      parser->getATN().nextTokens(parser->getATN().states[parser->getState()]);
  for (size_t token = tokens_.LA(1); token != antlr4::Token::EOF; token = tokens_.LA(1)) {
    if (isItemStart(tokens_.current())) {
      report({PtoParser::RuleBlock, PtoParser::RBRACE}, context);
      isReported_ = true;
      throw antlr4::InputMismatchException(parser);
    }
    if (next.contains(token))
      return;
    report({PtoParser::RuleBlock, 0}, context);
    size_t from = tokens_.index();
    consume(1);
    skipStatement(from);
  }
}

void SyntaxErrors::recover(antlr4::Parser *parser, std::exception_ptr exception) {
  ParserRuleContext *context = parser->getContext();
  size_t from = context->start->getTokenIndex();
  bool isRecovered = false;
  switch (context->getRuleIndex()) {
  case PtoParser::RuleArguments:
  case PtoParser::RuleParams:
  case PtoParser::RuleSettings:
    isRecovered = skipList(*context);
    break;
  case PtoParser::RuleBlock:
    isRecovered = isItemStart(tokens_.current());
    break;
  case PtoParser::RuleStatement:
    skipStatement(from);
    isRecovered = true;
    break;
  case PtoParser::RuleItem:
    // An open string swallowed the rest of its line, and with it perhaps the brace of a body.
    if (tokens_.LA(1) == PtoParser::OPEN_STRING || tokens_.LA(1) == PtoParser::OPEN_BLOCK_STRING)
      skipToItem();
    else
      skipItem(from);
    isRecovered = true;
    break;
  default:
    break;
  }
  if (!isRecovered)
    std::rethrow_exception(exception);
  isReported_ = false;
}

/// To behind the parenthesis that closes the list, if there is one before the statement ends.
bool SyntaxErrors::skipList(const ParserRuleContext &list) {
  bool isArguments = list.getRuleIndex() == PtoParser::RuleArguments;
  if (list.start->getType() != PtoParser::LPAREN)
    return !isArguments && tokens_.LA(1) == PtoParser::LBRACE;
  int depth = depthBetween(tokens_, list.start->getTokenIndex(), bracketStep);
  for (size_t distance = 0;; ++distance) {
    const SourceToken &token = tokens_.ahead(distance);
    size_t type = token.getType();
    bool isBody = !isArguments && type == PtoParser::LBRACE;
    if (isBody)
      consume(distance);
    if (isBody || type == antlr4::Token::EOF || type == PtoParser::SEMI || beginsStatement(token))
      return isBody;
    depth += bracketStep(type);
    if (depth <= 0) {
      consume(distance + (type == PtoParser::RPAREN));
      return type == PtoParser::RPAREN;
    }
  }
}

/// To behind the statement that began at token `from`: its `;`, or the `}` of its last block, or
/// the next word that begins a statement on a line of its own.
void SyntaxErrors::skipStatement(size_t from) {
  int depth = depthBetween(tokens_, from, braceStep);
  for (;; tokens_.consume()) {
    const SourceToken &token = tokens_.current();
    size_t type = token.getType();
    if (type == antlr4::Token::EOF || isItemStart(token))
      return;
    bool isOutside = depth <= 0;
    if (isOutside && (type == PtoParser::RBRACE || (token.index != from && beginsStatement(token))))
      return;
    depth += braceStep(type);
    bool closesBlock =
        type == PtoParser::RBRACE && depth <= 0 && !continuesExpression(tokens_.ahead(1).getType());
    if (closesBlock || (isOutside && type == PtoParser::SEMI))
      return tokens_.consume();
  }
}

/// To behind the item that began at token `from`: its `;` or its body.
void SyntaxErrors::skipItem(size_t from) {
  int depth = depthBetween(tokens_, from, braceStep);
  for (;; tokens_.consume()) {
    const SourceToken &token = tokens_.current();
    size_t type = token.getType();
    bool isNext = token.index != from && isItemKeyword(type) && around_.isFirstOnLine(token) &&
                  (depth <= 0 || isItemStart(token));
    if (type == antlr4::Token::EOF || isNext)
      return;
    depth += braceStep(type);
    if (depth <= 0 && (type == PtoParser::SEMI || type == PtoParser::RBRACE))
      return tokens_.consume();
  }
}

/// At least one token on, to a declaration that begins no further right than the current one.
void SyntaxErrors::skipToItem() {
  do
    tokens_.consume();
  while (tokens_.LA(1) != antlr4::Token::EOF && !isItemStart(tokens_.current()));
}

void SyntaxErrors::skipStrayText() {
  itemColumn_ = ~0u;
  report({PtoParser::RuleItem, 0}, nullptr);
  skipToItem();
}

} // namespace pto
