//===- docs_page.h - the fenced blocks of a page ----------------*- C++ -*-===//
#ifndef PTO_TESTS_META_DOCS_PAGE_H
#define PTO_TESTS_META_DOCS_PAGE_H

#include "meta/source_tree.h"

#include <string>
#include <vector>

namespace pto::test {

/// A block between ``` and ```.
struct FencedBlock {
  std::string where;              ///< page:line, for messages
  std::vector<std::string> words; ///< Of the opening fence: the language and its options.
  std::string text;

  [[nodiscard]] bool isOf(llvm::StringRef language) const;
  [[nodiscard]] bool has(llvm::StringRef option) const;
  /// The value of `key=value`; empty if it is not there.
  [[nodiscard]] std::string option(llvm::StringRef key) const;
};

[[nodiscard]] std::vector<FencedBlock> readBlocks(const SourceFile &page);

} // namespace pto::test

#endif
