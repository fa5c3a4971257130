//===- uniform.cpp - what all must do, and what one alone may do ------------------===//
//
// A barrier of blocks is met by all of them or it hangs; a collective is called by its root alone.
// Both are questions of the conditions around a step: do they depend on `block`, on `rank`?
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"
#include "program/walk.h"

namespace pto::flow_detail {

namespace {

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
      if (guard.loop || !readsWorld(graph_, guard.condition, WorldValue::Block) ||
          hasOtherBranch(guard))
        continue;
      Finding &finding = context_.sink.report<Rule::DivergentBarrier>(
          step.range(), nameOf(step), context_.text(guard.condition));
      context_.sink.note(finding, guard.condition->range, "which blocks come here depends on this");
      return;
    }
  }

  /// Whether every rank of several launches the kernel: in some entry without a condition, in none
  /// with one.
  bool runsOnAll() const {
    bool isLaunched[2] = {};
    for (const program::Entry &entry : context_.program.entries)
      if (entry.ranks > 1 && entry.expectedViolations.empty())
        program::walkStatements(entry.function->body, [&](const Stmt &stmt, bool isConditional) {
          if (stmt.kind == program::StmtKind::Launch && stmt.function == graph_.kernel)
            isLaunched[isConditional] = true;
        });
    return isLaunched[false] && !isLaunched[true];
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
