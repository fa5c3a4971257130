//===- check.cpp - `pto check` -------------------------------------------------------===//

#include "pto/command.h"

#include "diag/render.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

Exit checkCommand(const Options &options) {
  if (options.files.empty())
    return fail(options, "`pto check` needs a file");
  llvm::Expected<CompileOptions> compileWith = compileOptions(options, false);
  if (!compileWith)
    return fail(options, compileWith.takeError());
  Sources sources;
  Result result;
  result.covered.target = compileWith->check.target ? compileWith->check.target->text() : "all";
  result.covered.ranks = options.ranks;
  for (const std::string &path : options.files) {
    llvm::Expected<FileId> file = openSource(sources, path);
    if (!file)
      return fail(options, file.takeError());
    Sink sink(sources);
    if (llvm::Error wrong = setVerdicts(options, sink))
      return fail(options, std::move(wrong));
    Compilation compilation = compile(sources, *file, *compileWith, sink);
    llvm::append_range(result.findings, sink.takeFindings());
    if (compilation.program)
      llvm::append_range(result.covered.unknowns, compilation.program->unknowns);
  }
  if (options.format == "json")
    writeJson(llvm::outs(), result);
  else
    renderText(llvm::errs(), sources, result.findings);
  return result.hasErrors() ? Exit::Errors : Exit::Fine;
}

} // namespace pto
