//===- compile.h - a file and its imports to a module -----------*- C++ -*-===//
//
// The conductor of the compiler: parse, check, lower, in this order.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DRIVER_COMPILE_H
#define PTO_DRIVER_COMPILE_H

#include "bytecode/module.h"
#include "check/expected.h"
#include "mutate/mutate.h"

#include <memory>
#include <string>
#include <vector>

namespace pto {

struct CompileOptions {
  CheckOptions check;
  std::string
      stdlibDirectory; ///< --stdlib: read the library from here instead of the built-in copy.
  /// An error that all entries expect which come to it leaves out these entries, and nothing else.
  bool refusesExpected = false;
  std::optional<Mutant> mutant; ///< Lower the program with this change, which no rule has seen.
};

/// What each stage made; later ones are empty where an earlier one found errors.
struct Compilation {
  std::vector<std::unique_ptr<ast::File>> files; ///< Imported ones first, the main one last.
  std::unique_ptr<program::Program> program;
  Module module;
  bool isRunnable = false;       ///< Whether the module is complete.
  std::vector<Refusal> refusals; ///< Entries that the module lacks.
};

/// Compiles a text that is already among the sources. What is wrong with it goes to the sink.
[[nodiscard]] Compilation compile(Sources &sources, FileId main, const CompileOptions &options,
                                  Sink &sink);

} // namespace pto

#endif
