#include "parse/wording.h"

#include "parse/lex.h"

#include "grammar/PtoParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace pto {

namespace {
/// What a rule reads, for the places where several tokens could begin it.
StringRef describeRule(size_t rule) {
  switch (rule) {
  case PtoParser::RuleItem:
    return "a declaration (window, local, const, fn, kernel, host, test or import)";
  case PtoParser::RuleBlock:
  case PtoParser::RuleStatement:
    return "a statement";
  case PtoParser::RuleImportItem:
    return "a module's name or a file path in quotes";
  case PtoParser::RuleType:
    return "a type";
  case PtoParser::RuleGeneric:
    return "a type parameter or `const`";
  case PtoParser::RuleFillStatement:
    return "`=` or `from`";
  case PtoParser::RuleExpectStatement:
    return "a condition";
  case PtoParser::RuleSuffix:
    return "a rank (a name, a number or an expression in parentheses)";
  case PtoParser::RuleSlug:
  case PtoParser::RuleSlugPart:
    return "a rule's slug";
  case PtoParser::RuleName:
  case PtoParser::RuleWord:
    return "a name";
  default:
    return "an expression";
  }
}

/// What a quoted text is for, where only one could stand.
StringRef describeString(size_t rule) {
  switch (rule) {
  case PtoParser::RuleTestItem:
    return "the test's title in quotes";
  case PtoParser::RuleAttribute:
    return "the reason in quotes";
  case PtoParser::RuleMapEntry:
    return "a key in quotes";
  default:
    return "a file path in quotes";
  }
}

/// What stands between the brackets of a rule; empty where they hold one thing only.
StringRef describeElement(size_t rule) {
  switch (rule) {
  case PtoParser::RuleParams:
    return "a parameter (`name: type`)";
  case PtoParser::RuleSettings:
    return "a setting (`name = value`)";
  case PtoParser::RuleGenericList:
    return "a type parameter or `const`";
  case PtoParser::RuleMapLiteral:
    return "an entry (`\"key\": value`)";
  case PtoParser::RuleArguments:
  case PtoParser::RuleBracketed:
  case PtoParser::RuleSuffix:
  case PtoParser::RuleType:
  case PtoParser::RuleFillStatement:
  case PtoParser::RuleTileStatement:
    return "an expression";
  default:
    return {};
  }
}

bool isOpener(size_t token) {
  return llvm::is_contained({PtoParser::LPAREN, PtoParser::LBRACK, PtoParser::LBRACE}, token);
}

bool beginsElement(size_t token) {
  return llvm::is_contained({PtoParser::IDENT, PtoParser::INT, PtoParser::FLOAT, PtoParser::STRING,
                             PtoParser::BLOCK_STRING},
                            token);
}

/// `)`, or what should have come before it: an element after a comma, a comma before an element.
std::string describeCloser(const Expectation &expected, const Surroundings &around) {
  std::string closer = llvm::formatv("`{0}`", tokenSpelling(expected.token));
  StringRef element = describeElement(expected.rule);
  size_t previous = around.tokens.previous().getType();
  if (element.empty())
    return closer;
  if (previous == PtoParser::COMMA)
    return element.str();
  if (isOpener(previous))
    return llvm::formatv("{0} or {1}", element, closer);
  if (beginsElement(around.tokens.current().getType()))
    return "`,` or " + closer;
  return closer;
}
} // namespace

bool Surroundings::isFirstOnLine(const SourceToken &token) const {
  if (token.index == 0)
    return true;
  return text.slice(tokens[token.index - 1].end, token.begin).contains('\n');
}

bool isKeyword(size_t token) {
  StringRef spelling = tokenSpelling(token);
  return !spelling.empty() && llvm::isAlpha(spelling.front());
}

bool isItemKeyword(size_t token) {
  return llvm::is_contained({PtoParser::IMPORT, PtoParser::CONST, PtoParser::WINDOW,
                             PtoParser::LOCAL, PtoParser::FN, PtoParser::KERNEL, PtoParser::HOST,
                             PtoParser::TEST},
                            token);
}

bool isStatementKeyword(size_t token) {
  return llvm::is_contained({PtoParser::LET, PtoParser::VAR, PtoParser::TILE, PtoParser::IF,
                             PtoParser::FOR, PtoParser::WHILE, PtoParser::LOOP, PtoParser::BREAK,
                             PtoParser::CONTINUE, PtoParser::RETURN, PtoParser::FILL,
                             PtoParser::SAVE, PtoParser::LAUNCH, PtoParser::SYNC, PtoParser::YIELD,
                             PtoParser::EXPECT},
                            token);
}

