//===- wording.h - how the parser's expectations are said -------*- C++ -*-===//
#ifndef PTO_PARSE_WORDING_H
#define PTO_PARSE_WORDING_H

#include "parse/token_stream.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace pto {

/// What the parser was about to read when it could not go on.
struct Expectation {
  size_t rule;  ///< The rule of PtoParser that it was in.
  size_t token; ///< The only token that could follow, or 0 where several could.
};

/// The tokens around the place, and their texts.
struct Surroundings {
  llvm::StringRef text; ///< The whole source.
  const TokenStream &tokens;

  [[nodiscard]] llvm::StringRef spelling(const SourceToken &token) const {
    return text.slice(token.begin, token.end);
  }
  [[nodiscard]] bool isFirstOnLine(const SourceToken &token) const;
};

/// For the slots of "expected {0}, found {1}".
[[nodiscard]] std::string describeExpected(const Expectation &expected, const Surroundings &around);
[[nodiscard]] std::string describeFound(const Expectation &expected, const Surroundings &around);

/// A sentence for a mistake that has a usual cause, or nothing. It then replaces the other two.
[[nodiscard]] std::string usualCause(const Expectation &expected, const Surroundings &around);

[[nodiscard]] bool isKeyword(size_t token);
[[nodiscard]] bool isItemKeyword(size_t token);
/// Words that begin a statement and nothing else.
[[nodiscard]] bool isStatementKeyword(size_t token);

} // namespace pto

#endif
