//===- columns.h - a table as text ------------------------------*- C++ -*-===//
#ifndef PTO_HIXL_COLUMNS_H
#define PTO_HIXL_COLUMNS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace pto {

/// Rows of cells, each column as wide as its widest cell; the last one is not filled up.
class HixlColumns {
public:
  explicit HixlColumns(std::vector<std::string> head) { add(std::move(head)); }
  void add(std::vector<std::string> row);
  void write(llvm::StringRef title, llvm::raw_ostream &out) const;

private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> widths_;
};

} // namespace pto

#endif
