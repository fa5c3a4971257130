//===- fuzz_source.cpp - any bytes as a program ------------------------------===//
//
// Whatever the text is, the compiler must end with errors or with a module that its own verifier
// takes: never with a crash, a hang or an internal error. A text that parses has a layout, which is
// its own; that it has the tokens of the text is checked where it is made.
//
//===----------------------------------------------------------------------===//
#include "base/check.h"
#include "bytecode/verify.h"
#include "driver/compile.h"
#include "driver/lay_out.h"

using namespace pto;

static void layOutTwice(Sources &sources, FileId file) {
  Sink sink(sources);
  std::optional<std::string> once = layOut(sources, file, sink);
  if (!once)
    return;
  std::optional<std::string> twice = layOut(sources, sources.add("once.pto", *once), sink);
  PTO_CHECK(twice == once, "a layout is its own layout");
}

static void compileOnce(Sources &sources, FileId file, const CompileOptions &options) {
  Sink sink(sources);
  Compilation made = compile(sources, file, options, sink);
  PTO_CHECK(made.isRunnable || sink.hasErrors(), "a text without errors yields a module");
  if (!made.isRunnable)
    return;
  if (llvm::Error error = verify(made.module)) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    PTO_UNREACHABLE("a compiled module is not verified");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Sources sources;
  FileId file =
      sources.add("fuzz.pto", llvm::StringRef(reinterpret_cast<const char *>(data), size));
  layOutTwice(sources, file);
  CompileOptions options;
  compileOnce(sources, file, options);
  options.refusesExpected = true; // As `pto test` does: what tests expect is left out.
  compileOnce(sources, file, options);
  return 0;
}
