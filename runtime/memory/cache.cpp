#include "memory/cache.h"

#include "memory/walk.h"

#include <cstring>

namespace pto {

static int64_t lineOf(int64_t offset) { return offset / Cache::kLineBytes * Cache::kLineBytes; }

uint32_t Cache::find(int32_t rank, int64_t offset) const {
  auto found = slots_.find({rank, lineOf(offset)});
  return found == slots_.end() ? kAbsent : found->second;
}

Cache::Line &Cache::fetch(const Gm &gm, int32_t rank, int64_t offset) {
  uint32_t slot = find(rank, offset);
  if (slot != kAbsent)
    return lines_[slot];
  if (lines_.size() >= kMaxLines) {
    llvm::SmallVector<Line, 1> ignored;
    drop(gm, oldest_++ % uint32_t(kMaxLines), ignored);
  }
  Line line;
  line.rank = rank;
  line.offset = lineOf(offset);
  std::memcpy(line.data.data(), gm.of(rank) + line.offset,
              kLineBytes); // GM is a multiple of lines.
  slots_[{rank, line.offset}] = uint32_t(lines_.size());
  lines_.push_back(line);
  return lines_.back();
}

void Cache::drop(const Gm &gm, uint32_t slot, llvm::SmallVectorImpl<Line> &written) {
  Line &line = lines_[slot];
  if (line.firstStored >= 0) {
    std::memcpy(gm.of(line.rank) + line.offset, line.data.data(), kLineBytes);
    written.push_back(line);
  }
  slots_.erase({line.rank, line.offset});
  if (slot + 1u != lines_.size()) {
    line = lines_.back();
    slots_[{line.rank, line.offset}] = slot;
  }
  lines_.pop_back();
}

ScalarBits Cache::load(const Gm &gm, const View &element) {
  const Line &line = fetch(gm, element.rank, element.offset);
  return loadScalar(element.type, line.data.data() + (element.offset - line.offset));
}

void Cache::store(const Gm &gm, const View &element, ScalarBits bits, const CodePlace &at) {
  Line &line = fetch(gm, element.rank, element.offset);
  storeScalar(element.type, line.data.data() + (element.offset - line.offset), bits);
  if (line.firstStored >= 0)
    return;
  line.firstStored = element.offset;
  line.storedAt = at;
}

void Cache::flush(const Gm &gm, const View &view, llvm::SmallVectorImpl<Line> &written) {
  int64_t left = elements(view);
  if (left == 0 || lines_.empty())
    return;
  for (ElementWalk walk(view);;) {
    int64_t run = std::min(left, walk.run());
    int64_t end = walk.offset() + run * view.elementBytes();
    for (int64_t line = lineOf(walk.offset()); line < end; line += kLineBytes)
      if (uint32_t slot = find(view.rank, line); slot != kAbsent)
        drop(gm, slot, written);
    left -= run;
    if (left == 0)
      return;
    walk.advance(run);
  }
}

void Cache::flushAll(const Gm &gm, llvm::SmallVectorImpl<Line> &written) {
  while (!lines_.empty())
    drop(gm, uint32_t(lines_.size() - 1), written);
}

std::vector<Cache::Line> Cache::dirtyLines() const {
  std::vector<Line> dirty;
  for (const Line &line : lines_)
    if (line.firstStored >= 0)
      dirty.push_back(line);
  return dirty;
}

} // namespace pto
