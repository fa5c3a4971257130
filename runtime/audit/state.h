//===- state.h - what the audit remembers -----------------------*- C++ -*-===//
//
// Shared by the files of this room and by nobody else.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_STATE_H
#define PTO_AUDIT_STATE_H

#include "audit/audit.h"
#include "audit/shadow.h"
#include "audit/sites.h"
#include "audit/word.h"

#include "llvm/ADT/DenseMap.h"

#include <set>

namespace pto {

/// What waits may acquire at most, by an earlier pass.
struct AuditLimits {
  std::map<audit_detail::WaitKey, audit_detail::Clock> waits;
};

} // namespace pto

namespace pto::audit_detail {

inline constexpr uint32_t kNoCore = ~0u;
inline constexpr unsigned kOwnPipes = 3; ///< Of a core, besides its scalar pipe.

/// A line of a core's data cache.
struct CacheLine {
  ClockRef fetched;    ///< What the core knew then.
  uint64_t stored = 0; ///< Bytes that it stored since.
  Epoch store;         ///< The last store.
  uint32_t site = 0;
  int64_t timePs = 0;
};
using LineKey = std::pair<int32_t, int64_t>; ///< Rank, first byte.

/// A wait that passed, as reports tell it.
struct Acquisition {
  uint32_t site = 0;
  int32_t rank = 0;
  int64_t offset = 0;
  bool isStale = false;
  uint32_t update = kNobody; ///< Site of the update that was there last.
  int64_t timePs = 0;
  std::shared_ptr<const Clock> full; ///< What it would have acquired if all retired work showed.
};

/// Something that orders or should have, as reports tell it.
struct Step {
  int64_t timePs = 0;
  uint32_t site = 0;
  int32_t rank = -1; ///< Of the word concerned; -1: none.
  int64_t offset = 0;
};

/// The last things that a core did, for reports.
struct CoreStory {
  std::deque<Acquisition> acquired;
  std::deque<Step> steps;
};

/// An operation in the pipes of a core.
struct PipeWork {
  ClockRef issued;
  uint32_t issueTime = 0;
  Clock done; ///< What its steps so far knew and did.
};

/// An ordering domain of a core's transfers. The n-th of them has the time base + n.
struct DomainOrder {
  AgentId agent = kNobody;
  uint32_t base = 0;
};

/// A core: its scalar pipe and three more, from a block's begin to its end.
struct CoreOrder {
  int32_t rank = 0;
  int32_t block = 0;
  uint32_t launch = 0;
  AgentId scalar = kNobody;
  AgentId pipes[kOwnPipes] = {}; ///< V, MTE2, MTE3: AgentKind::V + i.
  AgentId writeBack = kNobody;   ///< The cache, which writes lines back.
  uint32_t visibleStores = 0;    ///< Time of MTE3 up to which a fence has made stores visible,
  uint32_t visibleLines = 0;     ///< and of the cache.
  llvm::SmallVector<DomainOrder, 2> domains;
  std::map<uint64_t, PipeWork> work;                           ///< By token.
  std::map<uint64_t, std::shared_ptr<const Clock>> doneTokens; ///< The last ones.
  std::map<uint32_t, Clock> flags;                             ///< What a raise released.
  std::map<LineKey, CacheLine> lines;
  CoreStory story;
  uint64_t passages = 0; ///< Words that it passed on.
  std::unique_ptr<Shadow> ub;
};

struct LaunchOrder {
  int32_t rank = 0;
  int32_t stream = 0;
  Clock begin;
  Clock end;
};

/// The last post of a queue that several cores may use.
struct LastPost {
  uint32_t core = kNoCore;
  Epoch issued; ///< Of the scalar pipe.
  uint32_t site = 0;
  int64_t timePs = 0;
};

/// A transfer between its post and its completion.
struct Flight {
  Epoch epoch;
  ClockRef clock;
};

/// One cause of findings: where it stands in the list, and how often it came again.
struct Cause {
  size_t finding = 0;
  uint64_t again = 0;
};

struct State {
  explicit State(const AuditContext &context);

  AuditContext context;
  int64_t nowPs = 0;
  Agents agents;
  Sites sites;
  std::vector<Shadow> gm; ///< By rank.
  std::vector<AgentId> hosts;
  std::vector<Clock> rankEnds;                          ///< What the ended launches of a rank did.
  std::map<std::pair<int32_t, int32_t>, Clock> streams; ///< (rank, stream).
  std::map<uint32_t, LaunchOrder> launches;             ///< Not ended.
  std::map<uint32_t, CoreOrder> cores;                  ///< Running.
  std::vector<AgentId> ended;                           ///< Not yet settled,
  std::map<uint32_t, CoreStory> past;                   ///< nor forgotten.
  std::map<std::pair<int32_t, int64_t>, WordHistory> words;
  std::map<uint64_t, LastPost> queues;                     ///< By queue, where cores share it.
  std::map<uint64_t, Flight> flights;                      ///< By operation.
  std::map<LineKey, llvm::SmallVector<uint32_t, 2>> dirty; ///< Cores that hold a line stored to.
  size_t updatesUnderWay = 0;

