//===- expectations.h - what tests state ------------------------*- C++ -*-===//
//
// Every rank's host judges its own elements; the misses of all ranks at one statement become one
// finding with a table of the first of them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_WORLD_EXPECTATIONS_H
#define PTO_WORLD_EXPECTATIONS_H

#include "diag/finding.h"
#include "port/request.h"

#include <map>

namespace pto {

struct Miss {
  int32_t rank = 0;
  std::string index, got, wanted;
};

/// Whether `got op wanted` holds; NaN never does but for `!=`.
[[nodiscard]] bool expectationHolds(ExpectOp op, ScalarType type, ScalarBits got, ScalarBits wanted,
                                    double tolerance);

class Expectations {
public:
  /// `answers`: 0, or 1 + the enumeration of HIXL that its values are of.
  void begin(int32_t rank, const CodePlace &place, llvm::StringRef text, uint64_t answers);
  /// The operands of an `expect` instruction.
  void judge(int32_t rank, const Request &request);
  /// Gives how many elements missed.
  uint64_t end(int32_t rank);
  /// One finding for each statement that failed, in the order in which they began.
  void report(const std::vector<std::string> &files, std::vector<Finding> &findings) const;

private:
  static constexpr size_t kMaxMisses = 8; ///< Lines of a table.
  static constexpr uint32_t kMaxTimes =
      1000; ///< Later repetitions of a statement count as this one.

  /// All ranks' share of the n-th time that they come to a statement.
  struct Statement {
    CodePlace place;
    std::string text;
    uint64_t compared = 0, missed = 0;
    std::map<int32_t, std::vector<Miss>> misses; ///< By rank: the first ones.
  };
  struct HostState {
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> times; ///< By place: how often it came there.
    size_t open = ~size_t(0);
    uint64_t missed = 0;
    uint64_t answers = 0; ///< As begin took it.
  };
  [[nodiscard]] Finding findingOf(const Statement &statement,
                                  const std::vector<std::string> &files) const;

  std::vector<Statement> statements_;
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, size_t>
      byPlace_; ///< (file, line and column, time).
  std::map<int32_t, HostState> hosts_;
};

/// "rank 1", "ranks 1, 3", "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 8 more"
[[nodiscard]] std::string ranksText(llvm::ArrayRef<int32_t> ranks);
/// Columns aligned to the right, the header first.
[[nodiscard]] std::vector<std::string>
alignTable(const std::vector<std::vector<std::string>> &rows);

} // namespace pto

#endif
