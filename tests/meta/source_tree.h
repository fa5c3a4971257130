//===- source_tree.h - the project's own files, to be tested ----*- C++ -*-===//
#ifndef PTO_TESTS_META_SOURCE_TREE_H
#define PTO_TESTS_META_SOURCE_TREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace pto::test {

/// A text file of the project.
struct SourceFile {
  std::string path; ///< From the project's root.
  std::string text;

  [[nodiscard]] bool isHeader() const { return llvm::StringRef(path).ends_with(".h"); }
  [[nodiscard]] bool isTable() const { return llvm::StringRef(path).ends_with(".def"); }
  [[nodiscard]] llvm::StringRef name() const;
  [[nodiscard]] llvm::SmallVector<llvm::StringRef> lines() const;
};

/// The files below these folders whose names end in one of the suffixes, sorted by path. No suffix
/// means every file. Folders that are not there are empty.
[[nodiscard]] std::vector<SourceFile> readTree(llvm::ArrayRef<llvm::StringRef> folders,
                                               llvm::ArrayRef<llvm::StringRef> suffixes);

/// One file; fails the current test and is empty if it cannot be read.
[[nodiscard]] SourceFile readSource(llvm::StringRef path);

} // namespace pto::test

#endif
