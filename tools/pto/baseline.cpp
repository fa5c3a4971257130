#include "pto/baseline.h"

#include "base/nesting.h"
#include "diag/fingerprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

static constexpr int64_t kVersion = 1;
static constexpr size_t kMostNesting = 16; // More than any baseline has.

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

bool Baseline::takes(const Finding &finding) {
  return info(finding.rule).kind != FindingKind::Syntax;
}

llvm::Error Baseline::take(const llvm::json::Value &row) {
  const llvm::json::Object *object = row.getAsObject();
  if (!object)
    return refuse("an entry of `findings` is no object");
  Key key;
  static constexpr llvm::StringLiteral kNames[] = {"file", "slug", "fingerprint"};
  for (size_t i = 0; i != std::size(kNames); ++i) {
    std::optional<llvm::StringRef> text = object->getString(kNames[i]);
    if (!text)
      return refuse("an entry of `findings` has no text `" + kNames[i] + "`");
    key[i] = text->str();
  }
  std::optional<int64_t> count = object->getInteger("count");
  if (!count || *count < 1 || *count > INT32_MAX)
    return refuse("an entry of `findings` has no `count` from 1 to 2147483647");
  Entry &entry = entries_[key];
  entry.count += size_t(*count);
  entry.message = object->getString("message").value_or("").str();
  return llvm::Error::success();
}

llvm::Expected<Baseline> Baseline::read(const std::string &path) {
  auto fail = [&](const llvm::Twine &why) {
    return refuse("'" + path + "' is no baseline: " + why);
  };
  Sources files;
  llvm::Expected<FileId> file = files.open(path);
  if (!file)
    return file.takeError();
  llvm::StringRef text = files.text(*file);
  if (isNestedDeeper(text, kMostNesting))
    return fail("it is nested too deep");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError()); // Its words speak of the parser.
    return fail("it is not JSON");
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object || object->getInteger("version") != kVersion)
    return fail("it has no `\"version\": " + llvm::Twine(kVersion) + "`");
  const llvm::json::Array *rows = object->getArray("findings");
  if (!rows)
    return fail("it has no list `findings`");
  Baseline baseline;
  for (const llvm::json::Value &row : *rows)
    if (llvm::Error wrong = baseline.take(row))
      return fail(llvm::toString(std::move(wrong)));
  return baseline;
}

Baseline Baseline::of(const Sources &sources, llvm::ArrayRef<Finding> findings) {
  Baseline baseline;
  for (const Finding &finding : findings) {
    if (!takes(finding))
      continue;
    Entry &entry =
        baseline.entries_[{llvm::json::fixUTF8(finding.sites.front().place.file),
                           info(finding.rule).slug.str(), fingerprint(sources, finding)}];
    ++entry.count;
    entry.message = finding.message;
  }
  return baseline;
}

llvm::Error Baseline::write(const std::string &path) const {
  llvm::json::Array rows;
  for (const auto &[key, entry] : entries_)
    rows.push_back(llvm::json::Object{{"file", key[0]},
                                      {"slug", key[1]},
                                      {"fingerprint", key[2]},
                                      {"count", int64_t(entry.count)},
                                      {"message", llvm::json::fixUTF8(entry.message)}});
  llvm::json::Object object{{"version", kVersion}, {"findings", std::move(rows)}};
  return replaceFile(path, llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object))).str());
}

BaselineUse Baseline::filter(const Sources &sources, std::vector<Finding> &findings) {
  BaselineUse use;
  llvm::erase_if(findings, [&](const Finding &finding) {
    if (!takes(finding))
      return false;
    auto known = entries_.find({llvm::json::fixUTF8(finding.sites.front().place.file),
                                info(finding.rule).slug.str(), fingerprint(sources, finding)});
    if (known == entries_.end() || known->second.count == 0)
      return false;
    --known->second.count;
    ++use.known;
    return true;
  });
  for (const auto &[key, entry] : entries_)
    if (entry.count > 0 && sources.find(key[0]) != FileId::None)
      use.stale.push_back({key[0], key[1], entry.message, entry.count});
  return use;
}

} // namespace pto
