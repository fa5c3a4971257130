//===- agent.h - who moves in a run -----------------------------*- C++ -*-===//
//
// Hosts and cores with what they wait for, launches, and the cores and streams of a rank.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_WORLD_AGENT_H
#define PTO_WORLD_AGENT_H

#include "memory/cache.h"
#include "port/jitter.h"
#include "vm/vm.h"
#include "world/signals.h"

namespace pto {

/// Why an agent has no place on the agenda.
enum class Park : uint8_t {
  None,     ///< It has one, or is moving right now.
  Engine,   ///< An event, a queue, a pipe.
  Signal,   ///< A twait.
  Launches, ///< A host that waits for what it launched.
  Barrier,  ///< A host that waits for all hosts.
  Syncall,  ///< A block that waits for the others of its launch.
  Ranks,    ///< A block that waits for those of all ranks.
  Hixl,     ///< A host that a call of HIXL blocks.
  Step,     ///< A host that waits for all hosts that still run.
  Finished,
};

/// How often an instruction that writes signals ran on a core, and what it did last.
struct SignalWrites {
  CodePoint at;
  uint64_t count = 0;
  Word last;
  int32_t value = 0;
};

/// Whether an agent only looks, again and again, and sees the same. If its registers are as they
/// were at an earlier look and nothing happened between, it will look for ever.
struct Polling {
  uint64_t looks = 0;
  uint64_t snapshot = 0; ///< Of its registers.
  uint64_t epoch = 0;    ///< World::epoch at that time.
  bool isCycling = false;
};

struct Agent {
  uint32_t id = 0;
  bool isHost = false;
  bool isDraining = false; ///< The kernel has returned; its pipes still work.
  bool hasRequest = false;
  Park park = Park::None;
  Core core;
  Cache cache;
  Jitter jitter;
  Polling polling;
  uint32_t launch = 0;      ///< Of a core.
  int64_t waitBeginPs = -1; ///< Since when its request is blocked.
  uint64_t wokenBy = 0;     ///< Operation that ended the wait.
  size_t scanFrom = 0;      ///< twait: the word that it found wanting.
  int64_t lastNotifyPs = 0; ///< Its notifies land in order.
  std::vector<SignalWrites> writes;
};

/// The ranks `first`, `first + stride`, … of which there are `members`.
struct Team {
  int32_t first = 0, stride = 1, members = 0;
  Route route =
      Route::ByMTE; ///< By which they meet: barriers of two routes know nothing of each other.
  auto operator<=>(const Team &) const = default;
  [[nodiscard]] bool has(int32_t rank) const {
    return rank >= first && (rank - first) % stride == 0 && (rank - first) / stride < members;
  }
  [[nodiscard]] int32_t rankOf(int32_t member) const { return first + member * stride; }
};

struct Launch {
  uint32_t kernel = 0;
  int32_t rank = 0;
  int32_t stream = 0;
  int32_t blocks = 1;
  int32_t nextBlock = 0;
  int32_t finished = 0;
  int32_t atSyncall = 0; ///< Blocks that wait there.
  int32_t atRanks = 0;   ///< Blocks that wait for those of other ranks,
  Team team;             ///< which are these.
  std::vector<Team> met; ///< All that its blocks have met.
  bool isDone = false;
  CodePlace place;
  std::vector<ScalarBits> args;
  std::vector<View> viewArgs;
};

struct EndedBlock {
  uint32_t launch = 0;
  std::vector<SignalWrites> writes;
};

inline constexpr uint32_t kNoLaunch = ~0u;

/// A rank's cores and streams.
struct RankState {
  int32_t freeCores = 0;
  uint32_t unfinished = 0;                          ///< Launches.
  std::map<int32_t, std::vector<uint32_t>> streams; ///< Launches in order, the running one first.
  std::vector<uint32_t> sinceSync; ///< Launches that the host has not waited for, the last ones.
  uint32_t lastLaunch = kNoLaunch;
  std::vector<uint32_t> ready; ///< Launches with blocks that wait for a core.
  /// What the last block of each (kernel, number) wrote, for hang reports.
  std::map<std::pair<uint32_t, int32_t>, EndedBlock> ended;
};

} // namespace pto

#endif
