//===- parse.h - text to syntax tree ----------------------------*- C++ -*-===//
//
// The entry of the parse room, and the only header of it that others see. ANTLR stays behind it.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_PARSE_H
#define PTO_PARSE_PARSE_H

#include "ast/node.h"
#include "ast/token.h"
#include "diag/sink.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <vector>

namespace pto {

/// Parses one text. Always yields a tree: where the text is broken the sink has the errors and the
/// tree has what could be read. Never throws, never recurses deeper than kMaxNesting allows.
[[nodiscard]] std::unique_ptr<ast::File> parse(const Sources &sources, FileId file, Sink &sink);

/// Every token and comment of a text, in order; of any text, broken ones too.
[[nodiscard]] std::vector<ast::Token> readTokens(llvm::StringRef text);

/// `pto dump --stage tokens`: one token a line as `line:col KIND "text"`, comments included.
void dumpTokens(llvm::raw_ostream &out, const Sources &sources, FileId file);

/// Levels of brackets, blocks and operands that are read.
inline constexpr unsigned kMaxNesting = 256;

} // namespace pto

#endif
