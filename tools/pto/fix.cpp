//===- fix.cpp - `--fix`: applies the fixes of a file's findings --------------------------===//
//
// In rounds: what can be applied together is, then the file is checked anew, since a fix may bring
// another finding to light or do away with one. Fixes that touch each other so follow each other.
//
//===----------------------------------------------------------------------===//

#include "pto/command.h"

#include "diag/fix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace pto {

/// Each round mends something; a file for which that does not do is mended by the next command.
static constexpr unsigned kMaxRounds = 100;

static bool hasSyntaxErrors(llvm::ArrayRef<Finding> findings) {
  return llvm::any_of(findings, [](const Finding &finding) {
    return info(finding.rule).kind == FindingKind::Syntax && finding.severity == Severity::Error;
  });
}

namespace {
/// The text of one file on its way to be mended.
class Mender {
public:
  Mender(const std::string &path, const Options &options, const CompileOptions &compileWith,
         Result &result)
      : path_(path), options_(options), compileWith_(compileWith), result_(result) {}

  /// Gives the last text that can be read.
  llvm::Expected<std::string> run(std::string text);

private:
  using Findings = std::vector<Finding>;

  llvm::Expected<Findings> check(llvm::StringRef text);
  llvm::Expected<bool> step(std::string &text, Findings &findings);
  [[nodiscard]] AppliedFix describe(const Finding &finding, llvm::StringRef why) const {
    auto labels = llvm::map_range(finding.fixes, [](const Fix &fix) { return fix.label; });
    return {path_, info(finding.rule).slug.str(), llvm::join(labels, ", "), why.str()};
  }
  /// A repair of one finding that is not to be tried again.
  static std::string keyOf(const Finding &finding) {
    const Place &at = finding.sites.front().place;
    return info(finding.rule).slug.str() + ":" + std::to_string(at.line) + ":" +
           std::to_string(at.column) + ":" + finding.fixes.front().text;
  }

  const std::string &path_;
  const Options &options_;
  const CompileOptions &compileWith_;
  Result &result_;
  llvm::StringSet<> seen_;    ///< Texts that there have been; to come back to one has no end.
  llvm::StringSet<> refused_; ///< Keys of repairs that made the text unreadable.
};
} // namespace

llvm::Expected<Mender::Findings> Mender::check(llvm::StringRef text) {
  Sources sources;
  FileId file = sources.add(path_, text);
  Sink sink(sources);
  if (llvm::Error wrong = setVerdicts(options_, sink))
    return wrong;
  (void)compile(sources, file, compileWith_, sink);
  return sink.takeFindings();
}

/// Applies what can be applied together. If the text that comes of it cannot be read, applies the
/// first fix alone, or refuses it, if that one is to blame. Gives whether there is more to do.
llvm::Expected<bool> Mender::step(std::string &text, Findings &findings) {
  FixedText fixed = applyFixes(path_, text, findings);
  if (fixed.mended.empty())
    return false;
  llvm::Expected<Findings> after = check(fixed.text);
  if (!after)
    return after.takeError();
  bool isBroken = hasSyntaxErrors(*after);
  if (isBroken && fixed.mended.size() > 1) {
    Findings first = {*fixed.mended.front()};
    llvm::Expected<bool> goesOn = step(text, first);
    if (goesOn)
      findings = std::move(first);
    return goesOn;
  }
  if (isBroken || !seen_.insert(fixed.text).second) {
    llvm::StringRef why =
        isBroken ? "the text could not be read afterwards" : "another fix undoes it";
    for (const Finding *finding : fixed.mended) {
      refused_.insert(keyOf(*finding));
      result_.unfixed.push_back(describe(*finding, why));
    }
    after = check(text);
    if (!after)
      return after.takeError();
    findings = std::move(*after);
    return true;
  }
  for (const Finding *finding : fixed.mended)
    result_.fixed.push_back(describe(*finding, ""));
  text = std::move(fixed.text);
  findings = std::move(*after);
  return true;
}

llvm::Expected<std::string> Mender::run(std::string text) {
  llvm::Expected<Findings> findings = check(text);
  if (!findings)
    return findings.takeError();
  if (hasSyntaxErrors(*findings))
    return text; // What cannot be read is not touched.
  seen_.insert(text);
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    llvm::erase_if(*findings, [&](const Finding &finding) {
      return finding.fixes.empty() || refused_.contains(keyOf(finding));
    });
    llvm::Expected<bool> goesOn = step(text, *findings);
    if (!goesOn)
      return goesOn.takeError();
    if (!*goesOn)
      return text;
  }
  for (const Finding *finding : applyFixes(path_, text, *findings).mended)
    result_.unfixed.push_back(describe(*finding, "too many fixes touch each other"));
  return text;
}

llvm::Error fixFile(const std::string &path, const Options &options,
                    const CompileOptions &compileWith, Result &result) {
  Sources original;
  llvm::Expected<FileId> opened = openSource(original, path);
  if (!opened)
    return opened.takeError();
  std::string text = original.text(*opened).str();
  llvm::Expected<std::string> mended = Mender(path, options, compileWith, result).run(text);
  if (!mended)
    return mended.takeError();
  return *mended == text ? llvm::Error::success() : replaceFile(path, *mended);
}

} // namespace pto
