//===- lint_values.cpp - advice on results: sums of floats, waits that may fail ----===//

#include "flow/lint.h"

#include "diag/fix.h"

#include <cmath>

namespace pto::flow_detail {

using program::ExprKind;
using program::StmtKind;

namespace {

/// Calls `visit(stmt)` for a body and all that it contains.
template <typename Visit> void forEachStmt(llvm::ArrayRef<Stmt *> body, Visit visit) {
  for (const Stmt *stmt : body) {
    visit(*stmt);
    forEachStmt(stmt->body, visit);
    forEachStmt(stmt->otherwise, visit);
  }
}

/// Calls `visit(expr)` for an expression and all that it contains.
template <typename Visit> void forEachExpr(const Expr *expr, Visit visit) {
  if (!expr)
    return;
  visit(*expr);
  for (const Expr *op : expr->ops)
    forEachExpr(op, visit);
}

//===--- A wait whose result nobody reads ---===//

/// Offers to write the value of a `let` alone, as a statement.
static void dropName(const Context &context, const Stmt &define, Finding &finding) {
  SourceRange name = {define.range.file, define.range.begin, define.value->range.begin};
  name.end -=
      uint32_t(context.sources.text(name).size() - context.sources.text(name).rtrim().size());
  if (!define.variable->isMutable && context.sources.text(name).ends_with("="))
    fixRemove(context.sources, finding, name);
}

void adviseOfResults(const program::Function &function, Context &context) {
  llvm::DenseSet<const Variable *> isRead;
  forEachStmt(function.body, [&](const Stmt &stmt) {
    auto note = [&](const Expr &expr) {
      if (expr.kind == ExprKind::Variable)
        isRead.insert(expr.variable);
    };
    for (const Expr *expr : {(const Expr *)stmt.value, (const Expr *)stmt.where,
                             (const Expr *)stmt.blocks, (const Expr *)stmt.stream})
      forEachExpr(expr, note);
    for (const Expr *op : stmt.ops)
      forEachExpr(op, note);
  });
  forEachStmt(function.body, [&](const Stmt &stmt) {
    if (stmt.kind == StmtKind::Define && stmt.variable && stmt.value &&
        stmt.value->kind == ExprKind::Intrinsic && stmt.value->intrinsic == Intrinsic::Wait &&
        !isRead.contains(stmt.variable))
      dropName(context, stmt,
               context.sink.report<Rule::WaitResultUnused>(stmt.value->range, stmt.variable->name));
  });
}

//===--- Sums of floats that must be equal ---===//

/// Integers that a float holds have one sum, whatever the order.
bool isOfIntegers(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Constant: {
    double value = toDouble(expr.type.scalar, expr.bits);
    return std::trunc(value) == value;
  }
  case ExprKind::Convert:
    return expr.ops[0]->type.isInteger() || isOfIntegers(*expr.ops[0]);
  case ExprKind::Unary:
    return isOfIntegers(*expr.ops[0]);
  case ExprKind::Binary:
    return BinaryOp(expr.number) != BinaryOp::Divide && isOfIntegers(*expr.ops[0]) &&
           isOfIntegers(*expr.ops[1]);
  default:
    return false;
  }
}

/// Where kernels sum in an order that the run decides, or in another than that of a plain loop.
llvm::DenseMap<int32_t, const Step *> findSums(const Lint &lint) {
  llvm::DenseMap<int32_t, const Step *> sums;
  const Graph *graph = nullptr;
  bool storesAdd = false; // Between `set_atomic_add` and `set_atomic_none`, as they are written.
  lint.forEachStep([&](At at) {
    storesAdd &= graph == at.graph;
    graph = at.graph;
    if (at.step->kind != StepKind::Instruction)
      return;
    if (at.step->is(Intrinsic::SetAtomicAdd) || at.step->is(Intrinsic::SetAtomicNone))
      storesAdd = at.step->is(Intrinsic::SetAtomicAdd);
    const Expr *atomic = at.step->operand("atomic"), *amo = at.step->operand("op");
    PipeUse pipe = info(at.step->expr->intrinsic).pipe;
    bool isStore = pipe == PipeUse::Store || at.step->is(Intrinsic::MtePut);
    bool isAmo = at.step->is(Intrinsic::Amo) || at.step->is(Intrinsic::EngineAmo);
    bool adds = isAmo     ? AmoOp(amo->bits) == AmoOp::Add
                : atomic  ? AtomicType(atomic->bits) == AtomicType::AtomicAdd
                : isStore ? storesAdd
                          : pipe == PipeUse::Reduce;
    if (!adds)
      return;
    for (const Touch &touch : touchesOf(*at.graph, *at.step))
      if (touch.writes && touch.region.space != Space::Tile && touch.region.object >= 0)
        sums.try_emplace(touch.region.object, at.step);
  });
  return sums;
}

} // namespace

void adviseSums(const Lint &lint) {
  llvm::DenseMap<int32_t, const Step *> sums = findSums(lint);
  if (sums.empty())
    return;
  for (const auto &function : lint.context.program.functions)
    forEachStmt(function->body, [&](const Stmt &stmt) {
      const Expr *got = stmt.value;
      if (stmt.kind != StmtKind::Expect ||
          program::ExpectOp(stmt.number) != program::ExpectOp::Equal || !got ||
          got->kind != ExprKind::Intrinsic || got->intrinsic != Intrinsic::Load ||
          !info(got->type.scalar).isFloat() || !got->ops[0]->facts || isOfIntegers(*stmt.ops[0]))
        return;
      auto sum = sums.find(got->ops[0]->facts->object);
      if (sum == sums.end())
        return;
      Finding &finding = lint.context.sink.report<Rule::ExactFloatSum>(
          stmt.range, lint.context.program.objects[size_t(sum->first)].name);
      lint.context.sink.note(finding, sum->second->range(), "summed here");
    });
}

void adviseResults(Context &context) {
  for (const auto &function : context.program.functions)
    adviseOfResults(*function, context);
}

} // namespace pto::flow_detail
