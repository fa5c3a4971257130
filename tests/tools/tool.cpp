#include "tools/tool.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstdlib>

namespace pto::test {

/// Long enough for the largest input under sanitizers on a busy machine; a hang is longer.
static constexpr unsigned kMaxSeconds = 120;

Workplace::Workplace() {
  llvm::SmallString<128> path;
  if (std::error_code failed = llvm::sys::fs::createUniqueDirectory("pto-tool", path))
    ADD_FAILURE() << failed.message();
  folder_ = path.str();
}

Workplace::~Workplace() { (void)llvm::sys::fs::remove_directories(folder_); }

std::string Workplace::path(llvm::StringRef name) const { return folder_ + "/" + name.str(); }

void Workplace::write(llvm::StringRef name, llvm::StringRef bytes) const {
  std::error_code failed;
  llvm::raw_fd_ostream out(path(name), failed);
  if (failed)
    ADD_FAILURE() << name.str() << ": " << failed.message();
  else
    out << bytes;
}

std::string Workplace::read(llvm::StringRef name) const {
  auto buffer = llvm::MemoryBuffer::getFile(path(name));
  return buffer ? (*buffer)->getBuffer().str() : "";
}

void Workplace::makeFolder(llvm::StringRef name) const {
  EXPECT_FALSE(llvm::sys::fs::create_directory(path(name)));
}

Ran Workplace::pto(llvm::ArrayRef<std::string> words, llvm::StringRef output) const {
  const char *chosen = std::getenv("PTO_BIN");
  std::string binary = chosen ? chosen : PTO_BIN;
  llvm::SmallVector<llvm::StringRef> args{"pto"};
  args.append(words.begin(), words.end());
  std::string out = path(".out"), err = path(".err");
  for (llvm::StringRef stream : {out, err})
    (void)llvm::sys::fs::remove(stream); // It is opened without being emptied.
  if (!output.empty())
    out = output.str();
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(""), llvm::StringRef(out),
                                              llvm::StringRef(err)};
  Ran ran;
  if (std::error_code failed = llvm::sys::fs::set_current_path(folder_))
    ran.failure = failed.message();
  else
    ran.exit = llvm::sys::ExecuteAndWait(binary, args, std::nullopt, streams, kMaxSeconds, 0,
                                         &ran.failure);
  ran.out = read(".out");
  ran.err = read(".err");
  return ran;
}

} // namespace pto::test
