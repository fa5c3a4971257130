//===- pipe_order.h - which pipe is known to have finished what --*- C++ -*-===//
//
// The pipes of a core run side by side; each keeps its own order. What a pipe did is known to the
// others only by a flag, a barrier or a token. This is that knowledge as data: an entry for each
// access that something later may still be unordered with, or wait for a flag, and the set of pipes
// that come after it for certain. Once the scalar pipe S knows, everything that is issued later
// comes after, and the entry goes.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_GRAPH_PIPE_ORDER_H
#define PTO_GRAPH_PIPE_ORDER_H

#include "graph/solve.h"
#include "graph/touch.h"

#include <bitset>

namespace pto::graph {

class PipeOrder {
public:
  static constexpr size_t kPipeCount = 5;
  static constexpr size_t kFlagIds = 8;
  using Flags = std::bitset<kPipeCount * kPipeCount * kFlagIds>;

  struct Entry {
    const Step *step = nullptr;
    const Expr *operand = nullptr; ///< Of the step's instruction.
    Pipe pipe = Pipe::S;
    bool writes = false;
    bool isMaybe = false; ///< Not on every path, or not ordered alike on all.
    Pipes known = 0;
    Flags flags; ///< Set after it, on a pipe that knew of it, and not yet waited for.
    Region region;

    [[nodiscard]] bool isSame(const Entry &other) const {
      return step == other.step && operand == other.operand && pipe == other.pipe;
    }
    void meet(const Entry &other, bool isLoop);
    bool operator==(const Entry &) const = default;
  };

  /// An earlier access that nothing orders before a touch of the step.
  struct Hazard {
    const Entry *earlier = nullptr;
    const Touch *touch = nullptr;
  };

  std::vector<Entry> entries; ///< In the order of issue.
  bool operator==(const PipeOrder &) const = default;

  /// The accesses that the step runs into; first the older ones.
  [[nodiscard]] llvm::SmallVector<Hazard, 2> hazards(llvm::ArrayRef<Touch> touches) const;
  /// What the step changes: its own accesses, or what it makes known.
  void apply(const Graph &graph, const Step &step, llvm::ArrayRef<Touch> touches);
  void drain(Pipe pipe); ///< S now comes after all of that pipe, or of ALL.
  void join(const PipeOrder &other, Join how) { joinEntries(entries, other.entries, how); }
  void turn();

private:
  void setFlag(const Step &step);
  void waitFlag(const Step &step);
  void awaitToken(const Graph &graph, FrameId frame, const Expr *token);
};

/// The accesses that need an order: those of the step, and of `set_valid` the one of the region
/// that the pipes read when they come to an operation.
[[nodiscard]] llvm::SmallVector<Touch, 6> orderedTouches(const Graph &graph, const Step &step);

/// The index of a flag's bit; the number of ids where the id is not known.
[[nodiscard]] size_t flagBit(Pipe from, Pipe to, size_t id);
/// The id of a `set_flag` or `wait_flag`, if it is a constant in range.
[[nodiscard]] std::optional<size_t> flagId(const Step &step);
[[nodiscard]] Pipe pipeOperand(const Step &step, llvm::StringRef name);

} // namespace pto::graph

#endif
