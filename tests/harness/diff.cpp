#include "harness/diff.h"

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace pto::test {

using Lines = llvm::SmallVector<llvm::StringRef>;

/// One line of the result and how it is marked.
struct DiffLine {
  char mark;
  llvm::StringRef text;
};

static constexpr size_t kContext = 3;
/// Beyond this many pairs of lines the exact alignment costs more than it tells.
static constexpr size_t kMaxPairs = 4'000'000;

static Lines splitLines(llvm::StringRef text) {
  Lines lines;
  text.consume_back("\n");
  text.split(lines, '\n');
  return lines;
}

/// lengths[i][j]: the longest common subsequence of old[i…] and now[j…].
static std::vector<std::vector<unsigned>> commonLengths(const Lines &old, const Lines &now) {
  std::vector<std::vector<unsigned>> lengths(old.size() + 1, std::vector<unsigned>(now.size() + 1));
  for (size_t i = old.size(); i-- > 0;)
    for (size_t j = now.size(); j-- > 0;)
      lengths[i][j] = old[i] == now[j] ? lengths[i + 1][j + 1] + 1
                                       : std::max(lengths[i + 1][j], lengths[i][j + 1]);
  return lengths;
}

static std::vector<DiffLine> align(const Lines &old, const Lines &now) {
  std::vector<DiffLine> lines;
  size_t i = 0;
  size_t j = 0;
  if (old.size() * now.size() <= kMaxPairs) {
    auto lengths = commonLengths(old, now);
    while (i < old.size() && j < now.size()) {
      if (old[i] == now[j]) {
        lines.push_back({' ', old[i++]});
        ++j;
      } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
        lines.push_back({'-', old[i++]});
      } else {
        lines.push_back({'+', now[j++]});
      }
    }
  }
  while (i < old.size())
    lines.push_back({'-', old[i++]});
  while (j < now.size())
    lines.push_back({'+', now[j++]});
  return lines;
}

std::string unifiedDiff(llvm::StringRef expected, llvm::StringRef got) {
  std::vector<DiffLine> lines = align(splitLines(expected), splitLines(got));
  std::vector<bool> isShown(lines.size());
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].mark != ' ')
      for (size_t k = i - std::min(i, kContext); k < std::min(lines.size(), i + kContext + 1); ++k)
        isShown[k] = true;
  std::string result;
  bool wasShown = true;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (isShown[i])
      result += std::string(1, lines[i].mark) + lines[i].text.str() + "\n";
    else if (wasShown)
      result += " …\n";
    wasShown = isShown[i];
  }
  return result;
}

} // namespace pto::test
