//===- make_source.cpp - make_source BYTES: prints such a program ------------===//
#include "source_text.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  size_t bytes = 0;
  if (argc != 2 || llvm::StringRef(argv[1]).getAsInteger(10, bytes)) {
    llvm::errs() << "usage: make_source BYTES\n";
    return 2;
  }
  llvm::outs() << pto::makeSource(bytes);
  return 0;
}