  std::vector<AuditFinding> findings;
  std::map<std::string, Cause> causes;
  AuditLimits limits; ///< Of this pass, those of the earlier ones included.
  bool hasNewLimits = false;
  std::vector<OpenPair> openPairs; ///< The first ones.
  std::set<std::pair<uint32_t, uint32_t>> seenDependences;
  uint64_t moreDependences = 0;

  [[nodiscard]] CoreOrder &core(uint32_t id) { return cores.at(id); }
  [[nodiscard]] const CoreStory *story(uint32_t core) const;
  [[nodiscard]] WordHistory &word(int32_t rank, int64_t offset);
  void addStep(CoreOrder &core, uint32_t site, int32_t rank = -1, int64_t offset = 0);
};

/// The agent of a pipe of a core.
[[nodiscard]] AgentId agentOf(const CoreOrder &core, Pipe pipe);
[[nodiscard]] uint32_t scalarSite(State &state, uint32_t core, const Request &request);

/// Who makes an access, and what it knows.
struct Accessor {
  AgentId agent = kNobody;
  uint32_t time = 0;
  const Clock *clock = nullptr;
  uint64_t queue = 0;
  uint32_t core = kNoCore;  ///< Of a host: none.
  AgentId issuer = kNobody; ///< Of pipes and queues: the scalar pipe that issued it,
  uint32_t issueTime = 0;   ///< and when.
  uint32_t site = 0;
  uint64_t operation = 0;
};
[[nodiscard]] Accessor scalarOf(State &state, uint32_t core, uint32_t site);
[[nodiscard]] Accessor hostOf(State &state, int32_t rank, uint32_t site);

// access.cpp
/// Judges and notes an access to `count` elements of a view, from the first on.
void access(State &state, const Accessor &who, AccessKind kind, const View &view, int64_t first,
            int64_t count);
void accessBytes(State &state, const Accessor &who, AccessKind kind, int32_t rank, ByteRange range);
[[nodiscard]] bool isOrdered(const State &state, const Access &before, AccessKind kind,
                             const Accessor &who);
// races.cpp
/// Says what two unordered accesses of a memory are: a race, and of which kind.
void reportRace(State &state, const Access &before, const Accessor &who, AccessKind kind, bool isUb,
                int32_t rank, ByteRange range);
void reportUninitialised(State &state, const Accessor &who, int32_t rank, ByteRange range);
// cache.cpp
/// Bytes that the reader should see and that a core still holds stored.
void checkUnflushed(State &state, const Accessor &who, int32_t rank, ByteRange range);
// signals.cpp
/// What a rank may rely on of what a core knows.
[[nodiscard]] ClockRef visibleTo(const CoreOrder &core, ClockRef full, int32_t rank);
void sendUpdate(State &state, const SignalUpdate &update, Epoch epoch, ClockRef clock,
                ClockRef full, uint32_t site, uint32_t core);
void storeWord(State &state, const Accessor &who, int32_t rank, int64_t offset, int32_t before,
               ClockRef released);
// proof.cpp
void addDependences(State &state, std::vector<Dependence> &dependences, int32_t rank,
                    int64_t offset);
void addDependence(State &state, const Dependence &dependence, llvm::StringRef word);
// report.cpp
/// Adds a finding; one of the same cause is counted only.
void report(State &state, Trap trap, const TrapSite &site, const std::string &cause);
[[nodiscard]] TrapSite siteOf(const State &state, uint32_t site, std::string role, int64_t timePs);
[[nodiscard]] std::string rangeText(const State &state, int32_t rank, ByteRange range);
[[nodiscard]] std::string wordText(const State &state, int32_t rank, int64_t offset);
/// An instruction, whoever carries it out: findings of the same ones have one cause.
[[nodiscard]] std::string placeKey(const State &state, uint32_t site);
/// "`tstore` (MTE3, rank 0 block 1)"
[[nodiscard]] std::string actorText(const State &state, uint32_t site);
/// The last steps of both cores before their accesses, in order of time.
void addTrace(const State &state, Trap &trap, const Access &before, const Access &after);

} // namespace pto::audit_detail

#endif
