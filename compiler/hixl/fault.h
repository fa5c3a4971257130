//===- fault.h - what is wrong with a text that HIXL reads ------*- C++ -*-===//
#ifndef PTO_HIXL_FAULT_H
#define PTO_HIXL_FAULT_H

#include "hixl/facts.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace pto {

/// One fault, in sentences that are ready for a finding.
struct OptionFault {
  llvm::StringRef account; ///< "HX-OPT-08"; empty where no rule of the reference states it.
  HixlStatus status = HixlStatus::Success; ///< What the call returns for it.
  bool isError = false;
  std::string key; ///< Of the option, or inside its JSON: "connect_pool.thread_num".
  std::string text;
  std::string mend;
};

/// Faults in the order in which the library would meet them.
class HixlFaults {
public:
  void error(llvm::StringLiteral account, llvm::StringRef key, const llvm::Twine &text,
             const llvm::Twine &mend, HixlStatus status = HixlStatus::ParamInvalid) {
    rows_.push_back({account, status, true, key.str(), text.str(), mend.str()});
  }
  /// The library goes on; the program may not mean what it says.
  void warn(llvm::StringLiteral account, llvm::StringRef key, const llvm::Twine &text,
            const llvm::Twine &mend) {
    rows_.push_back({account, HixlStatus::Success, false, key.str(), text.str(), mend.str()});
  }
  /// What the call returns: the status of the first fault that has one.
  [[nodiscard]] HixlStatus status() const {
    for (const OptionFault &row : rows_)
      if (row.status != HixlStatus::Success)
        return row.status;
    return HixlStatus::Success;
  }
  [[nodiscard]] const llvm::SmallVector<OptionFault> &rows() const { return rows_; }

private:
  llvm::SmallVector<OptionFault> rows_;
};

} // namespace pto

#endif