std::string describeExpected(const Expectation &expected, const Surroundings &around) {
  switch (expected.token) {
  case 0:
    return describeRule(expected.rule).str();
  case PtoParser::IDENT:
    return expected.rule == PtoParser::RuleType ? "a type" : "a name";
  case PtoParser::STRING:
    return describeString(expected.rule).str();
  case PtoParser::RPAREN:
  case PtoParser::RBRACK:
  case PtoParser::RBRACE:
  case PtoParser::GREATER:
    return describeCloser(expected, around);
  case PtoParser::LESS:
    return "an engine (`session<SDMA>`)";
  default:
    return llvm::formatv("`{0}`", tokenSpelling(expected.token));
  }
}

std::string describeFound(const Expectation &expected, const Surroundings &around) {
  constexpr size_t kLongestShown = 32;
  const SourceToken &found = around.tokens.current();
  size_t type = found.getType();
  if (type == antlr4::Token::EOF)
    return "the end of the file";
  StringRef text = around.spelling(found);
  bool wantsName =
      expected.rule == PtoParser::RuleName || expected.rule == PtoParser::RuleQualifiedName;
  if (isKeyword(type) && wantsName)
    return llvm::formatv("the keyword `{0}`", text);
  if (text.size() <= kLongestShown && type != PtoParser::OPEN_STRING && !text.contains('\n'))
    return llvm::formatv("`{0}`", text);
  if (type == PtoParser::IDENT)
    return "a name";
  return type == PtoParser::INT || type == PtoParser::FLOAT ? "a number" : "a string";
}

namespace {
/// `i++;` and `i--;`, which read as an unfinished sum.
std::string causeOfIncrement(const Surroundings &around) {
  const SourceToken &found = around.tokens.current(), &last = around.tokens.previous();
  if (last.index == 0 || found.index == 0)
    return {};
  const SourceToken &before = around.tokens[last.index - 1];
  bool isPlus = found.getType() == PtoParser::PLUS && last.getType() == PtoParser::PLUS;
  bool isMinus = last.getType() == PtoParser::MINUS && before.getType() == PtoParser::MINUS &&
                 found.getType() == PtoParser::SEMI;
  const SourceToken &first = isPlus ? last : before, &second = isPlus ? found : last;
  if ((!isPlus && !isMinus) || first.end != second.begin)
    return {};
  return llvm::formatv("there is no `{0}{0}`; write `{0}= 1`", isPlus ? '+' : '-');
}

/// `int x = 1;`: two names where a statement began.
std::string causeOfTwoNames(const Surroundings &around) {
  const SourceToken &found = around.tokens.current(), &last = around.tokens.previous();
  if (found.getType() != PtoParser::IDENT || last.getType() != PtoParser::IDENT || !last.index ||
      around.isFirstOnLine(found))
    return {};
  size_t before = around.tokens[last.index - 1].getType();
  if (!llvm::is_contained({PtoParser::SEMI, PtoParser::LBRACE, PtoParser::RBRACE}, before))
    return {};
  return llvm::formatv("`{0} {1}` is no statement; a variable begins with `let` or `var`: `let {1} "
                       "= ...;`",
                       around.spelling(last), around.spelling(found));
}

std::string causeOfMissingBlock(const Expectation &expected, const Surroundings &around) {
  size_t found = around.tokens.current().getType();
  if (found == PtoParser::ARROW && expected.rule == PtoParser::RuleBlock)
    return "only a `fn` has a result; a kernel writes what it found into a window";
  return {};
}
} // namespace

std::string usualCause(const Expectation &expected, const Surroundings &around) {
  const SourceToken &found = around.tokens.current();
  bool isInBlock = expected.rule == PtoParser::RuleBlock && expected.token == 0;
  if (isInBlock && isItemKeyword(found.getType()))
    return llvm::formatv("`{0}` stands outside of kernels, functions, hosts and tests",
                         around.spelling(found));
  if (expected.rule == PtoParser::RuleItem && isStatementKeyword(found.getType()))
    return llvm::formatv("`{0}` begins a statement, and statements stand inside a kernel, fn, host "
                         "or test",
                         around.spelling(found));
  if (expected.token == PtoParser::LBRACK && around.tokens.previous().getType() == PtoParser::HASH)
    return "there is no preprocessor: files are read by `import`, constants declared by `const`";
  if (found.getType() == PtoParser::LPAREN && around.tokens.previous().getType() == PtoParser::FOR)
    return "a loop counts over a range: `for i in a..b { }`";
  if (std::string cause = causeOfIncrement(around); !cause.empty())
    return cause;
  if (expected.token == PtoParser::SEMI)
    return causeOfTwoNames(around);
  return causeOfMissingBlock(expected, around);
}

} // namespace pto
