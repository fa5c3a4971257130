#include "sync/sync.h"

#include "base/check.h"
#include "sync/needs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace pto {

namespace sync_detail {

using namespace program;

namespace {

using Statements = llvm::SmallVector<Stmt *, 4>;
using Needs = llvm::SmallVector<Need, 4>;

/// Writes statements in front of others.
class Inserter {
public:
  explicit Inserter(Program &program) : program_(program) {}

  /// A condition that is evaluated before a loop and in it needs the same twice, at one place.
  void add(const Need &need) {
    Needs &had = needs_[need.before];
    auto isSame = [&](const Need &other) {
      return other.kind == need.kind && other.pipe == need.pipe && other.view == need.view;
    };
    if (llvm::any_of(had, isSame))
      return;
    had.push_back(need);
    before_[need.before].push_back(statementFor(need));
  }

  llvm::ArrayRef<Stmt *> rewrite(llvm::ArrayRef<Stmt *> body) {
    Statements out;
    for (Stmt *stmt : body) {
      auto found = before_.find(stmt);
      bool isHere = found != before_.end();
      if (isHere)
        out.append(found->second.begin(), found->second.end());
      out.push_back(stmt);
      stmt->body = rewrite(stmt->body);
      stmt->otherwise = rewrite(stmt->otherwise);
      // The condition of a loop is evaluated again at the end of each turn.
      if (isHere && stmt->kind == StmtKind::While && stmt->value) {
        Statements turn(stmt->body.begin(), stmt->body.end());
        turn.append(found->second.begin(), found->second.end());
        stmt->body = program_.copy(llvm::ArrayRef<Stmt *>(turn));
      }
    }
    return program_.copy(llvm::ArrayRef<Stmt *>(out));
  }

private:
  Expr *pipe(Pipe which, SourceRange at) {
    Expr *expr = program_.make<Expr>();
    expr->kind = ExprKind::EnumValue;
    expr->type = Type{TypeKind::Enum};
    expr->type.isaEnum = IsaEnum::Pipe;
    expr->range = at;
    expr->bits = uint64_t(which);
    return expr;
  }

  Stmt *call(Intrinsic intrinsic, llvm::ArrayRef<Expr *> ops, SourceRange at) {
    Expr *expr = program_.make<Expr>();
    expr->kind = ExprKind::Intrinsic;
    expr->type = Type::none();
    expr->range = at;
    expr->intrinsic = intrinsic;
    expr->ops = program_.copy(ops);
    Stmt *stmt = program_.make<Stmt>();
    stmt->kind = StmtKind::Evaluate;
    stmt->range = at;
    stmt->value = expr;
    stmt->isInserted = true;
    return stmt;
  }

  Stmt *statementFor(const Need &need) {
    switch (need.kind) {
    case NeedKind::Barrier:
      return call(Intrinsic::PipeBarrier, {pipe(need.pipe, need.at)}, need.at);
    case NeedKind::Fence:
      return call(Intrinsic::Dsb, {}, need.at);
    case NeedKind::Invalidate:
      return call(Intrinsic::Dcci, {const_cast<Expr *>(need.view)}, need.at);
    }
    PTO_UNREACHABLE("kind of need");
  }

  Program &program_;
  llvm::DenseMap<const Stmt *, Statements> before_; ///< Looked up, never walked, like the next.
  llvm::DenseMap<const Stmt *, Needs> needs_;
};

} // namespace

/// Mends one kernel; each round may show what an earlier one hid.
static void mend(Program &program, Function &kernel) {
  static constexpr unsigned kMaxRounds = 8;
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    Graph graph = build(kernel);
    std::vector<Need> needs = graph.isComplete ? needsOf(graph) : std::vector<Need>();
    if (needs.empty())
      return;
    Inserter inserter(program);
    for (const Need &need : needs)
      inserter.add(need);
    llvm::DenseSet<const Function *> done;
    for (const Frame &frame : graph.frames)
      if (done.insert(frame.function).second) {
        auto *function = const_cast<Function *>(frame.function);
        function->body = inserter.rewrite(function->body);
      }
  }
}

} // namespace sync_detail

void insertSync(program::Program &program) {
  for (const auto &function : program.functions)
    if (function->isSyncAuto)
      sync_detail::mend(program, *function);
}

} // namespace pto
