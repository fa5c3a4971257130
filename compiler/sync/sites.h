//===- sites.h - where a flag may stand, and which one ------------*- C++ -*-===//
//
// A flag is raised behind one statement and taken before a later one of the same body, so that no
// path comes by one of them alone: what leads out of the body in between, or round a loop from one
// to the other, is for a barrier. The ids are those that neither an operation nor the program uses.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_SYNC_SITES_H
#define PTO_SYNC_SITES_H

#include "graph/pipe_order.h"

namespace pto::sync_detail {

using namespace graph;

/// A flag of the compiler's.
struct Flag {
  Pipe from = Pipe::S, to = Pipe::S;
  size_t id = 0;
  const Stmt *after = nullptr;  ///< It is raised behind this,
  const Stmt *before = nullptr; ///< and taken before this.
};

/// The ids that are left for flags. One kernel's; lives through all rounds.
class FlagIds {
public:
  explicit FlagIds(const Graph &graph);

  /// An id for a flag whose statements are known; none is left, or none can be proved to be.
  [[nodiscard]] std::optional<size_t> take(Flag flag, const class Places &places);

private:
  void forbid(const Expr *id);

  bool isKnown_ = true; ///< Every id that the program uses.
  std::bitset<PipeOrder::kFlagIds> forbidden_;
  std::vector<Flag> taken_;
};

/// Where the statements of a kernel stand.
class Places {
public:
  explicit Places(const Function &kernel);

  /// The two statements of a flag between steps of the kernel's own body; none: there are no such.
  [[nodiscard]] std::optional<Flag> siteOf(const Step &producer, const Step &consumer) const;
  [[nodiscard]] bool overlap(const Flag &a, const Flag &b) const;

private:
  struct Place {
    llvm::ArrayRef<Stmt *> body; ///< The list that it stands in.
    size_t index = 0;
    const Stmt *parent = nullptr;
    size_t begin = 0, end = 0; ///< In the order of the text.
  };

  void body(llvm::ArrayRef<Stmt *> statements, const Stmt *parent);
  [[nodiscard]] const Place *place(const Stmt *stmt) const;
  [[nodiscard]] const Stmt *ancestorIn(const Place &list, const Stmt *stmt) const;

  llvm::DenseMap<const Stmt *, Place> places_; ///< Looked up, never walked.
  size_t now_ = 0;
};

} // namespace pto::sync_detail

#endif
