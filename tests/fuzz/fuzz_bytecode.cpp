//===- fuzz_bytecode.cpp - any bytes as a .ptoc file, or as its text ---------===//
//
// The reader must refuse or take what it is given. What it takes is verified, and both its binary
// form and its text are read as the same module again.
//
//===----------------------------------------------------------------------===//
#include "base/check.h"
#include "bytecode/asm.h"
#include "bytecode/binary.h"
#include "bytecode/verify.h"
#include "world/world.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace pto;

/// "PTOC", u32 version, u64 payload size, u64 checksum.
static constexpr size_t kVersionAt = 4, kSizeAt = 8, kChecksumAt = 16, kHeadBytes = 24;

/// The bytes behind a head that fits them, so that mutations come past it. The head that they may
/// have of their own gives way.
static std::string withHead(llvm::StringRef bytes) {
  llvm::StringRef payload = isBinary(bytes) ? bytes.substr(kHeadBytes) : bytes;
  std::string whole = "PTOC" + std::string(kHeadBytes - kVersionAt, '\0') + payload.str();
  llvm::support::endian::write32le(&whole[kVersionAt], kFormatVersion);
  llvm::support::endian::write64le(&whole[kSizeAt], payload.size());
  llvm::support::endian::write64le(&whole[kChecksumAt], llvm::xxh3_64bits(payload));
  return whole;
}

static std::string write(const Module &module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  writeBinary(out, module);
  return bytes;
}

static void checkModule(const Module &module) {
  std::string written = write(module);
  llvm::Expected<Module> read = readBinary(written);
  PTO_CHECK(bool(read), "what is written can be read");
  PTO_CHECK(write(*read) == written, "writing and reading changes nothing");

  std::string text;
  llvm::raw_string_ostream out(text);
  disassemble(out, module);
  llvm::Expected<Module> assembled = assemble(text);
  PTO_CHECK(bool(assembled), "what is printed can be read");
  PTO_CHECK(write(*assembled) == written, "printing and reading changes nothing");
}

/// What verifies may trap, but cannot leave the machine. Files it cannot reach: there is no such
/// folder.
static void runModule(const Module &module) {
  RunOptions options;
  options.maxSteps = 20000;
  options.maxGmBytes = 1u << 24;
  options.directory = "no such folder";
  for (const Entry &entry : module.entries) {
    std::string printed;
    llvm::raw_string_ostream out(printed);
    if (llvm::Expected<RunResult> result = run(module, entry, options, out); !result)
      llvm::consumeError(result.takeError());
  }
}

static void tryBinary(llvm::StringRef bytes) {
  llvm::Expected<Module> module = readBinary(bytes);
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  PTO_CHECK(!verify(*module), "what is read is verified");
  PTO_CHECK(write(*module) == bytes, "a module has one binary form");
  checkModule(*module);
  runModule(*module);
}

static void tryText(llvm::StringRef text) {
  llvm::Expected<Module> module = assemble(text);
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  if (llvm::Error error = verify(*module)) {
    llvm::consumeError(std::move(error));
    return;
  }
  checkModule(*module);
  runModule(*module);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  tryBinary(bytes);
  tryBinary(withHead(bytes));
  tryText(bytes);
  return 0;
}
