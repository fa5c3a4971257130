#include "diag/sarif.h"

#include "diag/fingerprint.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>

namespace pto {

using llvm::json::Array;
using llvm::json::Object;

static std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

/// A file's name as a reference in the sense of RFC 3986; a path that is absolute gets its scheme.
static std::string uri(llvm::StringRef file) {
  std::string out = llvm::sys::path::is_absolute(file) ? "file://" : "";
  for (unsigned char c : file)
    if (llvm::isAlnum(char(c)) || llvm::StringRef("-._~/").contains(char(c)))
      out += char(c);
    else
      out += "%" + llvm::toHex(llvm::ArrayRef(c));
  return out;
}

/// Columns count UTF-16 units; what is no UTF-8 counts a byte as one.
static int64_t utf16Units(llvm::StringRef text) {
  if (!llvm::json::isUTF8(text))
    return int64_t(text.size());
  int64_t units = 0;
  for (unsigned char c : text)
    units += (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
  return units;
}

/// SARIF knows three levels; advice is the mildest of them.
static llvm::StringRef level(Severity severity) {
  static constexpr llvm::StringLiteral kLevels[] = {"note", "note", "warning", "error"};
  return kLevels[size_t(severity)];
}

/// `notify-before-drain` as the one word that SARIF recommends for the name of a rule.
static std::string pascal(llvm::StringRef slug) {
  std::string name;
  for (llvm::StringRef word : llvm::split(slug, '-'))
    name += (llvm::Twine(llvm::toUpper(word.front())) + word.drop_front()).str();
  return name;
}

static Object message(llvm::StringRef text) { return Object{{"text", utf8(text)}}; }

namespace {
class Log {
public:
  Log(const Sources &sources, llvm::ArrayRef<Finding> findings)
      : sources_(sources), findings_(findings) {}

  Object run(llvm::StringRef version, llvm::StringRef failure) {
    Array results, misuses;
    for (const Finding &finding : findings_)
      if (finding.sites.front().place.file.empty())
        misuses.push_back(misuse(finding));
      else
        results.push_back(result(finding));
    Array rules, artifacts;
    for (const auto &[rule, index] : rules_)
      rules.push_back(describe(Rule(rule)));
    for (const auto &[file, index] : artifacts_)
      artifacts.push_back(
          Object{{"location", Object{{"uri", uri(file)}}}, {"sourceLanguage", "pto"}});
    Object invocation{{"executionSuccessful", failure.empty() && misuses.empty()}};
    if (!misuses.empty())
      invocation["toolConfigurationNotifications"] = std::move(misuses);
    if (!failure.empty())
      invocation["toolExecutionNotifications"] =
          Array{Object{{"level", "error"}, {"message", message(failure)}}};
    Object driver{{"name", "pto"},
                  {"fullName", ("pto " + version).str()},
                  {"semanticVersion", version},
                  {"rules", std::move(rules)}};
    return Object{{"tool", Object{{"driver", std::move(driver)}}},
                  {"columnKind", "utf16CodeUnits"},
                  {"invocations", Array{std::move(invocation)}},
                  {"artifacts", std::move(artifacts)},
                  {"results", std::move(results)}};
  }

private:
  static Object describe(Rule rule) {
    const RuleInfo &row = info(rule);
    std::string help = (row.mend + "\n\n`pto explain " + row.slug + "` shows programs.").str();
    Object object{{"id", row.slug},
                  {"shortDescription", message(row.message == "{0}" ? row.why : row.message)},
                  {"fullDescription", message(row.why)},
                  {"help", Object{{"text", (row.mend + " See: pto explain " + row.slug).str()},
                                  {"markdown", help}}},
                  {"defaultConfiguration", Object{{"level", level(row.severity)}}},
                  {"properties", Object{{"kind", name(row.kind)}, {"source", row.source}}}};
    if (row.slug.contains('-')) // A name that is the id says nothing.
      object["name"] = pascal(row.slug);
    return object;
  }

  /// A finding of the command line is about no artifact, so it is no result.
  Object misuse(const Finding &finding) {
    auto [rule, isNew] = rules_.insert({unsigned(finding.rule), int64_t(rules_.size())});
    return Object{{"descriptor", Object{{"id", info(finding.rule).slug}, {"index", rule->second}}},
                  {"level", level(finding.severity)},
                  {"message", message(finding.message)}};
  }

  Object artifact(llvm::StringRef file) {
    auto [entry, isNew] = artifacts_.insert({file.str(), int64_t(artifacts_.size())});
    return Object{{"uri", uri(file)}, {"index", entry->second}};
  }

  Object location(const Place &place) {
    Object physical{{"artifactLocation", artifact(place.file)}};
    FileId file = sources_.find(place.file);
    if (place.line != 0) {
      llvm::StringRef line =
          file == FileId::None ? llvm::StringRef() : sources_.lineText(file, place.line);
      int64_t begin = 1 + utf16Units(line.take_front(place.column - 1));
      int64_t length = utf16Units(line.substr(place.column - 1, place.length));
      Object region{{"startLine", int64_t(place.line)},
                    {"startColumn", begin},
                    {"endColumn", begin + std::max<int64_t>(length, 1)}};
      if (length > 0) {
        region["snippet"] = message(line.substr(place.column - 1, place.length));
        if (place.length < line.size()) // A context is more than what it surrounds.
          physical["contextRegion"] =
              Object{{"startLine", int64_t(place.line)}, {"snippet", message(line)}};
      }
      physical["region"] = std::move(region);
    }
    return Object{{"physicalLocation", std::move(physical)}};
  }

  Object replacement(const Fix &fix) const {
    Object region{{"byteOffset", int64_t(fix.begin)}, {"byteLength", int64_t(fix.end - fix.begin)}};
    FileId file = sources_.find(fix.file);
    if (file != FileId::None && fix.end <= sources_.text(file).size()) {
      auto put = [&](uint32_t offset, llvm::StringRef lineKey, llvm::StringRef columnKey) {
        LineColumn at = sources_.lineColumn(file, offset);
        llvm::StringRef before = sources_.text(file).slice(offset - (at.column - 1), offset);
        region[lineKey] = int64_t(at.line);
        region[columnKey] = 1 + utf16Units(before);
      };
      put(fix.begin, "startLine", "startColumn");
      put(fix.end, "endLine", "endColumn");
    }
    return Object{{"deletedRegion", std::move(region)}, {"insertedContent", message(fix.text)}};
  }

  /// All fixes of a finding are one fix here, since they belong together.
  Object fix(const Finding &finding) {
    llvm::MapVector<llvm::StringRef, Array> changes;
    std::string label;
    for (const Fix &fix : finding.fixes) {
      changes[fix.file].push_back(replacement(fix));
      label += (label.empty() ? "" : ", ") + fix.label;
    }
    Array files;
    for (auto &[file, replacements] : changes)
      files.push_back(
          Object{{"artifactLocation", artifact(file)}, {"replacements", std::move(replacements)}});
    return Object{{"description", message(label)}, {"artifactChanges", std::move(files)}};
  }

  Object result(const Finding &finding) {
    auto [rule, isNew] = rules_.insert({unsigned(finding.rule), int64_t(rules_.size())});
    std::string text = finding.message;
    for (const std::string &line : finding.details)
      text += "\n" + line;
    Object object{{"ruleId", info(finding.rule).slug},
                  {"ruleIndex", rule->second},
                  {"level", level(finding.severity)},
                  {"message", message(text)},
                  {"partialFingerprints", Object{{"pto/v1", fingerprint(sources_, finding)}}}};
    Array locations, related;
    for (const Site &site : finding.sites) {
      if (site.place.file.empty())
        continue; // The command line is no artifact.
      bool isPrimary = &site == &finding.sites.front();
      Object at = location(site.place);
      if (!isPrimary) {
        at["id"] = int64_t(related.size());
        at["message"] = message(site.role);
      }
      (isPrimary ? locations : related).push_back(std::move(at));
    }
    object["locations"] = std::move(locations);
    if (!related.empty())
      object["relatedLocations"] = std::move(related);
    if (!finding.fixes.empty())
      object["fixes"] = Array{fix(finding)};
    return object;
  }

  const Sources &sources_;
  llvm::ArrayRef<Finding> findings_;
  llvm::MapVector<unsigned, int64_t> rules_; ///< Number of a rule to its index.
  llvm::MapVector<std::string, int64_t, std::map<std::string, unsigned>>
      artifacts_; ///< Name of a file to its index.
};
} // namespace

Object sarifLog(const Sources &sources, llvm::ArrayRef<Finding> findings, llvm::StringRef version,
                llvm::StringRef failure) {
  return Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Array{Log(sources, findings).run(version, failure)}}};
}

} // namespace pto
