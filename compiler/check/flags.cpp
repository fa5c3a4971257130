// Flags: whether the other half of every set_flag and wait_flag of a kernel is there at all. In
// which order they come is for the run to see.

#include "check/kernels.h"

#include "program/walk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace pto::check_detail {

using namespace program;

namespace {
/// One set_flag or wait_flag of a kernel.
struct FlagUse {
  const Expr *call;
  Pipe from, to;
  std::optional<int64_t> id; ///< Absent: known in the run only.

  [[nodiscard]] bool mayMeet(const FlagUse &other) const {
    return from == other.from && to == other.to && (!id || !other.id || *id == *other.id);
  }
};
} // namespace

/// "MTE2 to MTE3, id 0"
static std::string flagText(const FlagUse &use) {
  return (name(use.from) + " to " + name(use.to) + ", id " +
          (use.id ? std::to_string(*use.id) : "?"))
      .str();
}

/// The function and all that it calls.
static llvm::SetVector<const Function *> reachedFrom(const Function *root) {
  llvm::SetVector<const Function *> reached;
  reached.insert(root);
  for (size_t i = 0; i != reached.size(); ++i)
    walk(
        *reached[i],
        [&](const Expr &expr) {
          if (expr.kind == ExprKind::Call && expr.function)
            reached.insert(expr.function);
        },
        [](const Stmt &) {});
  return reached;
}

static std::vector<FlagUse> usesOf(const Function &kernel, Intrinsic which) {
  std::vector<FlagUse> uses;
  for (const Function *function : reachedFrom(&kernel))
    walk(
        *function,
        [&](const Expr &expr) {
          if (expr.kind == ExprKind::Intrinsic && expr.intrinsic == which)
            uses.push_back({&expr, Pipe(expr.ops[0]->bits), Pipe(expr.ops[1]->bits),
                            expr.ops[2]->value.constant()});
        },
        [](const Stmt &) {});
  return uses;
}

static void checkKernelFlags(const Function &kernel, Sink &sink) {
  std::vector<FlagUse> sets = usesOf(kernel, Intrinsic::SetFlag),
                       waits = usesOf(kernel, Intrinsic::WaitFlag);
  for (const FlagUse &wait : waits)
    if (llvm::none_of(sets, [&](const FlagUse &set) { return set.mayMeet(wait); }))
      sink.report<Rule::FlagNotSet>(wait.call->range, kernel.name, flagText(wait));
  for (const FlagUse &set : sets)
    if (llvm::none_of(waits, [&](const FlagUse &wait) { return wait.mayMeet(set); }))
      sink.report<Rule::FlagNotAwaited>(set.call->range, flagText(set));
}

void checkFlags(const Program &program, Sink &sink) {
  for (const auto &function : program.functions)
    if (function->kind == FunctionKind::Kernel)
      checkKernelFlags(*function, sink);
}

} // namespace pto::check_detail
