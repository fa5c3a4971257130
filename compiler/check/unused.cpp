//===- unused.cpp - what the text declares and nothing uses ----------------------------===//

#include "check/checker.h"

#include "diag/fix.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

/// Of each file, whether it or one that it imports declares objects: they are part of every program
/// that reads the file, used or not. Imported files stand before those that import them.
static std::vector<bool> findObjects(llvm::ArrayRef<Unit> units) {
  std::vector<bool> hasObjects;
  for (const Unit &unit : units)
    hasObjects.push_back(
        llvm::any_of(unit.file->items,
                     [](const ast::Item *item) { return llvm::isa<ast::WindowItem>(item); }) ||
        llvm::any_of(unit.imports,
                     [&](const Unit::Import &import) { return hasObjects[import.unit]; }));
  return hasObjects;
}

void Checker::adviseUnusedImports() {
  // A body with errors may have been left before the name was reached.
  if (units.empty() || sink.hasErrors())
    return;
  const size_t main = units.size() - 1;
  const std::vector<bool> hasObjects = findObjects(units);
  for (const Unit::Import &import : units[main].imports) {
    auto symbol = scopes[main].find(import.alias);
    bool isUsed = symbol == scopes[main].end() || symbol->second.isUsed;
    if (!isUsed && !hasObjects[import.unit])
      fixRemove(sources, sink.report<Rule::UnusedImport>(import.item->range, import.alias),
                import.item->range);
  }
}

} // namespace pto::check_detail
