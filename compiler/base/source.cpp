#include "base/source.h"

#include "base/check.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace pto {

llvm::Expected<FileId> Sources::open(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code failed = llvm::sys::fs::status(path, status))
    return llvm::createStringError(failed, "cannot read '%s': %s", path.str().c_str(),
                                   failed.message().c_str());
  if (llvm::sys::fs::is_directory(status))
    return llvm::createStringError(std::errc::is_a_directory,
                                   "cannot read '%s': it is a directory, not a file",
                                   path.str().c_str());
  // A device or pipe may never end.
  if (!llvm::sys::fs::is_regular_file(status))
    return llvm::createStringError(std::errc::invalid_argument,
                                   "cannot read '%s': it is no regular file", path.str().c_str());
  if (status.getSize() > kMaxFileBytes)
    return llvm::createStringError(std::errc::file_too_large,
                                   "cannot read '%s': %llu bytes, at most %llu are taken",
                                   path.str().c_str(), (unsigned long long)status.getSize(),
                                   (unsigned long long)kMaxFileBytes);
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  if (std::error_code failed = buffer.getError())
    return llvm::createStringError(failed, "cannot read '%s': %s", path.str().c_str(),
                                   failed.message().c_str());
  auto file = std::make_unique<File>();
  file->name = path.str();
  file->buffer = std::move(*buffer);
  files_.push_back(std::move(file));
  return FileId(files_.size() - 1);
}

FileId Sources::add(llvm::StringRef name, llvm::StringRef text) {
  auto file = std::make_unique<File>();
  file->name = name.str();
  file->buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  files_.push_back(std::move(file));
  return FileId(files_.size() - 1);
}

FileId Sources::find(llvm::StringRef name) const {
  for (size_t i = 0; i != files_.size(); ++i)
    if (files_[i]->name == name)
      return FileId(i);
  return FileId::None;
}

const Sources::File &Sources::get(FileId file) const {
  PTO_CHECK(size_t(file) < files_.size(), "a range names a text that was never read");
  return *files_[size_t(file)];
}

const std::vector<uint32_t> &Sources::lineStarts(const File &file) {
  if (!file.lineStarts.empty())
    return file.lineStarts;
  llvm::StringRef text = file.buffer->getBuffer();
  file.lineStarts.push_back(0);
  for (size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1))
    file.lineStarts.push_back(uint32_t(at + 1));
  return file.lineStarts;
}

LineColumn Sources::lineColumn(FileId file, uint32_t offset) const {
  const std::vector<uint32_t> &starts = lineStarts(get(file));
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  auto line = uint32_t(after - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

llvm::StringRef Sources::lineText(FileId file, uint32_t line) const {
  const std::vector<uint32_t> &starts = lineStarts(get(file));
  if (line == 0 || line > starts.size())
    return {};
  llvm::StringRef rest = text(file).drop_front(starts[line - 1]);
  return rest.take_until([](char c) { return c == '\n' || c == '\r'; });
}

} // namespace pto
