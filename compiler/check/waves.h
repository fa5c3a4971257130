//===- waves.h - blocks that wait for blocks without a core -----*- C++ -*-===//
//
// Private to the check room. A launch of more blocks than cores runs in waves: the first blocks get
// the cores, and a later one begins when one of them has ended. Here the first wave is played with
// the greatest optimism: a wait passes if any order of what the first wave has notified could let
// it, and whatever is not known lets it too. If then no block comes to its end, none ever does.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_WAVES_H
#define PTO_CHECK_WAVES_H

#include "check/signal_writers.h"
#include "check/trial.h"
#include "diag/sink.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pto::check_detail {

/// A word of the own rank: an object, and how many elements from its start.
using SignalWord = std::pair<int32_t, int64_t>;

struct WaveStep {
  enum class Kind : uint8_t {
    Notify,  ///< Changes a word.
    Blur,    ///< Changes some word of `object`, or of any; nobody knows which, or to what.
    Wait,    ///< For all the words.
    Meet,    ///< `syncall`: more blocks than cores never meet.
    Unknown, ///< From here on nothing is known.
  };
  Kind kind;
  const program::Expr *expr = nullptr;
  int32_t object = program::ViewFacts::kNoObject;
  llvm::SmallVector<int64_t, 1> offsets = {};
  bool isSet = false; ///< A notify that does not add.
  WaitCmp cmp = WaitCmp::EQ;
  int64_t value = 0;
};

/// What one block does to the signal words of its own rank, and waits for, in its order.
struct WaveBlock {
  int32_t block = 0;
  std::vector<WaveStep> steps = {};
  size_t at = 0; ///< The next step.

  void operation(const program::Expr &expr, Trial &trial);
  void passedOver() { steps.push_back({WaveStep::Kind::Unknown}); }
};

/// A first wave of which no block ever ends.
struct StalledWave {
  int32_t block = 0; ///< Waits for the later one.
  WaveStep wait;
  SignalWord word;
  int64_t low = 0, high = 0;             ///< What the first wave alone can make of the word.
  int32_t giver = 0;                     ///< The later block.
  const program::Expr *notify = nullptr; ///< What it would do.
  std::vector<SignalWord> waiters;       ///< What each block of the first wave waits for.
};

/// `known` are the blocks from 0 on, at least one a core; `follow` tells of a further one, or that
/// it cannot. A wave that would stall on enough cores too is none of these.
[[nodiscard]] std::optional<StalledWave>
findStalledWave(std::vector<WaveBlock> known, int32_t blocks, int32_t cores,
                const SignalWriters &writers,
                llvm::function_ref<std::optional<WaveBlock>(int32_t)> follow);

/// Of which launch a stalled wave is said.
struct WaveSite {
  const program::Program &program;
  const program::Stmt &launch;
  const TrialAgent &agent;
  llvm::StringRef coresOf;
};
void reportStalledWave(const StalledWave &wave, const WaveSite &site, Sink &sink);

} // namespace pto::check_detail

#endif
