//===- trial.h - walks code with the values that are known ------*- C++ -*-===//
//
// Private to the check room. A trial follows the code of one host, or of one block of a kernel, as
// far as the values of its conditions are known, and tells an observer of what surely happens. What
// depends on memory or on an unknown number is passed over; where that could leave the function the
// trial ends. So whatever an observer hears of happens in every run of that agent.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_TRIAL_H
#define PTO_CHECK_TRIAL_H

#include "program/program.h"

#include "llvm/ADT/DenseMap.h"

namespace pto::check_detail {

using Known = std::optional<ScalarBits>;

/// Whose code it is; what no setting says is absent.
struct TrialAgent {
  std::optional<int32_t> rank, ranks, block, blocks;
};

/// Where a view lies, as far as it is known; sizes are elements.
struct TrialView {
  std::optional<int64_t> rank;
  int32_t object = program::ViewFacts::kNoObject;
  std::optional<int64_t> offset; ///< From the object's start.
  llvm::SmallVector<std::optional<int64_t>, 2> shape, stride;
};

class Trial;

class TrialObserver {
public:
  virtual ~TrialObserver() = default;
  /// An instruction, a session or an `@` is about to be executed.
  virtual void operation(const program::Expr &expr, Trial &trial) = 0;
  /// A statement without a value of its own: a tile, a launch, sync, expect and so on.
  virtual void statement(const program::Stmt &stmt, Trial &trial) = 0;
  /// What follows was passed over.
  virtual void passedOver() {}
};

class Trial {
public:
  Trial(const program::Program &program, const TrialAgent &agent, TrialObserver &observer,
        uint64_t budget)
      : agent(agent), program_(program), observer_(observer), budget_(budget) {}

  /// Arguments and the views among them stand in the order of the parameters.
  void run(const program::Function &function, llvm::ArrayRef<Known> args,
           llvm::ArrayRef<TrialView> views);
  /// A value without executing anything anew.
  [[nodiscard]] Known peek(const program::Expr *expr);
  [[nodiscard]] std::optional<int64_t> number(const program::Expr *expr);
  /// The rank whose memory a view names.
  [[nodiscard]] std::optional<int64_t> rankOf(const program::Expr *view);
  /// Where a view lies; a variable tells only of signal words, which are few.
  [[nodiscard]] TrialView view(const program::Expr *expr);
  /// Whether the trial has ended before the code did.
  [[nodiscard]] bool isLost() const { return isLost_; }

  const TrialAgent agent;

private:
  enum class Flow : uint8_t { Next, Break, Continue, Return };

  Known value(const program::Expr *expr);
  Known binary(const program::Expr &expr);
  Known unary(const program::Expr &expr);
  Known call(const program::Expr &expr);
  [[nodiscard]] Known world(program::WorldValue which) const;
  Flow body(llvm::ArrayRef<program::Stmt *> statements);
  Flow statement(const program::Stmt &stmt);
  Flow branch(const program::Stmt &stmt);
  Flow whileLoop(const program::Stmt &stmt);
  Flow forLoop(const program::Stmt &stmt);
  void define(const program::Stmt &stmt);
  void passOver(llvm::ArrayRef<program::Stmt *> statements, bool isLoop);
  [[nodiscard]] TrialView objectView(const program::Object &object) const;
  [[nodiscard]] TrialView partOf(const program::Expr &expr);
  [[nodiscard]] Known extent(const program::Expr &expr);

  const program::Program &program_;
  TrialObserver &observer_;
  uint64_t budget_; ///< Expressions and statements that may still be looked at.
  bool isLost_ = false;
  bool isQuiet_ = false;
  Known result_;
  llvm::DenseMap<const program::Variable *, Known> values_;
  llvm::DenseMap<const program::Variable *, std::optional<int64_t>> ranks_; ///< Of views.
  llvm::DenseMap<const program::Variable *, TrialView> views_;              ///< Of signal words.
};

} // namespace pto::check_detail

#endif
