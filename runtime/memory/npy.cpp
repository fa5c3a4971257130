#include "memory/npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace pto {

static constexpr llvm::StringLiteral kMagic = "\x93NUMPY";
static constexpr size_t kPreamble = 10; ///< Magic, version, length of the header.

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

llvm::StringRef npyType(ScalarType type) {
  static constexpr llvm::StringLiteral kTypes[] = {"|b1", "|i1", "<i2", "<i4", "<i8", "|u1",
                                                   "<u2", "<u4", "<u8", "<f2", "<u2", "<f4"};
  static_assert(std::size(kTypes) == kScalarTypeCount);
  return kTypes[size_t(type)];
}

/// The text between `'key':` and what follows; the header is a Python dictionary of three keys.
static llvm::StringRef valueOf(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == llvm::StringRef::npos)
    return {};
  llvm::StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  return rest.consume_front(":") ? rest.ltrim() : llvm::StringRef();
}

static llvm::Error parseShape(llvm::StringRef text, llvm::SmallVectorImpl<int64_t> &shape) {
  size_t end = text.find(')');
  if (!text.consume_front("(") || end == llvm::StringRef::npos)
    return refuse("its header has no shape");
  llvm::SmallVector<llvm::StringRef, 5> sizes;
  text.take_front(end - 1).split(sizes, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : sizes) {
    int64_t size = 0;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, size) || size < 0 || shape.size() == 32)
      return refuse("its header has the impossible shape (" +
                    text.take_front(std::min<size_t>(end, 80)));
    shape.push_back(size);
  }
  return llvm::Error::success();
}

llvm::Expected<NpyHeader> parseNpy(llvm::StringRef bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kPreamble)
    return refuse("it is not a .npy file");
  if (bytes[6] != 1)
    return refuse("it is a .npy file of version " + llvm::Twine(unsigned(uint8_t(bytes[6]))) +
                  "; version 1 is read");
  size_t length = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (length > bytes.size() - kPreamble)
    return refuse("it ends inside its header");
  llvm::StringRef header = bytes.substr(kPreamble, length);
  NpyHeader parsed;
  parsed.dataBegin = kPreamble + length;
  llvm::StringRef type = valueOf(header, "descr");
  if (!type.consume_front("'") || type.find('\'') == llvm::StringRef::npos)
    return refuse("its header names no simple element type");
  parsed.dtype = type.take_until([](char c) { return c == '\''; }).take_front(32).str();
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return refuse("it is not in C order");
  if (llvm::Error failed = parseShape(valueOf(header, "shape"), parsed.shape))
    return failed;
  return parsed;
}

static std::string tuple(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i != shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

static llvm::Error checkHeader(const NpyHeader &header, ScalarType type,
                               llvm::ArrayRef<int64_t> shape) {
  if (header.dtype != npyType(type))
    return refuse("it holds " + header.dtype + ", and the object is " + npyType(type) + " (" +
                  info(type).name + ")");
  if (llvm::ArrayRef<int64_t>(header.shape) != shape)
    return refuse("its shape is " + tuple(header.shape) + ", and the object's is " + tuple(shape));
  return llvm::Error::success();
}

llvm::Error readNpy(const std::string &path, ScalarType type, llvm::ArrayRef<int64_t> shape,
                    llvm::MutableArrayRef<uint8_t> into) {
  auto cannot = [&](llvm::Error why) {
    return refuse("cannot fill from " + path + ": " + llvm::toString(std::move(why)));
  };
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return cannot(llvm::errorCodeToError(file.getError()));
  llvm::StringRef bytes = (*file)->getBuffer();
  llvm::Expected<NpyHeader> header = parseNpy(bytes);
  if (!header)
    return cannot(header.takeError());
  if (llvm::Error wrong = checkHeader(*header, type, shape))
    return cannot(std::move(wrong));
  llvm::StringRef data = bytes.drop_front(header->dataBegin);
  if (data.size() < into.size())
    return cannot(refuse("it has " + llvm::Twine(data.size()) + " bytes of data; its shape needs " +
                         llvm::Twine(into.size())));
  if (!into.empty())
    std::memcpy(into.data(), data.data(), into.size());
  return llvm::Error::success();
}

llvm::Error writeNpy(const std::string &path, ScalarType type, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<uint8_t> data) {
  std::string header = ("{'descr': '" + npyType(type) +
                        "', 'fortran_order': False, 'shape': " + tuple(shape) + ", }")
                           .str();
  size_t padded = (kPreamble + header.size() + 1 + 63) / 64 * 64 - kPreamble;
  header.resize(padded - 1, ' ');
  header += '\n';
  std::error_code failed;
  llvm::raw_fd_ostream out(path, failed);
  if (!failed) {
    out << kMagic << '\1' << '\0' << char(padded & 0xff) << char(padded >> 8) << header
        << llvm::toStringRef(data);
    out.flush();
    failed = out.error();
    out.clear_error();
  }
  if (failed)
    return refuse("cannot save to " + path + ": " + failed.message());
  return llvm::Error::success();
}

} // namespace pto
