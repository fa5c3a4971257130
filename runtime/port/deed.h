//===- deed.h - what the engines did, for whoever judges order --*- C++ -*-===//
//
// The engines write down what matters to order, and only while somebody reads it: operations that
// entered pipes and queues, the steps of pipes with the bytes that they touched, flags, and what a
// wait covers. The world takes the log after every request and action.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PORT_DEED_H
#define PTO_PORT_DEED_H

#include "bytecode/module.h"
#include "memory/view.h"
#include "memory/walk.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace pto {

/// Who changed memory or a signal word, or would like to.
struct Writer {
  Opcode opcode = Opcode::Return;
  int32_t rank = -1;
  int32_t block = -1;
  CodePlace place;
  uint64_t operation = 0;
  CodePlace call = {}; ///< As of Request.
};

struct SignalUpdate {
  int32_t rank = 0;
  int64_t offset = 0;
  NotifyOp op = NotifyOp::Set;
  int32_t value = 0;
  Writer writer;
};

enum class AccessMode : uint8_t { Read, Write, Add };

/// Bytes that a deed read or wrote. A view of UB is of the deed's own core.
struct Touch {
  View view;
  AccessMode mode = AccessMode::Read;
  int64_t first = 0; ///< Of the view's elements in row-major order, and how many.
  int64_t count = 0;
};

/// An ordered pair of pipes and an event id, in one number.
[[nodiscard]] constexpr uint32_t flagKey(Pipe from, Pipe to, uint32_t id) {
  return uint32_t(from) << 16 | uint32_t(to) << 8 | id;
}

enum class DeedKind : uint8_t {
  PipeIssue, ///< The core gave `token` to its pipes.
  PipeStep,  ///< `pipe` ended a step of `token`.
  FlagRaise, ///< The scalar pipe raised `flag`.
  FlagTake,  ///< The scalar pipe took it down.
  Post,      ///< The core posted `operation` as number `sequence` of `domain`, which uses `queue`.
  Cover,     ///< A wait or test found that `domain` is done up to `sequence`.
  Complete,  ///< `operation` is done.
};

struct Deed {
  DeedKind kind = DeedKind::PipeIssue;
  uint32_t core = 0;
  Pipe pipe = Pipe::S;
  bool isLast = false;      ///< PipeStep: the operation's last one;
  bool holdsLoads = false;  ///< MTE2 had waited for it.
  bool raises = false;      ///< PipeStep: it raised `flag`.
  bool takes = false;       ///< PipeStep: it took `flag` down.
  bool isPolled = false;    ///< Cover: by `test`.
  bool stores = false;      ///< PipeIssue: on MTE3.
  uint32_t flag = 0;        ///< flagKey().
  uint32_t domain = 0;      ///< Of the core.
  bool sharesQueue = false; ///< Post: with all cores of its rank.
  uint64_t queue = 0;       ///< Of the run: transfers of one queue write in post order.
  uint64_t sequence = 0;
  uint64_t token = 0;
  bool isUnordered = false;           ///< Post: the queue keeps no order between its posts.
  int32_t peer = -1;                  ///< The rank on the far side of a step or a post.
  ScalarBits operand = 0;             ///< PipeIssue of a scalar atomic: what it adds or sets.
  DmaEngine engine = DmaEngine::SDMA; ///< Of a post.
  Writer writer;
  llvm::SmallVector<Touch, 2> touches;
  std::optional<SignalUpdate> signal; ///< Of a post that notifies.
  /// Of a step that stores to signal words: what they held.
  llvm::SmallVector<int32_t, 0> wordsBefore;
  std::optional<SumOverflow> overflow = {}; ///< Of a step that adds to GM.
};

class DeedLog {
public:
  void turnOn() { isOn_ = true; }
  [[nodiscard]] bool isOn() const { return isOn_; }
  [[nodiscard]] bool empty() const { return deeds_.empty(); }
  Deed &add(DeedKind kind, uint32_t core) {
    deeds_.emplace_back();
    deeds_.back().kind = kind;
    deeds_.back().core = core;
    return deeds_.back();
  }
  [[nodiscard]] llvm::ArrayRef<Deed> deeds() const { return deeds_; }
  void clear() { deeds_.clear(); }

private:
  bool isOn_ = false;
  std::vector<Deed> deeds_;
};

} // namespace pto

#endif
