#include "world/signals.h"

#include <algorithm>
#include <cstring>

namespace pto {

Signals::Signals(const Module &module, const Layout &layout) {
  for (size_t i = 0; i != module.objects.size(); ++i)
    if (module.objects[i].isSignal) {
      int64_t begin = layout.objects[i].view.offset;
      signalRanges_.push_back({begin, begin + layout.objects[i].bytes});
    }
}

llvm::SmallVector<uint32_t, 4> Signals::take(int32_t rank, ByteRange range) {
  llvm::SmallVector<uint32_t, 4> woken;
  auto at = waiters_.lower_bound({rank, range.begin - 3});
  while (at != waiters_.end() && at->first.first == rank && at->first.second < range.end) {
    woken.append(at->second.begin(), at->second.end());
    at = waiters_.erase(at);
  }
  return woken;
}

void Signals::noteWrite(const Gm &gm, int32_t rank, ByteRange range, const Writer &writer,
                        int64_t timePs) {
  for (const ByteRange &signals : signalRanges_) {
    int64_t begin = std::max(range.begin, signals.begin) / 4 * 4,
            end = std::min(range.end, signals.end);
    for (int64_t at = begin; at < end; at += 4)
      writes_[{rank, at}] = {writer, readWord(gm, {rank, at}), timePs};
  }
}

const LastWrite *Signals::lastWrite(Word word) const {
  auto found = writes_.find(word);
  return found == writes_.end() ? nullptr : &found->second;
}

int32_t readWord(const Gm &gm, Word word) {
  int32_t value = 0;
  std::memcpy(&value, gm.of(word.first) + word.second, sizeof value);
  return value;
}

void applyUpdate(const Gm &gm, const SignalUpdate &update) {
  uint32_t held = uint32_t(readWord(gm, {update.rank, update.offset}));
  uint32_t value =
      update.op == NotifyOp::AtomicAdd ? held + uint32_t(update.value) : uint32_t(update.value);
  std::memcpy(gm.of(update.rank) + update.offset, &value, sizeof value);
}

} // namespace pto
