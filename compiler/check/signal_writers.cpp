#include "check/signal_writers.h"

namespace pto::check_detail {

using namespace program;

SignalWriters::SignalWriters(const Program &program, const Function &entry, const Stmt &launch,
                             bool isAlone)
    : program_(program), launch_(launch) {
  function(entry);
  if (isAlone || !launch.function)
    return;
  // The other ranks run the kernel too.
  isOwnKernel_ = true;
  seen_.clear();
  function(*launch.function);
}

std::pair<int64_t, int64_t> SignalWriters::start(int32_t object) const {
  const Object &of = program_.objects[size_t(object)];
  int64_t init = of.hasInit ? int32_t(uint32_t(of.init)) : 0;
  auto filled = starts_.find(object);
  if (filled == starts_.end())
    return {init, init};
  return {std::min(init, filled->second.first), std::max(init, filled->second.second)};
}

void SignalWriters::write(int32_t object) {
  if (object == ViewFacts::kNoObject)
    writesAny_ = true;
  else
    written_.insert(object);
}

void SignalWriters::function(const Function &function) {
  if (seen_.insert(&function).second)
    statements(function.body);
}

/// A number that is known is one more number to begin with, whenever it is written.
void SignalWriters::fill(const Stmt &stmt) {
  if (!stmt.value || !stmt.value->facts || !stmt.value->type.isSignal)
    return;
  int32_t object = stmt.value->facts->object;
  const Expr *number = stmt.ops[0];
  std::optional<int64_t> value = number->kind == ExprKind::Constant
                                     ? std::optional<int64_t>(int32_t(uint32_t(number->bits)))
                                     : number->value.constant();
  if (!value || object == ViewFacts::kNoObject)
    return write(object);
  auto [range, isNew] = starts_.try_emplace(object, *value, *value);
  range->second = {std::min(range->second.first, *value), std::max(range->second.second, *value)};
}

void SignalWriters::statements(llvm::ArrayRef<Stmt *> body) {
  for (const Stmt *stmt : body) {
    if (stmt->kind == StmtKind::Fill)
      fill(*stmt);
    else if (stmt->kind == StmtKind::FillFile)
      write(int32_t(stmt->number));
    else if (stmt->kind == StmtKind::Launch && stmt->function && stmt != &launch_)
      function(*stmt->function);
    for (const Expr *part :
         {static_cast<const Expr *>(stmt->value), static_cast<const Expr *>(stmt->where),
          static_cast<const Expr *>(stmt->blocks), static_cast<const Expr *>(stmt->stream)})
      expression(part);
    for (const Expr *op : stmt->ops)
      expression(op);
    statements(stmt->body);
    statements(stmt->otherwise);
  }
}

/// Whether a view is surely of the own rank, though it is written with an `@`.
static bool isOwn(const Expr &view) {
  if (view.type.locality == Locality::Gm)
    return true;
  if (view.kind == ExprKind::Peer)
    return view.ops[1]->kind == ExprKind::World &&
           WorldValue(view.ops[1]->number) == WorldValue::Rank;
  bool isPart = view.kind == ExprKind::Index || view.kind == ExprKind::Slice ||
                view.kind == ExprKind::Reshape || view.kind == ExprKind::Strided;
  return isPart && isOwn(*view.ops[0]);
}

void SignalWriters::expression(const Expr *expr) {
  if (!expr)
    return;
  if (expr->kind == ExprKind::Call && expr->function)
    function(*expr->function);
  for (const Expr *op : expr->ops)
    expression(op);
  if (expr->kind != ExprKind::Intrinsic)
    return;
  const IntrinsicInfo &row = info(expr->intrinsic);
  for (size_t i = 0; i != row.params.size(); ++i) {
    const Expr *op = expr->ops[i];
    bool writes = row.params[i].access == Access::Write || row.params[i].access == Access::Both ||
                  row.params[i].access == Access::Update;
    if (op && op->facts && writes && op->type.isSignal && !(isOwnKernel_ && isOwn(*op)))
      write(op->facts->object);
  }
}

} // namespace pto::check_detail
