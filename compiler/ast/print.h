//===- print.h - the syntax tree in words -----------------------*- C++ -*-===//
#ifndef PTO_AST_PRINT_H
#define PTO_AST_PRINT_H

#include "ast/node.h"

#include "llvm/Support/raw_ostream.h"

namespace pto::ast {

/// One node a line, children indented by two; `name: "text"` for texts, fields left out when empty.
void print(llvm::raw_ostream &out, const Node &node, unsigned indent = 0);
void print(llvm::raw_ostream &out, const File &file);

} // namespace pto::ast

#endif
