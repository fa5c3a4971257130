//===- state.h - what the audit remembers -----------------------*- C++ -*-===//
//
// Shared by the files of this room and by nobody else.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_STATE_H
#define PTO_AUDIT_STATE_H

#include "audit/audit.h"
#include "audit/core.h"
#include "audit/sites.h"
#include "audit/word.h"

#include <compare>
#include <set>

namespace pto {

/// What waits may acquire at most, by an earlier pass.
struct AuditLimits {
  std::map<audit_detail::WaitKey, audit_detail::Clock> waits;
};

} // namespace pto

namespace pto::audit_detail {

struct LaunchOrder {
  int32_t rank = 0;
  int32_t stream = 0;
  uint32_t kernel = 0; ///< Of the module's functions.
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

/// What an agent does in the launches of one stream: one that did the same in the last launch goes
/// on, so that clocks do not grow with the number of launches.
struct Part {
  int32_t rank = 0, stream = 0, block = 0;
  AgentKind kind = AgentKind::Scalar;
  uint32_t domain = 0; ///< Of a queue,
  uint64_t queue = 0;  ///< and which one it is, if other cores use it too.
  auto operator<=>(const Part &) const = default;
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
  bool isWithdrawn = false; ///< A later finding tells the truth of it.
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
  std::vector<AgentId> ended;                           ///< Not yet settled.
  std::map<Part, AgentId> idle;       ///< Ended, and known to the stream's next launch.
  std::map<uint32_t, CoreStory> past; ///< Of cores that ended last,
  size_t mostRunning = 0;             ///< and how many ran at most.
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

} // namespace pto::audit_detail

#endif
