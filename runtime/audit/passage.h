//===- passage.h - updates of a signal word, and waits for it ----*- C++ -*-===//
#ifndef PTO_AUDIT_PASSAGE_H
#define PTO_AUDIT_PASSAGE_H

#include "audit/agents.h"
#include "bytecode/module.h"

#include <optional>

namespace pto::audit_detail {

/// A wait of a run: its core, and the how many-th word the core passed on.
using WaitKey = std::pair<uint32_t, uint64_t>;

struct Update {
  Epoch epoch;    ///< Of the scalar pipe or queue that sends it.
  ClockRef clock; ///< What it releases: the sender's knowledge that the receiver may rely on.
  ClockRef full;  ///< The sender's whole knowledge: drained, but perhaps not yet visible.
  NotifyOp op = NotifyOp::Set;
  int32_t value = 0;
  uint32_t site = 0;
  uint64_t operation = 0;
  uint32_t core = ~0u; ///< Of the sender.
  int64_t sentPs = 0;
  int64_t landedPs = -1;         ///< Not yet: it is on its way.
  int32_t before = 0, after = 0; ///< What the word held around its landing.
  bool isSeen = false;           ///< A wait, a test or a host has looked at the word since.
};

/// What a wait looks for.
struct Condition {
  WaitCmp cmp = WaitCmp::EQ;
  int32_t value = 0;
  [[nodiscard]] bool holds(int64_t held) const { return pto::holds(cmp, int32_t(held), value); }
};

/// A wait that passed, or the last test of an agent.
struct Passage {
  Epoch waiter;
  Condition condition;
  uint32_t site = 0;
  bool isTest = false;
  bool isCounter = false;
  /// What the updates that the waiter did not know of had to add; 0: it passed on what it knew.
  int64_t need = 0;
  bool isReused = false;    ///< And that had been looked at before.
  AgentId sender = kNobody; ///< Who sent all candidates; nobody: several did.
  std::vector<std::pair<ClockRef, int64_t>> candidates; ///< Those updates, with what each adds.
  Clock acquired;
  WaitKey key;
  /// An update that nothing kept from coming first, and that would have left the wait for good.
  struct Missed {
    uint32_t site = kNobody;
    int32_t value = 0;
  };
  std::optional<Missed> missed = {};

  [[nodiscard]] bool isStale() const { return need <= 0; }
};

/// A wait that another schedule would let acquire less: no more than this.
struct Lowered {
  WaitKey key;
  Clock clock;
};

/// Two steps whose order another schedule may turn round.
struct Dependence {
  uint32_t first = kNobody, second = kNobody; ///< Sites; kNobody: no longer known.
  bool isMixed = false;                       ///< A Set and an AtomicAdd that nothing orders.
  bool isReset = false; ///< A Set to 0 and another Set: whichever comes last takes the other back.
  std::optional<Lowered> lowered = {}; ///< It is a wait that could have acquired less, no more.
};

} // namespace pto::audit_detail

#endif
