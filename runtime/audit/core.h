//===- core.h - what the audit remembers of a core --------------*- C++ -*-===//
//
// Of its pipes, its cache and its operations, and the last steps for reports.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_CORE_H
#define PTO_AUDIT_CORE_H

#include "audit/shadow.h"
#include "bytecode/module.h"

#include <deque>
#include <map>

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
  llvm::SmallVector<std::pair<int64_t, int32_t>, 1> words; ///< Signals that it stored, with values.
};
using LineKey = std::pair<int32_t, int64_t>; ///< Rank, first byte.

/// An update that a wait learnt of.
struct Told {
  uint32_t site = 0;
  uint32_t core = kNoCore; ///< Of its sender,
  int64_t sentPs = 0;      ///< when it was sent,
  ClockRef full;           ///< and all that the sender knew then.
};

/// A wait that passed, as reports tell it.
struct Acquisition {
  uint32_t site = 0;
  int32_t rank = 0;
  int64_t offset = 0;
  bool isStale = false;
  /// The last updates that were there and that the core had not known of, in order of landing.
  llvm::SmallVector<Told, 1> updates;
  int64_t timePs = 0;
  std::shared_ptr<const Clock> full; ///< What it would have acquired if all retired work showed.
};

/// Something that orders or should have, as reports tell it.
struct Step {
  int64_t timePs = 0;
  uint32_t site = 0;
  int32_t rank = -1; ///< Of the word concerned; -1: none.
  int64_t offset = 0;
  uint32_t time = 0; ///< Of the scalar pipe.
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

/// The word through which a core's scalar atomics pass their operand: of the last one.
struct AmoWord {
  uint64_t token = 0; ///< 0: there was none.
  ScalarBits operand = 0;
  uint32_t site = 0;
  Epoch read; ///< When MTE3 read it; of nobody: not yet.
};

/// An ordering domain of a core's transfers. The n-th of them has the time base + n.
struct DomainOrder {
  AgentId agent = kNobody;
  uint32_t base = 0;
  uint32_t covered = 0;                ///< The time up to which waits of the core cover it.
  uint64_t shared = 0;                 ///< The queue, where other cores use it too.
  std::unique_ptr<DomainOrder> teller; ///< Its posts that notify, where the queue keeps no order.
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
  Epoch lastStore; ///< Of MTE3.
  uint32_t lastStoreSite = 0;
  AmoWord amoWord;
  CoreStory story;
  uint64_t passages = 0; ///< Words that it passed on.
  std::unique_ptr<Shadow> ub;
};

/// The agent of a pipe of a core.
[[nodiscard]] AgentId agentOf(const CoreOrder &core, Pipe pipe);
/// What a rank may rely on of what a core knows.
[[nodiscard]] ClockRef visibleTo(const CoreOrder &core, ClockRef full, int32_t rank);

} // namespace pto::audit_detail

#endif
