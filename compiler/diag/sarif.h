//===- sarif.h - findings as a SARIF 2.1.0 log ------------------*- C++ -*-===//
//
// For editors and code hosts. tests/meta/sarif.schema.json is the part of the format that is
// written here; a test holds the output to it.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DIAG_SARIF_H
#define PTO_DIAG_SARIF_H

#include "base/source.h"
#include "diag/finding.h"

#include "llvm/Support/JSON.h"

namespace pto {

/// The log of one run. `failure`: why the command could not do its work; empty if it could.
[[nodiscard]] llvm::json::Object sarifLog(const Sources &sources, llvm::ArrayRef<Finding> findings,
                                          llvm::StringRef version, llvm::StringRef failure);

} // namespace pto

#endif
