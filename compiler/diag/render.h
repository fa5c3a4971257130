//===- render.h - a finding in words or JSON --------------------*- C++ -*-===//
//
// The only place that decides what a finding looks like.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DIAG_RENDER_H
#define PTO_DIAG_RENDER_H

#include "base/source.h"
#include "diag/finding.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

/// `file:line:col: error: text [slug]`, the line and its caret where the text is loaded, the other
/// places, the details, then why and how to mend it.
void renderText(llvm::raw_ostream &out, const Sources &sources, const Finding &finding);
void renderText(llvm::raw_ostream &out, const Sources &sources, llvm::ArrayRef<Finding> findings);

/// One element of "findings" in the JSON result (docs/reference/result.schema.json).
[[nodiscard]] llvm::json::Object toJson(const Finding &finding);

} // namespace pto

#endif
