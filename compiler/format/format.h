//===- format.h - a text in the one layout of the language ------*- C++ -*-===//
//
// The entry of the format room. docs/language.md, "Layout", has the rules that it follows.
//
// Works from all tokens in order, so none can be lost or moved: the tree only tells what a token
// is where its spelling does not (a name or a contextual keyword, a block or a map).
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FORMAT_FORMAT_H
#define PTO_FORMAT_FORMAT_H

#include "ast/node.h"
#include "ast/token.h"

#include <string>

namespace pto {

/// The same tokens and comments, laid out. `file` is the tree of the text, and has no errors. To
/// lay out the result again gives the same text.
[[nodiscard]] std::string format(llvm::StringRef text, const ast::File &file,
                                 llvm::ArrayRef<ast::Token> tokens);

} // namespace pto

#endif
