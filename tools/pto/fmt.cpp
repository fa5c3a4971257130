//===- fmt.cpp - `pto fmt` ----------------------------------------------------------===//

#include "pto/command.h"

#include "diag/render.h"
#include "driver/lay_out.h"

#include "llvm/Support/FileSystem.h"

namespace pto {

/// The first line that differs, as it is and as it should be.
static void printDifference(llvm::StringRef path, llvm::StringRef is, llvm::StringRef wanted) {
  unsigned line = 1;
  while (is.split('\n').first == wanted.split('\n').first && !is.empty() && !wanted.empty()) {
    is = is.split('\n').second;
    wanted = wanted.split('\n').second;
    ++line;
  }
  llvm::outs() << path << ':' << line << ": not laid out\n"
               << "-" << is.split('\n').first << "\n"
               << "+" << wanted.split('\n').first << "\n";
}

static llvm::Expected<FileId> openText(Sources &sources, const std::string &path) {
  if (path != "-")
    return openSource(sources, path);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return llvm::createStringError(input.getError(),
                                   "cannot read the input: " + input.getError().message());
  return sources.add("<stdin>", (*input)->getBuffer());
}

/// One file; says what it means for the exit code.
static llvm::Expected<Exit> layOutFile(const std::string &path, bool isCheck) {
  Sources sources;
  llvm::Expected<FileId> file = openText(sources, path);
  if (!file)
    return file.takeError();
  Sink sink(sources);
  std::optional<std::string> text = layOut(sources, *file, sink);
  renderText(llvm::errs(), sources, sink.findings());
  if (!text)
    return Exit::Errors;
  bool isLaidOut = *text == sources.text(*file);
  if (isCheck && !isLaidOut)
    printDifference(sources.name(*file), sources.text(*file), *text);
  if (isCheck)
    return isLaidOut ? Exit::Fine : Exit::Errors;
  if (path == "-")
    llvm::outs() << *text;
  else if (!isLaidOut)
    if (llvm::Error failed = replaceFile(path, *text))
      return failed;
  return Exit::Fine;
}

Exit formatCommand(const Options &options) {
  if (options.files.empty())
    return fail(options, "`pto fmt` needs a file or folder, or `-`");
  std::vector<std::string> files;
  for (const std::string &path : options.files)
    if (llvm::Error failed = collectPrograms(path, files))
      return fail(options, std::move(failed));
  Exit exit = Exit::Fine;
  for (const std::string &path : files) {
    llvm::Expected<Exit> done = layOutFile(path, options.isCheck);
    if (!done)
      return fail(options, done.takeError());
    exit = std::max(exit, *done);
  }
  return exit;
}

} // namespace pto
