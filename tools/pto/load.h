//===- load.h - a module from source text or bytecode -----------*- C++ -*-===//
#ifndef PTO_TOOLS_LOAD_H
#define PTO_TOOLS_LOAD_H

#include "pto/command.h"

namespace pto {

struct Loaded {
  Module module;
  std::vector<Finding> findings; ///< Of the compiler; errors mean that there is no module.
  std::vector<std::string> unknowns;
  std::vector<Refusal> refusals; ///< Tests that the module lacks, since they expect to be refused.
  bool isRunnable = false;
};

/// Compiles a .pto file or reads a .ptoc file, by what the file is, not by its name.
[[nodiscard]] llvm::Expected<Loaded> load(Sources &sources, const std::string &path,
                                          const Options &options, bool isRun);

} // namespace pto

#endif
