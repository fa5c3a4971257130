//===- near.h - which name was meant by a misspelt one ----------*- C++ -*-===//
#ifndef PTO_BASE_NEAR_H
#define PTO_BASE_NEAR_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace pto {

/// Takes the names that exist one by one and keeps the nearest, if one is near enough to be meant.
/// Of equally near names it is the first in the alphabet, whatever the order they come in.
class NearestName {
public:
  explicit NearestName(llvm::StringRef wanted)
      : wanted_(wanted), bestDistance_(unsigned(wanted.size() / 3) + (wanted.size() < 3 ? 2 : 1)) {}

  void consider(llvm::StringRef candidate);
  [[nodiscard]] const std::string &best() const { return best_; }
  /// "; did you mean 'x'?", or nothing.
  [[nodiscard]] std::string question() const;

private:
  llvm::StringRef wanted_;
  unsigned bestDistance_; ///< One beyond what counts as near, until something is.
  std::string best_;
};

} // namespace pto

#endif
