#include "bytecode/binary.h"

#include "bytecode/byte_reader.h"
#include "bytecode/byte_writer.h"
#include "bytecode/layout.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/xxhash.h"

namespace pto {

static constexpr llvm::StringLiteral kMagic = "PTOC";
static constexpr size_t kVersionAt = 4, kSizeAt = 8, kChecksumAt = 16, kHeaderBytes = 24;

bool isBinary(llvm::StringRef bytes) { return bytes.starts_with(kMagic); }

void writeBinary(llvm::raw_ostream &out, const Module &module) {
  llvm::SmallString<0> payload;
  llvm::raw_svector_ostream payloadOut(payload);
  ByteWriter wire(payloadOut);
  layout(wire, module);

  llvm::support::endian::Writer header(out, llvm::endianness::little);
  out << kMagic;
  header.write(kFormatVersion);
  header.write(uint64_t(payload.size()));
  header.write(uint64_t(llvm::xxh3_64bits(payload.str())));
  out << payload;
}

template <typename... Values> static llvm::Error refuse(const char *format, Values... values) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), format, values...);
}

/// The payload, if the header fits it.
static llvm::Expected<llvm::StringRef> openPayload(llvm::StringRef bytes) {
  using llvm::support::endian::read32le;
  using llvm::support::endian::read64le;
  if (!isBinary(bytes))
    return refuse("not a .ptoc file: it does not begin with PTOC");
  if (bytes.size() < kSizeAt)
    return refuse("damaged: it ends inside its header");
  if (uint32_t version = read32le(bytes.data() + kVersionAt); version != kFormatVersion)
    return refuse("this .ptoc was written by format version %u, this pto reads version %u", version,
                  kFormatVersion);
  if (bytes.size() < kHeaderBytes)
    return refuse("damaged: it ends inside its header");
  llvm::StringRef payload = bytes.drop_front(kHeaderBytes);
  if (uint64_t size = read64le(bytes.data() + kSizeAt); size != payload.size())
    return refuse("damaged: it should hold %llu bytes after its header and holds %llu",
                  (unsigned long long)size, (unsigned long long)payload.size());
  if (read64le(bytes.data() + kChecksumAt) != llvm::xxh3_64bits(payload))
    return refuse("damaged: its checksum does not match");
  return payload;
}

llvm::Expected<Module> readBinary(llvm::StringRef bytes) {
  llvm::Expected<llvm::StringRef> payload = openPayload(bytes);
  if (!payload)
    return payload.takeError();
  Module module;
  ByteReader wire(*payload);
  layout(wire, module);
  if (llvm::Error error = wire.finish())
    return error;
  if (llvm::Error error = verify(module))
    return error;
  return module;
}

} // namespace pto
