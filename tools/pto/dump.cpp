//===- dump.cpp - `pto dump`: any stage in words ----------------------------------------===//

#include "pto/load.h"

#include "ast/print.h"
#include "bytecode/asm.h"
#include "diag/render.h"
#include "parse/parse.h"
#include "program/print.h"

namespace pto {

/// Prints what the last stage made; false where a named function is not there.
static bool print(const Compilation &compilation, const Options &options) {
  llvm::raw_ostream &out = llvm::outs();
  bool found = options.function.empty();
  if (options.stage == "program") {
    if (found)
      program::print(out, *compilation.program);
    for (const auto &function : compilation.program->functions)
      if (function->name == options.function) {
        program::print(out, *compilation.program, *function);
        found = true;
      }
    return found;
  }
  if (found)
    disassemble(out, compilation.module);
  for (const Function &function : compilation.module.functions)
    if (function.name == options.function) {
      disassemble(out, compilation.module, function);
      found = true;
    }
  return found;
}

/// The tree of the file alone; that of a broken one is still worth looking at.
static Exit dumpTree(const Sources &sources, FileId file) {
  Sink sink(sources);
  std::unique_ptr<ast::File> tree = parse(sources, file, sink);
  ast::print(llvm::outs(), *tree);
  renderText(llvm::errs(), sources, sink.findings());
  return sink.hasErrors() ? Exit::Errors : Exit::Fine;
}

Exit dumpCommand(const Options &options) {
  if (options.files.size() != 1 || options.stage.empty())
    return fail(options, "`pto dump` takes --stage tokens|ast|program|bytecode and one file");
  Sources sources;
  llvm::Expected<FileId> file = openSource(sources, options.files[0]);
  if (!file)
    return fail(options, file.takeError());
  if (options.stage == "tokens") {
    dumpTokens(llvm::outs(), sources, *file);
    return Exit::Fine;
  }
  if (options.stage == "ast")
    return dumpTree(sources, *file);
  llvm::Expected<CompileOptions> compileWith = compileOptions(options, false);
  if (!compileWith)
    return fail(options, compileWith.takeError());
  Sink sink(sources);
  if (llvm::Error wrong = setVerdicts(options, sink))
    return fail(options, std::move(wrong));
  Compilation compilation = compile(sources, *file, *compileWith, sink);
  bool isThere =
      options.stage == "program" ? compilation.program != nullptr : compilation.isRunnable;
  renderText(llvm::errs(), sources, sink.findings());
  if (isThere && !print(compilation, options))
    return fail(options, "there is no function '" + options.function + "' in it");
  return sink.hasErrors() ? Exit::Errors : Exit::Fine;
}

} // namespace pto
