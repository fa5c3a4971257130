//===- cache.h - the data cache of one scalar unit --------------*- C++ -*-===//
//
// Lines of 64 bytes that nobody keeps coherent: a load hits what is here, however old; a store
// stays here until the line is flushed, and a flush writes the WHOLE line, also bytes that others
// changed.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_CACHE_H
#define PTO_MEMORY_CACHE_H

#include "memory/gm.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace pto {

class Cache {
public:
  static constexpr int64_t kLineBytes = 64;
  static constexpr size_t kMaxLines = 4096; ///< Then the oldest line leaves, written back if dirty.

  struct Line {
    int32_t rank = 0;
    int64_t offset = 0; ///< Of its first byte in the rank's GM; a multiple of 64.
    int64_t firstStored =
        -1;             ///< GM offset of the first byte stored since the last flush; -1: clean.
    CodePlace storedAt; ///< Of that store.
    std::array<uint8_t, kLineBytes> data;
  };

  [[nodiscard]] bool empty() const { return lines_.empty(); }
  [[nodiscard]] bool holds(const View &element) const {
    return find(element.rank, element.offset) != kAbsent;
  }
  [[nodiscard]] ScalarBits load(const Gm &gm, const View &element);
  void store(const Gm &gm, const View &element, ScalarBits bits, const CodePlace &at);
  /// Writes back and drops the lines that hold elements of the view. What was written goes to
  /// `written`.
  void flush(const Gm &gm, const View &view, llvm::SmallVectorImpl<Line> &written);
  void flushAll(const Gm &gm, llvm::SmallVectorImpl<Line> &written);
  /// The lines that were stored to and never flushed, oldest first.
  [[nodiscard]] std::vector<Line> dirtyLines() const;

private:
  static constexpr uint32_t kAbsent = ~0u;
  using Key = std::pair<int32_t, int64_t>;
  [[nodiscard]] uint32_t find(int32_t rank, int64_t offset) const;
  Line &fetch(const Gm &gm, int32_t rank, int64_t offset);
  void drop(const Gm &gm, uint32_t slot, llvm::SmallVectorImpl<Line> &written);

  std::vector<Line> lines_; ///< In order of arrival; a dropped line is replaced by the last.
  llvm::DenseMap<Key, uint32_t> slots_;
  uint32_t oldest_ = 0; ///< Next to leave when full.
};

} // namespace pto

#endif
