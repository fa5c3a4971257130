//===- check.cpp - `pto check` and `pto lint` ------------------------------------------===//

#include "pto/baseline.h"

#include "diag/render.h"
#include "diag/sarif.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

/// Compiles each file; their findings go into the result.
static llvm::Error checkFiles(const Options &options, const CompileOptions &compileWith,
                              Sources &sources, Result &result) {
  for (const std::string &path : options.files) {
    llvm::Expected<FileId> file = openSource(sources, path);
    if (!file)
      return file.takeError();
    Sink sink(sources);
    if (llvm::Error wrong = setVerdicts(options, sink))
      return wrong;
    Compilation compilation = compile(sources, *file, compileWith, sink);
    llvm::append_range(result.findings, sink.takeFindings());
    if (compilation.program)
      llvm::append_range(result.covered.unknowns, compilation.program->unknowns);
  }
  return llvm::Error::success();
}

/// Lines about the command itself, after the findings.
static void tell(llvm::raw_ostream &out, const Options &options, const Result &result) {
  for (const AppliedFix &fix : result.fixed)
    out << fix.file << ": fixed: " << fix.label << " [" << fix.slug << "]\n";
  for (const AppliedFix &fix : result.unfixed)
    out << fix.file << ": not fixed: " << fix.label << " [" << fix.slug << "]: " << fix.why << '\n';
  if (result.baseline) {
    if (result.baseline->known > 0)
      out << "baseline '" << options.baseline << "': " << result.baseline->known
          << (result.baseline->known == 1 ? " finding is" : " findings are") << " known\n";
    for (const StaleFinding &stale : result.baseline->stale)
      out << "baseline '" << options.baseline << "': stale: " << stale.file << ": " << stale.message
          << " [" << stale.slug << "]"
          << (stale.count > 1 ? ", " + std::to_string(stale.count) + " times" : "") << '\n';
  }
  if (options.showsUnknowns)
    for (const std::string &unknown : result.covered.unknowns)
      out << "unknown: " << unknown << '\n';
}

static void print(const Options &options, const Sources &sources, const Result &result) {
  if (options.format == "json")
    return writeJson(llvm::outs(), result);
  if (options.format == "sarif") {
    llvm::outs() << llvm::formatv(
        "{0:2}\n", llvm::json::Value(sarifLog(sources, result.findings, PTO_VERSION, "")));
  } else {
    renderText(llvm::errs(), sources, result.findings);
  }
  tell(llvm::errs(), options, result);
}

/// Takes out what the baseline knows; then writes the new one, which is about all findings.
static llvm::Error applyBaseline(const Options &options, const Sources &sources, Result &result) {
  Baseline written = Baseline::of(sources, result.findings);
  if (!options.baseline.empty()) {
    llvm::Expected<Baseline> baseline = Baseline::read(options.baseline);
    if (!baseline)
      return baseline.takeError();
    result.baseline = baseline->filter(sources, result.findings);
  }
  if (options.writeBaseline.empty())
    return llvm::Error::success();
  llvm::erase_if(result.findings, [](const Finding &finding) { return Baseline::takes(finding); });
  return written.write(options.writeBaseline);
}

Exit checkCommand(const Options &options) {
  if (options.files.empty())
    return fail(options, "`pto " + options.command + "` needs a file");
  llvm::Expected<CompileOptions> compileWith = compileOptions(options, false);
  if (!compileWith)
    return fail(options, compileWith.takeError());
  Result result;
  result.covered.target = compileWith->check.target ? compileWith->check.target->text() : "all";
  result.covered.ranks = options.ranks;
  for (const std::string &path : options.files) {
    if (!options.fixes)
      break;
    if (llvm::Error failed = fixFile(path, options, *compileWith, result))
      return fail(options, std::move(failed));
  }
  Sources sources;
  if (llvm::Error failed = checkFiles(options, *compileWith, sources, result))
    return fail(options, std::move(failed));
  if (llvm::Error failed = applyBaseline(options, sources, result))
    return fail(options, std::move(failed));
  print(options, sources, result);
  return result.hasErrors() ? Exit::Errors : Exit::Fine;
}

} // namespace pto
