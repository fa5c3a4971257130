//===- uniform.cpp - what all must do, and what one alone may do ------------------===//
//
// A barrier of blocks is met by all of them or it hangs; a collective is called by its root alone.
// Both are questions of the conditions around a step: do they depend on `block`, on `rank`?
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

using program::ExprKind;
using program::WorldValue;

class UniformFlow {
public:
  UniformFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  void check() {
    for (const Block &block : graph_.blocks)
      for (const Step &step : block.steps) {
        if (step.is(Intrinsic::Syncall))
          checkBarrier(step);
        if (step.operand("g"))
          checkCollective(step);
      }
  }

private:
  /// Whether a value differs from rank to rank (or block to block) for certain: it is computed from
  /// that number, and from nothing that would make it equal again as far as one can see.
  bool reads(const Expr *expr, WorldValue which) const {
    if (!expr)
      return false;
    if (expr->kind == ExprKind::World)
      return WorldValue(expr->number) == which;
    if (expr->kind == ExprKind::Variable) {
      auto value = graph_.values.find(expr->variable);
      return !expr->variable->isMutable && value != graph_.values.end() &&
             reads(value->second, which);
    }
    // What memory or a function makes of the number is not known.
    if (expr->kind == ExprKind::Intrinsic || expr->kind == ExprKind::Call)
      return false;
    return llvm::any_of(expr->ops, [&](const Expr *op) { return reads(op, which); });
  }

  /// Whether a barrier stands in the other branch of a condition too.
  bool hasOtherBranch(const Guard &guard) const {
    for (const Block &block : graph_.blocks)
      for (const Step &step : block.steps)
        for (uint32_t at = step.is(Intrinsic::Syncall) ? step.guard : kNone; at != kNone;
             at = graph_.guards[at].outer)
          if (graph_.guards[at].condition == guard.condition &&
              graph_.guards[at].frame == guard.frame && graph_.guards[at].isTrue != guard.isTrue)
            return true;
    return false;
  }

  void checkBarrier(const Step &step) {
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer) {
      const Guard &guard = graph_.guards[at];
      if (guard.loop || !reads(guard.condition, WorldValue::Block) || hasOtherBranch(guard))
        continue;
      Finding &finding = context_.sink.report<Rule::DivergentBarrier>(
          step.range(), nameOf(step), context_.text(guard.condition));
      context_.sink.note(finding, guard.condition->range, "which blocks come here depends on this");
      return;
    }
  }

  /// Counts the launches of the kernel in a host's code, apart for those under a condition.
  void countLaunches(llvm::ArrayRef<Stmt *> body, bool isConditional, unsigned counts[2]) const {
    for (const Stmt *stmt : body) {
      if (stmt->kind == program::StmtKind::Launch && stmt->function == graph_.kernel)
        ++counts[isConditional];
      bool isBranch = stmt->kind == program::StmtKind::If;
      countLaunches(stmt->body, isConditional || isBranch, counts);
      countLaunches(stmt->otherwise, isConditional || isBranch, counts);
    }
  }

  /// Whether every rank of several launches the kernel: in some entry without a condition, in none
  /// with one.
  bool runsOnAll() const {
    unsigned counts[2] = {0, 0};
    for (const program::Entry &entry : context_.program.entries)
      if (entry.ranks > 1 && entry.expectedViolations.empty())
        countLaunches(entry.function->body, false, counts);
    return counts[0] > 0 && counts[1] == 0;
  }

  void checkCollective(const Step &step) {
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer) {
      // What a condition on data or on a parameter comes to is not known here.
      if (graph_.guards[at].condition)
        return;
    }
    if (runsOnAll())
      context_.sink.report<Rule::CollectiveNotRoot>(step.range(), nameOf(step), "every rank",
                                                    "one of them");
  }

  const Graph &graph_;
  Context &context_;
};

} // namespace

void checkUniform(const Graph &graph, Context &context) { UniformFlow(graph, context).check(); }

} // namespace pto::flow_detail
