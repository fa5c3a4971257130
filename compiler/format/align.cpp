// Columns that neighbouring lines share: the types of declarations, the comments behind code.
#include "format/line.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

static bool declaresWith(const Line &line, const Line &above) {
  return line.declares == above.declares && line.indent == above.indent && !line.followsGap;
}

/// `window data:  f32[4];` beside `local  inbox: f32[4];`. A run that would become too wide stays
/// as it is.
static void alignTypes(llvm::MutableArrayRef<Line> run) {
  uint32_t keyword = 0, name = 0;
  for (const Line &line : run) {
    keyword = std::max(keyword, line.keywordEnd);
    name = std::max(name, line.colonEnd - line.keywordEnd);
  }
  auto padding = [&](const Line &line) { return keyword + name - line.colonEnd; };
  if (llvm::any_of(run,
                   [&](const Line &line) { return line.width() + padding(line) > kMaxColumns; }))
    return;
  for (Line &line : run) {
    line.code.insert(line.colonEnd, name - (line.colonEnd - line.keywordEnd), ' ');
    line.code.insert(line.keywordEnd, keyword - line.keywordEnd, ' ');
  }
}

/// Puts the comment of a line where `column` says.
static void padComment(Line &line, unsigned column) {
  line.code.append(column - std::min(column, line.width()), ' ');
}

/// Aligns the comments from `lines.front()` on, as far as they belong together; says how many. A
/// comment that only the alignment would make too long begins a column of its own.
static size_t alignComments(llvm::MutableArrayRef<Line> lines) {
  unsigned column = 0, longest = 0;
  size_t count = 0;
  for (; count < lines.size(); ++count) {
    const Line &line = lines[count];
    bool belongs =
        count == 0 || line.continues ||
        (!line.comment.empty() && !line.followsGap && line.indent == lines.front().indent);
    if (!belongs)
      break;
    unsigned own = line.continues ? column : line.width() + 1, length = widthOf(line.comment);
    bool canFit = own + length <= kMaxColumns;
    unsigned nextColumn = std::max(column, own);
    unsigned nextLongest = std::max(longest, canFit ? length : 0);
    if (count > 0 && !line.continues && nextColumn + nextLongest > kMaxColumns)
      break;
    column = nextColumn;
    longest = nextLongest;
  }
  for (Line &line : lines.take_front(count))
    padComment(line, column);
  return count;
}

void align(Lines &lines) {
  llvm::MutableArrayRef<Line> all(lines);
  for (size_t i = 0; i < all.size();) {
    size_t end = i + 1;
    while (end < all.size() && declaresWith(all[end], all[end - 1]))
      ++end;
    if (all[i].declares != Declares::Nothing)
      alignTypes(all.slice(i, end - i));
    i = end;
  }
  for (size_t i = 0; i < all.size();)
    i += all[i].comment.empty() ? 1 : alignComments(all.drop_front(i));
}

} // namespace pto
