//===- main.cpp - writes the generated pages into a docs folder ---------------===//

#include "pages/pages.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: pto-pages DOCS_FOLDER\n";
    return 2;
  }
  for (const pto::Page &page : pto::referencePages()) {
    llvm::SmallString<128> path(argv[1]);
    llvm::sys::path::append(path, page.path);
    std::error_code failed = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
    llvm::raw_fd_ostream out(path, failed);
    if (failed) {
      llvm::errs() << "pto-pages: cannot write '" << path << "': " << failed.message() << '\n';
      return 2;
    }
    out << page.text;
  }
  return 0;
}
