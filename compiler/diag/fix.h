//===- fix.h - edits that mend a finding ------------------------*- C++ -*-===//
//
// Whoever reports a finding and knows the repair attaches it here; `--fix` applies it, and every
// form of output shows it. All fixes of one finding belong together. A fix must leave a program
// that is right: where the text alone does not say what was meant, there is none.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DIAG_FIX_H
#define PTO_DIAG_FIX_H

#include "base/source.h"
#include "diag/finding.h"

namespace pto {

void fixReplace(const Sources &sources, Finding &finding, SourceRange range, llvm::StringRef text);
/// Removes the range; with it the line, if nothing else stands there.
void fixRemove(const Sources &sources, Finding &finding, SourceRange range);
/// Puts a statement (before: or several, a line each) on a line of its own before or after that of
/// `statement`, indented alike; on the same line, if others stand there.
void fixInsertBefore(const Sources &sources, Finding &finding, SourceRange statement,
                     llvm::StringRef text);
void fixInsertAfter(const Sources &sources, Finding &finding, SourceRange statement,
                    llvm::StringRef text);
/// Puts a text at an offset, without any blank around it.
void fixInsertText(const Sources &sources, Finding &finding, SourceRange at, llvm::StringRef text);
/// `x` becomes `before x after`, as in a call around it.
void fixWrap(const Sources &sources, Finding &finding, SourceRange range, llvm::StringRef before,
             llvm::StringRef after);

/// A text after the fixes of some findings.
struct FixedText {
  std::string text;
  std::vector<const Finding *> mended; ///< Whose fixes were applied, or were the same as others.
};
/// Applies the fixes that are about this file alone, in the order of the findings.
[[nodiscard]] FixedText applyFixes(llvm::StringRef file, llvm::StringRef text,
                                   llvm::ArrayRef<Finding> findings);

} // namespace pto

#endif
