#include "driver/imports.h"

#include "base/embedded.h"
#include "parse/parse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace pto {

/// Made by the build from the folder stdlib/.
extern const EmbeddedFile kStdlibFiles[];

/// Longer chains are no program; reading recurses.
static constexpr size_t kMaxImportDepth = 64;

std::optional<FileId> Imports::findModule(const ast::ImportItem &item) {
  llvm::StringRef path = item.path;
  std::string relative = path.str() + ".pto";
  std::replace(relative.begin(), relative.end() - 4, '.', '/');
  if (!options_.stdlibDirectory.empty()) {
    llvm::SmallString<128> full(options_.stdlibDirectory);
    llvm::sys::path::append(full, relative);
    if (FileId known = sources_.find(full); known != FileId::None)
      return known;
    if (llvm::Expected<FileId> file = sources_.open(full))
      return *file;
    else
      sink_.report<Rule::ImportNotFound>(item.range, "`" + path.str() + "`",
                                         llvm::toString(file.takeError()));
    return std::nullopt;
  }
  std::string shown = "<" + relative + ">";
  if (FileId known = sources_.find(shown); known != FileId::None)
    return known;
  for (const EmbeddedFile *file = kStdlibFiles; *file->name; ++file)
    if (relative == file->name)
      return sources_.add(shown, file->text);
  sink_.report<Rule::ImportNotFound>(item.range, "`" + path.str() + "`",
                                     "the library has no such module");
  return std::nullopt;
}

std::optional<FileId> Imports::find(const ast::ImportItem &item, FileId importer) {
  if (!item.isFile)
    return findModule(item);
  llvm::SmallString<128> full(llvm::sys::path::parent_path(sources_.name(importer)));
  if (llvm::sys::path::is_absolute(item.path))
    full = item.path;
  else
    llvm::sys::path::append(full, item.path);
  llvm::sys::path::remove_dots(full, /*remove_dot_dot=*/true);
  if (FileId known = sources_.find(full); known != FileId::None)
    return known;
  llvm::Expected<FileId> file = sources_.open(full);
  if (file)
    return *file;
  sink_.report<Rule::ImportNotFound>(item.range, "\"" + item.path.str() + "\"",
                                     llvm::toString(file.takeError()));
  return std::nullopt;
}

void Imports::resolve(const ast::ImportItem &item, FileId importer, Unit &unit) {
  if (item.path.empty())
    return; // A syntax error was reported there.
  std::optional<FileId> file = find(item, importer);
  if (!file)
    return;
  std::string name = sources_.name(*file).str();
  if (llvm::is_contained(inProgress_, name)) {
    Finding &finding = sink_.report<Rule::ImportCycle>(item.range, "\"" + item.path.str() + "\"");
    std::string chain;
    for (const std::string &step : inProgress_)
      chain += step + " imports ";
    finding.details.push_back(chain + name);
    return;
  }
  if (inProgress_.size() >= kMaxImportDepth) {
    sink_.report<Rule::ImportNotFound>(item.range, "\"" + item.path.str() + "\"",
                                       "the chain of imports is longer than " +
                                           std::to_string(kMaxImportDepth));
    return;
  }
  llvm::StringRef alias = item.alias;
  if (alias.empty())
    alias = item.isFile ? llvm::sys::path::stem(item.path)
                        : llvm::StringRef(item.path).rsplit('.').second;
  if (alias.empty())
    alias = item.path;
  auto found = loaded_.find(name);
  size_t index = found != loaded_.end() ? found->second : load(*file);
  unit.imports.push_back({alias.str(), index, &item});
}

size_t Imports::load(FileId file) {
  std::string name = sources_.name(file).str();
  inProgress_.push_back(name);
  std::unique_ptr<ast::File> tree = parse(sources_, file, sink_);
  Unit unit;
  unit.file = tree.get();
  for (const ast::Item *item : tree->items)
    if (const auto *import = llvm::dyn_cast_or_null<ast::ImportItem>(item))
      resolve(*import, file, unit);
  inProgress_.pop_back();
  files.push_back(std::move(tree));
  units.push_back(std::move(unit));
  loaded_[name] = units.size() - 1;
  return units.size() - 1;
}

} // namespace pto
