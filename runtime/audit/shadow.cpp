#include "audit/shadow.h"

namespace pto::audit_detail {

bool conflict(AccessKind a, AccessKind b) {
  if (b == AccessKind::PutBack)
    return false; // What was changed before it is looked for when it is made.
  if (a == AccessKind::PutBack)
    return changes(b);
  if (!changes(a) && !changes(b))
    return false;
  if (isAtomic(a) && isAtomic(b))
    return false;
  auto isSync = [](AccessKind kind) {
    return kind == AccessKind::Update || kind == AccessKind::Look;
  };
  return !isSync(a) || !isSync(b);
}

bool Cell::isSame(const Cell &other) const {
  if (isWritten != other.isWritten || !write.isSame(other.write) ||
      others.size() != other.others.size())
    return false;
  for (size_t i = 0; i != others.size(); ++i)
    if (!others[i].isSame(other.others[i]))
      return false;
  return true;
}

Shadow::Shadow(int64_t bytes, bool isWritten) : bytes_(bytes) {
  Cell whole;
  whole.end = bytes;
  whole.isWritten = isWritten;
  if (bytes > 0)
    cells_.emplace(0, std::move(whole));
}

/// The cell that begins at a byte, which it may have to be cut for.
Shadow::Cells::iterator Shadow::cut(int64_t at) {
  if (at >= bytes_)
    return cells_.end();
  auto cell = std::prev(cells_.upper_bound(at));
  if (cell->first == at)
    return cell;
  Cell rest = cell->second;
  cell->second.end = at;
  return cells_.emplace_hint(std::next(cell), at, std::move(rest));
}

void Shadow::visit(ByteRange range, llvm::function_ref<void(ByteRange, Cell &)> visitor) {
  range.begin = std::max<int64_t>(range.begin, 0);
  range.end = std::min(range.end, bytes_);
  if (range.empty())
    return;
  auto first = cut(range.begin);
  auto last = cut(range.end);
  for (auto cell = first; cell != last; ++cell)
    visitor({cell->first, cell->second.end}, cell->second);
  // From the neighbour before the range to the one behind it.
  auto cell = first == cells_.begin() ? first : std::prev(first);
  for (;;) {
    auto next = std::next(cell);
    if (next == cells_.end() || next->first > range.end)
      return;
    if (!cell->second.isSame(next->second)) {
      cell = next;
      continue;
    }
    cell->second.end = next->second.end;
    cells_.erase(next);
  }
}

void Shadow::initialise(ByteRange range) {
  visit(range, [](ByteRange, Cell &cell) { cell.isWritten = true; });
}

} // namespace pto::audit_detail
