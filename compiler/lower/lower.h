//===- lower.h - checked program to bytecode --------------------*- C++ -*-===//
//
// The entry of the lower room.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_LOWER_LOWER_H
#define PTO_LOWER_LOWER_H

#include "bytecode/module.h"
#include "diag/sink.h"
#include "program/program.h"

namespace pto {

/// Lowers a program without errors: its kernels, hosts and tests, and the functions they reach. The
/// sink takes what does not fit into bytecode; the module is then not to be run.
[[nodiscard]] Module lower(const program::Program &program, const Sources &sources, Sink &sink);

} // namespace pto

#endif
