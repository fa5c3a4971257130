#include "hixl/answer.h"

#include "hixl/facts.h"

namespace pto {

llvm::SmallVector<llvm::StringRef, 10> names(HixlEnum which) {
  llvm::SmallVector<llvm::StringRef, 10> out;
  if (which == HixlEnum::Status)
    for (const HixlStatusInfo &row : hixlStatuses())
      out.push_back(row.name);
  else
    for (const HixlValueInfo &row :
         which == HixlEnum::Transfer ? hixlTransferStatuses() : hixlConnectStatuses())
      out.push_back(row.name);
  return out;
}

llvm::StringRef name(HixlEnum which) {
  static constexpr llvm::StringLiteral kNames[] = {"status of HIXL", "transfer status of HIXL",
                                                   "connect status of HIXL"};
  return kNames[size_t(which)];
}

} // namespace pto
