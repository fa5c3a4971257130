#include "base/near.h"

namespace pto {

void NearestName::consider(llvm::StringRef candidate) {
  unsigned distance = wanted_.edit_distance(candidate, true, bestDistance_);
  if (distance < bestDistance_ ||
      (distance == bestDistance_ && !best_.empty() && candidate < best_)) {
    bestDistance_ = distance;
    best_ = candidate.str();
  }
}

std::string NearestName::question() const {
  return best_.empty() ? "" : "; did you mean '" + best_ + "'?";
}

} // namespace pto
