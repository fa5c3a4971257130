//===- syntax_errors.h - the parser's faults as findings --------*- C++ -*-===//
//
// ANTLR asks an error strategy what to do at each token that it cannot read. This one says each
// fault once, in words, and then chooses among three ways to go on:
//
//   invent    a closing token that is clearly missing (`;` at the end of a line) is taken as read
//   skip      the rest of a list, statement or item is left out; the parser goes on behind it
//   give up   after kMaxErrors
//
// Only lists in parentheses, statements, blocks and items recover; every other rule passes the
// exception to the rule around it. No exception leaves the parse room.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_SYNTAX_ERRORS_H
#define PTO_PARSE_SYNTAX_ERRORS_H

#include "parse/scan.h"
#include "parse/wording.h"

#include "grammar/PtoParser.h"

#include <deque>

namespace pto {

class SyntaxErrors final : public antlr4::ANTLRErrorStrategy {
public:
  SyntaxErrors(const Sources &sources, FileId file, ScannedText &text, Sink &sink);

  /// Must be told where each item starts: a declaration that begins no further right than that
  /// ends whatever is still open.
  void beginItem();
  /// What stands between items and begins none: one finding, and on to the next declaration.
  void skipStrayText();

  void reset(antlr4::Parser *) override {}
  antlr4::Token *recoverInline(antlr4::Parser *parser) override;
  void recover(antlr4::Parser *parser, std::exception_ptr exception) override;
  void sync(antlr4::Parser *parser) override;
  bool inErrorRecoveryMode(antlr4::Parser *) override { return isReported_; }
  void reportMatch(antlr4::Parser *) override {}
  void reportError(antlr4::Parser *parser, const antlr4::RecognitionException &) override;

  static constexpr unsigned kMaxErrors = 20;
  /// Faults that are not said cost time all the same.
  static constexpr unsigned kMaxEchoes = 200;

private:
  void report(const Expectation &expected, const antlr4::ParserRuleContext *context);
  [[nodiscard]] SourceRange placeOf(const Expectation &expected) const;
  [[nodiscard]] bool isConsequence(SourceRange at) const;
  Finding &say(const Expectation &expected, SourceRange at);
  [[nodiscard]] bool sayBadNumber();
  void noteOpener(Finding &finding, const Expectation &expected,
                  const antlr4::ParserRuleContext *context) const;

  [[nodiscard]] bool mayInvent(size_t type) const;
  antlr4::Token *invent(size_t type);

  // recovery.cpp
  [[nodiscard]] bool isItemStart(const SourceToken &token) const;
  [[nodiscard]] bool beginsStatement(const SourceToken &token) const;
  [[nodiscard]] bool skipList(const antlr4::ParserRuleContext &list);
  void skipStatement(size_t from);
  void skipItem(size_t from);
  void skipToItem();
  void consume(size_t count);

  const Sources &sources_;
  FileId file_;
  ScannedText &scanned_;
  TokenStream &tokens_;
  Sink &sink_;
  Surroundings around_;
  std::deque<SourceToken> invented_; ///< Tokens that the text lacks; the parser keeps pointers.
  uint32_t itemColumn_ = 0;
  uint32_t lastLine_ = 0;         ///< The line of the last finding; none follows on it.
  size_t lastToken_ = ~size_t(0); ///< The token that it found; it is found fault with once.
  unsigned errors_ = 0;
  unsigned echoes_ = 0;
  bool isReported_ = false; ///< An exception is on its way whose fault has been said.
};

} // namespace pto

#endif
