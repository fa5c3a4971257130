#include "pto/load.h"

#include "bytecode/binary.h"

namespace pto {

llvm::Expected<Loaded> load(Sources &sources, const std::string &path, const Options &options,
                            bool isRun) {
  llvm::Expected<CompileOptions> compileWith = compileOptions(options, isRun);
  if (!compileWith)
    return compileWith.takeError();
  compileWith->refusesExpected = isRun;
  llvm::Expected<FileId> file = sources.open(path);
  if (!file)
    return file.takeError();
  Loaded loaded;
  if (isBinary(sources.text(*file))) {
    llvm::Expected<Module> module = readBinary(sources.text(*file));
    if (!module)
      return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                     "cannot run '" + path +
                                         "': " + llvm::toString(module.takeError()));
    if (!options.defines.empty())
      return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                     "-D changes source text; '" + path + "' is bytecode");
    loaded.module = std::move(*module);
    loaded.isRunnable = true;
    return loaded;
  }
  if (llvm::StringRef(path).ends_with(".ptoc"))
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "cannot run '" + path +
                                       "': it does not begin as bytecode does; build it anew");
  Sink sink(sources);
  if (llvm::Error wrong = setVerdicts(options, sink))
    return wrong;
  Compilation compilation = compile(sources, *file, *compileWith, sink);
  loaded.module = std::move(compilation.module);
  loaded.isRunnable = compilation.isRunnable;
  loaded.refusals = std::move(compilation.refusals);
  loaded.findings = sink.takeFindings();
  if (compilation.program)
    loaded.unknowns = std::move(compilation.program->unknowns);
  return loaded;
}

} // namespace pto
