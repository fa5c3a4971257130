#include "meta/source_tree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kRoot = PTO_SOURCE_DIR "/";

llvm::StringRef SourceFile::name() const { return llvm::sys::path::filename(path); }

llvm::SmallVector<llvm::StringRef> SourceFile::lines() const {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef rest = text;
  rest.consume_back("\n");
  rest.split(lines, '\n');
  return lines;
}

SourceFile readSource(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(kRoot + path);
  if (!buffer) {
    ADD_FAILURE() << path.str() << ": " << buffer.getError().message();
    return {path.str(), ""};
  }
  return {path.str(), (*buffer)->getBuffer().str()};
}

std::vector<SourceFile> readTree(llvm::ArrayRef<llvm::StringRef> folders,
                                 llvm::ArrayRef<llvm::StringRef> suffixes) {
  std::vector<SourceFile> files;
  for (llvm::StringRef folder : folders) {
    std::error_code failure;
    for (llvm::sys::fs::recursive_directory_iterator at(kRoot + folder, failure), end;
         !failure && at != end; at.increment(failure)) {
      llvm::StringRef path = llvm::StringRef(at->path()).drop_front(kRoot.size());
      bool isWanted = suffixes.empty() || llvm::any_of(suffixes, [&](llvm::StringRef suffix) {
                        return path.ends_with(suffix);
                      });
      if (isWanted && at->type() == llvm::sys::fs::file_type::regular_file)
        files.push_back(readSource(path));
    }
  }
  llvm::sort(files, [](const auto &a, const auto &b) { return a.path < b.path; });
  return files;
}

} // namespace pto::test
