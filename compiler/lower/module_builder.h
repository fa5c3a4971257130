//===- module_builder.h - the tables of the module under construction -*- C++ -*-===//
//
// Private to the lower room.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_LOWER_MODULE_BUILDER_H
#define PTO_LOWER_MODULE_BUILDER_H

#include "lower/lower.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace pto::lower_detail {

class ModuleBuilder {
public:
  ModuleBuilder(const program::Program &program, const Sources &sources, Sink &sink)
      : program(program), sources(sources), sink(sink) {}

  void run();

  [[nodiscard]] uint32_t string(llvm::StringRef text);
  [[nodiscard]] uint32_t constant(ScalarType type, ScalarBits bits);
  /// The index of a function in the module; it is lowered later if it is new.
  [[nodiscard]] uint32_t function(const program::Function &function);
  [[nodiscard]] CodePlace place(SourceRange range);

  const program::Program &program;
  const Sources &sources;
  Sink &sink;
  Module module;

private:
  void addObjects();
  void addEntries();
  void checkPaths();
  [[nodiscard]] uint64_t pathRegisters(uint32_t index);

  llvm::StringMap<uint32_t> strings_;
  llvm::DenseMap<std::pair<unsigned, uint64_t>, uint32_t> constants_;
  llvm::DenseMap<const program::Function *, uint32_t> functions_;
  std::vector<const program::Function *> queue_; ///< In the order of their indices.
  llvm::DenseMap<uint32_t, uint64_t> pathRegisters_;
  std::vector<uint32_t> files_; ///< By FileId: index in the module + 1, or 0.
};

} // namespace pto::lower_detail

#endif
