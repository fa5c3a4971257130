//===- build.cpp - `pto build` and `pto dis` ------------------------------------------------===//

#include "pto/load.h"

#include "bytecode/asm.h"
#include "bytecode/binary.h"
#include "diag/render.h"

namespace pto {

Exit buildCommand(const Options &options) {
  if (options.files.size() != 1 || options.output.empty())
    return fail(options, "`pto build` takes one file and -o x.ptoc");
  Sources sources;
  llvm::Expected<Loaded> loaded = load(sources, options.files[0], options, false);
  if (!loaded)
    return fail(options, loaded.takeError());
  renderText(llvm::errs(), sources, loaded->findings);
  if (!loaded->isRunnable)
    return Exit::Errors;
  auto write = [&](llvm::raw_ostream &out) { writeBinary(out, loaded->module); };
  if (llvm::Error failed = writeFile(options.output, write))
    return fail(options, std::move(failed));
  return Exit::Fine;
}

Exit disassembleCommand(const Options &options) {
  if (options.files.size() != 1)
    return fail(options, "`pto dis` takes one .ptoc file");
  Sources sources;
  llvm::Expected<FileId> file = sources.open(options.files[0]);
  if (!file)
    return fail(options, file.takeError());
  if (!isBinary(sources.text(*file)))
    return fail(options, "'" + options.files[0] +
                             "' is no .ptoc file; `pto dump --stage bytecode` shows a source's");
  llvm::Expected<Module> module = readBinary(sources.text(*file));
  if (!module)
    return fail(options,
                "cannot read '" + options.files[0] + "': " + llvm::toString(module.takeError()));
  if (options.function.empty()) {
    disassemble(llvm::outs(), *module);
    return Exit::Fine;
  }
  for (const Function &function : module->functions)
    if (function.name == options.function) {
      disassemble(llvm::outs(), *module, function);
      return Exit::Fine;
    }
  return fail(options, "there is no function '" + options.function + "' in it");
}

} // namespace pto
