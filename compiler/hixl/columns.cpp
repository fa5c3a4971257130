#include "hixl/columns.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace pto {

void HixlColumns::add(std::vector<std::string> row) {
  widths_.resize(std::max(widths_.size(), row.size()));
  for (size_t i = 0; i != row.size(); ++i)
    widths_[i] = std::max(widths_[i], row[i].size());
  rows_.push_back(std::move(row));
}

void HixlColumns::write(llvm::StringRef title, llvm::raw_ostream &out) const {
  out << title << '\n';
  for (const std::vector<std::string> &row : rows_) {
    std::string line = " ";
    for (size_t i = 0; i != row.size(); ++i)
      line += " " + row[i] + std::string(widths_[i] - row[i].size() + 1, ' ');
    out << llvm::StringRef(line).rtrim() << '\n';
  }
}

} // namespace pto
