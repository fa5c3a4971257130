//===- hixl_walk.h - follows one host through its body ------------*- C++ -*-===//
//
// All paths at once: a call is looked at with every state that may reach it, since a finding is
// made only of what is wrong in all of them. Where they are too many, they become one.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_HIXL_WALK_H
#define PTO_FLOW_HIXL_WALK_H

#include "flow/hixl_act.h"
#include "flow/hixl_report.h"
#include "flow/hixl_values.h"

namespace pto::flow_detail {

/// A state, with the values of an expression that is being evaluated.
struct Path {
  HostState state;
  llvm::SmallVector<Value, 6> stack;
  Value result; ///< Of a `return`.

  Value pop() { return stack.pop_back_val(); }
  bool operator==(const Path &) const = default;
};
using Paths = std::vector<Path>;

/// Where the paths go that leave a statement in another way than to the next one.
struct Exits {
  Paths breaks, continues, returns;
};

class HostWalk {
public:
  HostWalk(const program::Program &program, const program::Entry &entry, const HostWorld &world,
           HixlReports &reports)
      : entry_(entry), world_(world), values_(program, world.rank, world.ranks), reports_(reports) {
  }

  /// False: too much to follow, and what was found until then may be all.
  bool run();

private:
  // hixl_walk.cpp: statements
  Paths follow(llvm::ArrayRef<Stmt *> body, Paths paths, Exits &exits);
  Paths follow(const Stmt &stmt, Paths paths, Exits &exits);
  Paths followIf(const Stmt &stmt, Paths paths, Exits &exits);
  Paths followWhile(const Stmt &stmt, Paths paths, Exits &exits);
  Paths followFor(const Stmt &stmt, Paths paths, Exits &exits);
  Paths unroll(const Stmt &stmt, Paths paths, std::pair<int64_t, int64_t> bounds, Exits &exits);
  void followPlain(const Stmt &stmt, Paths &paths);
  void drop(const Expr *expr, Paths &paths);
  void followExpect(const Stmt &stmt, Paths &paths);
  /// Adds to the paths that enter a loop those that come back, until there are no new ones.
  template <typename Turn> Paths entering(Paths paths, Turn turn);
  void define(const Variable *variable, Paths &paths);
  void branch(const Expr &condition, Paths paths, Paths &yes, Paths &no);
  void compare(const Expr &condition, Paths paths, Paths &yes, Paths &no);

  // hixl_eval.cpp: expressions, each of which leaves one value on every path
  void evaluate(const Expr &expr, Paths &paths, bool isDropped = false);
  void evaluateBranch(const Expr &expr, Paths &paths);
  void evaluateIntrinsic(const Expr &expr, Paths &paths, bool isDropped);
  void evaluateCall(const Expr &expr, Paths &paths);
  void makeEngine(const Expr &expr, Paths &paths);
  void makeCall(const Expr &expr, Paths &paths, bool isDropped);
  [[nodiscard]] bool isPure(const Expr &expr);
  ThingId nameOf(const Expr &expr);

  /// Keeps them few.
  void settle(Paths &paths);
  static void add(Paths &into, Paths from);
  void push(Paths &paths, Value value);
  bool spend(size_t steps);

  static constexpr size_t kMostPaths = 24, kMostSteps = 20'000, kMostCalls = 8;
  static constexpr int64_t kMostTurns = 16;

  const program::Entry &entry_;
  const HostWorld &world_;
  HostValues values_;
  HixlReports &reports_;
  size_t steps_ = 0;
  size_t depth_ = 0; ///< Of calls that are being followed.
  std::map<std::vector<std::pair<const void *, int64_t>>, ThingId> names_;
  llvm::SmallVector<std::pair<const void *, int64_t>, 8> context_; ///< Calls and turns of loops.
  llvm::DenseMap<const Expr *, bool> purity_;
};

} // namespace pto::flow_detail

#endif
