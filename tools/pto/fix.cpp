//===- fix.cpp - `--fix`: applies the fixes of a file's findings --------------------------===//

#include "pto/command.h"

#include "diag/fix.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

/// A fix may bring another finding to light; after that many rounds something is wrong with them.
static constexpr unsigned kMaxRounds = 10;

static bool hasSyntaxErrors(llvm::ArrayRef<Finding> findings) {
  return llvm::any_of(findings, [](const Finding &finding) {
    return info(finding.rule).kind == FindingKind::Syntax && finding.severity == Severity::Error;
  });
}

llvm::Expected<std::vector<AppliedFix>> fixFile(const std::string &path, const Options &options,
                                                const CompileOptions &compileWith) {
  Sources original;
  llvm::Expected<FileId> opened = openSource(original, path);
  if (!opened)
    return opened.takeError();
  std::vector<AppliedFix> applied, pending;
  std::string kept = original.text(*opened).str(), text = kept;
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    Sources sources;
    FileId file = sources.add(path, text);
    Sink sink(sources);
    if (llvm::Error wrong = setVerdicts(options, sink))
      return wrong;
    (void)compile(sources, file, compileWith, sink);
    // What cannot be read is not touched, be it the user's text or what a fix made of it.
    if (hasSyntaxErrors(sink.findings()))
      break;
    kept = text;
    llvm::append_range(applied, pending);
    pending.clear();
    FixedText fixed = applyFixes(path, text, sink.findings());
    if (fixed.mended.empty())
      break;
    for (const Finding *finding : fixed.mended)
      pending.push_back({path, info(finding->rule).slug.str(), finding->fixes.front().label});
    text = std::move(fixed.text);
  }
  if (kept != original.text(*opened))
    if (llvm::Error failed = replaceFile(path, kept))
      return failed;
  return applied;
}

} // namespace pto
