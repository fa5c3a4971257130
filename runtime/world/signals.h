//===- signals.h - who waits for which word, who wrote it -------*- C++ -*-===//
#ifndef PTO_WORLD_SIGNALS_H
#define PTO_WORLD_SIGNALS_H

#include "engine/engine.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace pto {

/// A GM word: rank and byte.
using Word = std::pair<int32_t, int64_t>;

struct LastWrite {
  Writer writer;
  int32_t value = 0;
  int64_t timePs = 0;
};

/// The parked waits by the word that each of them found wanting, and the last write of every
/// signal.
class Signals {
public:
  Signals(const Module &module, const Layout &layout);

  void park(Word word, uint32_t agent) { waiters_[word].push_back(agent); }
  /// Takes out the agents that wait for a word in the range.
  [[nodiscard]] llvm::SmallVector<uint32_t, 4> take(int32_t rank, ByteRange range);
  /// Remembers a write if the bytes belong to signals.
  void noteWrite(const Gm &gm, int32_t rank, ByteRange range, const Writer &writer, int64_t timePs);
  [[nodiscard]] const LastWrite *lastWrite(Word word) const;

private:
  std::map<Word, llvm::SmallVector<uint32_t, 1>> waiters_;
  llvm::DenseMap<Word, LastWrite> writes_;
  std::vector<ByteRange> signalRanges_; ///< Of a rank's GM.
};

/// What the word holds.
[[nodiscard]] int32_t readWord(const Gm &gm, Word word);
/// Carries out an update in memory.
void applyUpdate(const Gm &gm, const SignalUpdate &update);

} // namespace pto

#endif
