//===- hixl_summary.h - faults of HIXL in a word each ----------------*- C++ -*-===//
#ifndef PTO_TESTS_HIXL_SUMMARY_H
#define PTO_TESTS_HIXL_SUMMARY_H

#include "hixl/options.h"

namespace pto::test {

/// "HX-OPT-08" for an error, "HX-OPT-21?" for what is only warned of; "none" where no rule is
/// named.
inline std::string summary(llvm::ArrayRef<OptionFault> faults) {
  std::string text;
  for (const OptionFault &fault : faults)
    text += (text.empty() ? "" : " ") + (fault.account.empty() ? "none" : fault.account.str()) +
            (fault.isError ? "" : "?");
  return text;
}

/// "M PARAM_INVALID HX-OPT-08"
inline std::string summary(const ParsedOptions &parsed) {
  std::string faults = summary(parsed.faults);
  return info(parsed.config.engine).letter.str() + " " + info(parsed.status).name.str() +
         (faults.empty() ? "" : " " + faults);
}

} // namespace pto::test

#endif
