//===- source.h - texts that were read, and places in them ------*- C++ -*-===//
//
// A SourceRange is eight bytes and a file id: cheap enough for every token and node. Lines and
// columns are computed only when somebody wants to read them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BASE_SOURCE_H
#define PTO_BASE_SOURCE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace pto {

/// Index of a text in Sources.
enum class FileId : uint32_t { None = ~0u };

/// A half-open range of bytes in one text.
struct SourceRange {
  FileId file = FileId::None;
  uint32_t begin = 0;
  uint32_t end = 0;

  [[nodiscard]] bool valid() const { return file != FileId::None; }
  [[nodiscard]] bool contains(SourceRange inner) const {
    return file == inner.file && begin <= inner.begin && inner.end <= end;
  }
  /// From the start of this range to the end of the other.
  [[nodiscard]] SourceRange to(SourceRange last) const {
    return {file, begin, last.end > begin ? last.end : end};
  }
  bool operator==(const SourceRange &) const = default;
};

/// A place as a person reads it. Lines and columns count from 1, columns in bytes.
struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

/// Owns every text of a compilation. Texts never move, so StringRefs into them stay valid.
class Sources {
public:
  /// Reads a file; refuses what is not a regular file of at most kMaxFileBytes.
  [[nodiscard]] llvm::Expected<FileId> open(llvm::StringRef path);
  FileId add(llvm::StringRef name, llvm::StringRef text);
  /// The id of a text that is already here, or None.
  [[nodiscard]] FileId find(llvm::StringRef name) const;

  [[nodiscard]] size_t size() const { return files_.size(); }
  [[nodiscard]] llvm::StringRef name(FileId file) const { return get(file).name; }
  [[nodiscard]] llvm::StringRef text(FileId file) const { return get(file).buffer->getBuffer(); }
  [[nodiscard]] llvm::StringRef text(SourceRange range) const {
    return text(range.file).slice(range.begin, range.end);
  }
  [[nodiscard]] LineColumn lineColumn(FileId file, uint32_t offset) const;
  /// The text of a line without its end; empty if there is no such line.
  [[nodiscard]] llvm::StringRef lineText(FileId file, uint32_t line) const;

  /// Larger inputs are no kernels; offsets stay well inside 32 bits.
  static constexpr uint64_t kMaxFileBytes = 64u << 20;

private:
  struct File {
    std::string name;
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    mutable std::vector<uint32_t> lineStarts; ///< Filled at the first question.
  };
  [[nodiscard]] const File &get(FileId file) const;
  [[nodiscard]] static const std::vector<uint32_t> &lineStarts(const File &file);

  std::vector<std::unique_ptr<File>> files_;
};

} // namespace pto

#endif
