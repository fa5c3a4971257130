//===- fuzz_source.cpp - any bytes as a program ------------------------------===//
//
// Whatever the text is, the compiler must end with findings or a module, never with a crash, a
// hang or an internal error.
//
// SKELETON: parses only. When driver/compile.h is there: compile, and verify the module that comes
// out of a text without errors.
//
//===----------------------------------------------------------------------===//
#include "parse/parse.h"

using namespace pto;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Sources sources;
  FileId file =
      sources.add("fuzz.pto", llvm::StringRef(reinterpret_cast<const char *>(data), size));
  Sink sink(sources);
  auto tree = parse(sources, file, sink);
  PTO_CHECK(tree, "parse yields a tree");
  PTO_CHECK(tree->isBroken == sink.hasErrors(), "a broken tree has errors, and only such a tree");
  return 0;
}
