#include "diag/fix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

namespace {
/// A range with the line that it begins on and the line that it ends on.
struct Lines {
  llvm::StringRef text;
  size_t begin; ///< Of the first line.
  size_t end;   ///< Of the last line, without its newline.

  Lines(llvm::StringRef text, SourceRange range) : text(text) {
    begin = text.take_front(range.begin).rfind('\n') + 1; // npos + 1 is 0.
    end = std::min(text.find('\n', range.end), text.size());
    if (end > range.end && text[end - 1] == '\r')
      --end;
  }
  [[nodiscard]] llvm::StringRef indent() const {
    return text.substr(begin).take_while([](char c) { return c == ' ' || c == '\t'; });
  }
  [[nodiscard]] llvm::StringRef newline() const {
    return text.substr(end).starts_with("\r") ? "\r\n" : "\n";
  }
  /// Whether nothing stands before an offset on the first line.
  [[nodiscard]] bool isFirst(size_t offset) const {
    return text.slice(begin, offset).trim().empty();
  }
};
} // namespace

static void add(const Sources &sources, Finding &finding, SourceRange range, std::string text,
                const llvm::Twine &label) {
  if (range.valid())
    finding.fixes.push_back(
        {sources.name(range.file).str(), range.begin, range.end, std::move(text), label.str()});
}

void fixReplace(const Sources &sources, Finding &finding, SourceRange range, llvm::StringRef text) {
  if (range.valid())
    add(sources, finding, range, text.str(),
        "replace `" + sources.text(range) + "` by `" + text + "`");
}

void fixRemove(const Sources &sources, Finding &finding, SourceRange range) {
  if (!range.valid())
    return;
  std::string label = ("remove `" + sources.text(range) + "`").str();
  Lines lines(sources.text(range.file), range);
  if (lines.isFirst(range.begin) && lines.text.slice(range.end, lines.end).trim().empty()) {
    range.begin = uint32_t(lines.begin);
    range.end = uint32_t(std::min(lines.text.find('\n', lines.end), lines.text.size() - 1) + 1);
  } else if (lines.text.substr(range.end).starts_with(" ")) {
    ++range.end;
  }
  add(sources, finding, range, "", label);
}

void fixInsertBefore(const Sources &sources, Finding &finding, SourceRange statement,
                     llvm::StringRef text) {
  if (!statement.valid())
    return;
  Lines lines(sources.text(statement.file), statement);
  bool isFirst = lines.isFirst(statement.begin);
  uint32_t at = isFirst ? uint32_t(lines.begin) : statement.begin;
  std::string line;
  for (llvm::StringRef each : llvm::split(text, '\n'))
    line += isFirst ? (lines.indent() + each + lines.newline()).str() : (each + " ").str();
  add(sources, finding, {statement.file, at, at}, line,
      "insert `" + llvm::join(llvm::split(text, '\n'), " ") + "`");
}

void fixInsertAfter(const Sources &sources, Finding &finding, SourceRange statement,
                    llvm::StringRef text) {
  if (!statement.valid())
    return;
  Lines lines(sources.text(statement.file), statement);
  llvm::StringRef rest = lines.text.slice(statement.end, lines.end).ltrim();
  bool isLast = rest.empty() || rest.starts_with("//");
  uint32_t at = isLast ? uint32_t(lines.end) : statement.end;
  std::string line = isLast ? (lines.newline() + lines.indent() + text).str() : (" " + text).str();
  add(sources, finding, {statement.file, at, at}, line, "insert `" + text + "`");
}

void fixInsertText(const Sources &sources, Finding &finding, SourceRange at, llvm::StringRef text) {
  add(sources, finding, at, text.str(), "insert `" + text.trim() + "`");
}

void fixWrap(const Sources &sources, Finding &finding, SourceRange range, llvm::StringRef before,
             llvm::StringRef after) {
  if (!range.valid())
    return;
  std::string inner = sources.text(range).str();
  add(sources, finding, range, (before + inner + after).str(),
      "replace `" + llvm::StringRef(inner) + "` by `" + before + inner + after + "`");
}

//===--- Applying ---------------------------------------------------------------===//

static bool isSame(const Fix &one, const Fix &other) {
  return one.begin == other.begin && one.end == other.end && one.text == other.text;
}

/// Whether the order of two fixes would matter. Two at one place do, though both only insert.
static bool overlap(const Fix &one, const Fix &other) {
  return one.begin == other.begin || (one.begin < other.end && other.begin < one.end);
}

FixedText applyFixes(llvm::StringRef file, llvm::StringRef text, llvm::ArrayRef<Finding> findings) {
  FixedText fixed;
  std::vector<const Fix *> taken;
  for (const Finding &finding : findings) {
    bool isOurs = !finding.fixes.empty() && llvm::all_of(finding.fixes, [&](const Fix &fix) {
      return fix.file == file && fix.begin <= fix.end && fix.end <= text.size();
    });
    if (!isOurs)
      continue;
    std::vector<const Fix *> wanted;
    bool overlaps = false;
    for (const Fix &fix : finding.fixes) {
      if (llvm::any_of(taken, [&](const Fix *other) { return isSame(fix, *other); }))
        continue; // Two findings with one repair.
      overlaps |= llvm::any_of(taken, [&](const Fix *other) { return overlap(fix, *other); });
      wanted.push_back(&fix);
    }
    if (overlaps)
      continue;
    llvm::append_range(taken, wanted);
    fixed.mended.push_back(&finding);
  }
  // From the end on, so that the offsets of what stands before stay true.
  llvm::stable_sort(taken, [](const Fix *a, const Fix *b) { return a->begin > b->begin; });
  fixed.text = text.str();
  for (const Fix *fix : taken)
    fixed.text.replace(fix->begin, fix->end - fix->begin, fix->text);
  return fixed;
}

} // namespace pto
