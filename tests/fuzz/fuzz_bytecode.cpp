//===- fuzz_bytecode.cpp - any bytes as a .ptoc file -------------------------===//
//
// The reader must refuse or take what it is given. What it takes is verified, and writing it yields
// bytes that are read as the same module again.
//
//===----------------------------------------------------------------------===//
#include "base/check.h"
#include "bytecode/binary.h"
#include "bytecode/verify.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace pto;

/// Offsets of the head: "PTOC", u32 version, u64 payload size, u64 checksum.
static constexpr size_t kSizeAt = 8;
static constexpr size_t kChecksumAt = 16;
static constexpr size_t kHeadBytes = 24;

/// Makes size and checksum fit, so that mutations of the payload come past the head.
static void repairHead(std::string &bytes) {
  if (bytes.size() < kHeadBytes)
    return;
  llvm::StringRef payload = llvm::StringRef(bytes).drop_front(kHeadBytes);
  llvm::support::endian::write64le(&bytes[kSizeAt], payload.size());
  llvm::support::endian::write64le(&bytes[kChecksumAt],
                                   llvm::xxh3_64bits(llvm::arrayRefFromStringRef(payload)));
}

static std::string write(const Module &module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  writeBinary(out, module);
  return bytes;
}

static void readAndWrite(llvm::StringRef bytes) {
  llvm::Expected<Module> module = readBinary(bytes);
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  llvm::Error fault = verify(*module);
  PTO_CHECK(!fault, "what is read is verified");
  std::string written = write(*module);
  llvm::Expected<Module> again = readBinary(written);
  PTO_CHECK(bool(again), "what is written can be read");
  PTO_CHECK(write(*again) == written, "reading and writing changes nothing");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  readAndWrite(bytes);
  repairHead(bytes);
  readAndWrite(bytes);
  return 0;
}
