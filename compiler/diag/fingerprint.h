//===- fingerprint.h - what a finding keeps when lines move -----*- C++ -*-===//
#ifndef PTO_DIAG_FINGERPRINT_H
#define PTO_DIAG_FINGERPRINT_H

#include "base/source.h"
#include "diag/finding.h"

namespace pto {

/// Sixteen hexadecimal digits of the rule, the text of the line and the message without positions.
/// Two findings that are alike on two equal lines share one; whoever compares counts them.
[[nodiscard]] std::string fingerprint(const Sources &sources, const Finding &finding);

} // namespace pto

#endif
