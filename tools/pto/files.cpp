//===- files.cpp - reading and writing files for the subcommands -----------------------------===//

#include "pto/command.h"

#include "bytecode/binary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

namespace pto {

llvm::Expected<FileId> openSource(Sources &sources, const std::string &path) {
  llvm::Expected<FileId> file = sources.open(path);
  if (file && isBinary(sources.text(*file)))
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "'" + path +
                                       "' is bytecode: `pto run` runs it, `pto dis` shows it");
  return file;
}

llvm::Error collectPrograms(llvm::StringRef path, std::vector<std::string> &files) {
  if (!llvm::sys::fs::is_directory(path)) {
    files.push_back(path.str());
    return llvm::Error::success();
  }
  std::vector<std::string> found;
  std::error_code failed;
  for (llvm::sys::fs::recursive_directory_iterator at(path, failed), end; at != end && !failed;
       at.increment(failed))
    if (llvm::StringRef(at->path()).ends_with(".pto") && !llvm::sys::fs::is_directory(at->path()))
      found.push_back(at->path());
  if (failed)
    return llvm::createStringError(failed, "cannot read '" + path + "': " + failed.message());
  llvm::sort(found); // So that the order never depends on the file system.
  llvm::append_range(files, found);
  return llvm::Error::success();
}

static llvm::Error cannotWrite(llvm::StringRef path, std::error_code why) {
  return llvm::createStringError(why, "cannot write '" + path + "': " + why.message());
}

llvm::Error writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::error_code failed;
  llvm::raw_fd_ostream out(path, failed);
  if (!failed) {
    write(out);
    out.close();
    failed = out.error();
    out.clear_error(); // Else the stream ends the process when it is destroyed.
  }
  return failed ? cannotWrite(path, failed) : llvm::Error::success();
}

llvm::Error replaceFile(llvm::StringRef path, llvm::StringRef text) {
  namespace fs = llvm::sys::fs;
  // A link stays a link, and the file keeps its permissions.
  llvm::SmallString<128> real;
  if (fs::real_path(path, real))
    real = path;
  fs::perms permissions = fs::perms::all_read | fs::perms::owner_write;
  bool isThere = fs::exists(real);
  if (isThere) {
    if (std::error_code denied = fs::access(real, fs::AccessMode::Write))
      return cannotWrite(path, denied);
    if (llvm::ErrorOr<fs::perms> had = fs::getPermissions(real))
      permissions = *had;
  }
  if (isThere && !fs::is_regular_file(real))
    return cannotWrite(path, std::make_error_code(std::errc::invalid_argument));
  llvm::Expected<fs::TempFile> temporary = fs::TempFile::create(real + ".%%%%%%");
  if (!temporary)
    return cannotWrite(path, llvm::errorToErrorCode(temporary.takeError()));
  llvm::raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  out << text;
  out.flush();
  std::error_code failed = out.error();
  out.clear_error(); // Else the stream ends the process when it is destroyed.
  if (!failed)
    failed = fs::setPermissions(temporary->TmpName, permissions);
  llvm::Error end = failed ? temporary->discard() : temporary->keep(real);
  if (!failed)
    failed = llvm::errorToErrorCode(std::move(end));
  else
    llvm::consumeError(std::move(end));
  return failed ? cannotWrite(path, failed) : llvm::Error::success();
}

} // namespace pto
