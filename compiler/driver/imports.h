//===- imports.h - reads what a file imports --------------------*- C++ -*-===//
//
// Private to the driver.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DRIVER_IMPORTS_H
#define PTO_DRIVER_IMPORTS_H

#include "driver/compile.h"

#include "llvm/ADT/StringMap.h"

namespace pto {

class Imports {
public:
  Imports(Sources &sources, const CompileOptions &options, Sink &sink)
      : sources_(sources), options_(options), sink_(sink) {}

  /// Parses the file and all that it imports; each file once, imported ones first.
  size_t load(FileId file);

  std::vector<std::unique_ptr<ast::File>> files;
  std::vector<Unit> units; ///< One a file, in the same order.

private:
  void resolve(const ast::ImportItem &item, FileId importer, Unit &unit);
  [[nodiscard]] std::optional<FileId> find(const ast::ImportItem &item, FileId importer);
  [[nodiscard]] std::optional<FileId> findModule(const ast::ImportItem &item);

  Sources &sources_;
  const CompileOptions &options_;
  Sink &sink_;
  llvm::StringMap<size_t> loaded_;      ///< Name of a text to its unit.
  std::vector<std::string> inProgress_; ///< The chain of imports, for cycles.
};

} // namespace pto

#endif
