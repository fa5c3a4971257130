//===- print.h - a checked program in words ---------------------*- C++ -*-===//
#ifndef PTO_PROGRAM_PRINT_H
#define PTO_PROGRAM_PRINT_H

#include "program/program.h"

#include "llvm/Support/raw_ostream.h"

namespace pto::program {

/// Objects, then functions; one statement a line, types where they matter, plants in brackets.
void print(llvm::raw_ostream &out, const Program &program);
void print(llvm::raw_ostream &out, const Program &program, const Function &function);
[[nodiscard]] std::string text(const Program &program, const Expr &expr);

} // namespace pto::program

#endif
