// The tokens of a text as data, for the rooms that do not see the lexer.
#include "parse/lex.h"
#include "parse/parse.h"

#include "grammar/PtoLexer.h"

#include "llvm/ADT/StringExtras.h"

namespace pto {

static ast::TokenKind kindOf(size_t type, char first) {
  switch (type) {
  case PtoLexer::LINE_COMMENT:
  case PtoLexer::DOC_COMMENT:
    return ast::TokenKind::LineComment;
  case PtoLexer::BLOCK_COMMENT:
    return ast::TokenKind::BlockComment;
  case PtoLexer::TRUE:
  case PtoLexer::FALSE:
    return ast::TokenKind::Literal;
  default:
    if (llvm::isDigit(first) || first == '"')
      return ast::TokenKind::Literal;
    return llvm::isAlpha(first) || first == '_' ? ast::TokenKind::Word : ast::TokenKind::Sign;
  }
}

std::vector<ast::Token> readTokens(llvm::StringRef text) {
  std::vector<ast::Token> tokens;
  lex(text, [&](const LexedToken &token) {
    bool isShown = token.channel != PtoLexer::SPACES && token.end > token.begin &&
                   token.type != antlr4::Token::EOF;
    if (isShown)
      tokens.push_back({kindOf(token.type, text[token.begin]), token.begin, token.end});
    return true;
  });
  return tokens;
}

} // namespace pto
