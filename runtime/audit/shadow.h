//===- shadow.h - who last touched each byte --------------------*- C++ -*-===//
//
// A map of one memory (a rank's GM, a core's UB) in cells: ranges of bytes with one history. A cell
// holds its last plain write and what came since without ordering each other: reads, atomic adds,
// updates of signals and looks at them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_SHADOW_H
#define PTO_AUDIT_SHADOW_H

#include "audit/agents.h"
#include "memory/view.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

namespace pto::audit_detail {

enum class AccessKind : uint8_t {
  Read,
  Write,
  Add,     ///< Atomic addition of a storing unit.
  Fetch,   ///< An atomic operation that brings back what was there: its value tells the order.
  Update,  ///< Of a signal word: tnotify, or the signal of a transfer.
  Look,    ///< At a signal word: twait, ttest.
  PutBack, ///< A cache wrote the bytes of its line that it had not changed, as it had fetched them.
};
[[nodiscard]] constexpr bool changes(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::Add || kind == AccessKind::Fetch ||
         kind == AccessKind::Update;
}
[[nodiscard]] constexpr bool isAtomic(AccessKind kind) {
  return kind == AccessKind::Add || kind == AccessKind::Fetch;
}
/// Whether an access and one that comes after it need an order.
[[nodiscard]] bool conflict(AccessKind before, AccessKind after);

struct Access {
  AgentId agent = kNobody;
  uint32_t time = 0;
  AccessKind kind = AccessKind::Read;
  uint32_t site = 0;        ///< Of Sites: instruction, rank, block.
  uint32_t core = ~0u;      ///< Whose; of a host: none.
  AgentId issuer = kNobody; ///< Of pipes and queues: the scalar pipe that issued it,
  uint32_t issueTime = 0;   ///< and when.
  int64_t timePs = 0;
  uint64_t operation = 0;
  int32_t source = -1; ///< Of a write by `tget`: the rank that the bytes came from.

  [[nodiscard]] Epoch epoch() const { return {agent, time}; }
  [[nodiscard]] bool isSame(const Access &other) const {
    return agent == other.agent && time == other.time && kind == other.kind && site == other.site &&
           source == other.source;
  }
};

struct Cell {
  int64_t end = 0;
  bool isWritten = false; ///< Somebody gave it a value.
  Access write;           ///< The last plain write; of nobody: initial.
  llvm::SmallVector<Access, 1> others;

  [[nodiscard]] bool isSame(const Cell &other) const;
};

class Shadow {
public:
  explicit Shadow(int64_t bytes, bool isWritten = false);
  /// Marks as having a value, from before the run.
  void initialise(ByteRange range);
  /// Visits the cells of a range, cut at its ends, and joins those that became equal.
  void visit(ByteRange range, llvm::function_ref<void(ByteRange, Cell &)> visitor);
  [[nodiscard]] size_t cells() const { return cells_.size(); }

private:
  using Cells = std::map<int64_t, Cell>;
  Cells::iterator cut(int64_t at);
  Cells cells_; ///< By first byte.
  int64_t bytes_;
};

} // namespace pto::audit_detail

#endif
