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

/// Writes statements in front of others, and flags behind some and in front of others.
class Inserter {
public:
  explicit Inserter(Program &program) : program_(program) {}

  /// Another round.
  void begin() {
    needs_.clear();
    for (auto *statements : {&before_, &raised_, &taken_})
      statements->clear();
  }

  /// A condition that is evaluated before a loop and in it needs the same twice, at one place.
  void add(const Need &need) {
    Needs &had = needs_[need.before];
    auto isSame = [&](const Need &other) {
      return other.kind == need.kind && other.pipe == need.pipe && other.view == need.view &&
             other.flag.from == need.flag.from && other.flag.to == need.flag.to;
    };
    if (llvm::any_of(had, isSame))
      return;
    had.push_back(need);
    if (need.kind != NeedKind::Flag) {
      before_[need.before].push_back(statementFor(need));
      return;
    }
    Stmt *raise = flagHalf(Intrinsic::SetFlag, need.flag, need.raisedAt);
    Stmt *take = flagHalf(Intrinsic::WaitFlag, need.flag, need.at);
    raised_[need.flag.after].push_back(raise);
    taken_[need.before].push_back(take);
    takeOf_[raise] = take;
  }

  /// Puts a barrier in the place of a flag of the compiler's.
  void demote(const Stmt *raise) {
    Stmt *take = takeOf_.lookup(raise);
    Pipe from = Pipe(raise->value->ops[0]->bits);
    take->value = call(Intrinsic::PipeBarrier, {pipe(from, take->range)}, take->range)->value;
    dropped_.insert(raise);
  }

  llvm::ArrayRef<Stmt *> rewrite(llvm::ArrayRef<Stmt *> body) {
    Statements out;
    for (Stmt *stmt : body) {
      if (dropped_.contains(stmt))
        continue;
      auto found = before_.find(stmt);
      bool isHere = found != before_.end();
      out.append(taken_[stmt]);
      if (isHere)
        out.append(found->second.begin(), found->second.end());
      out.push_back(stmt);
      out.append(raised_[stmt]);
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

  Stmt *flagHalf(Intrinsic half, const Flag &flag, SourceRange at) {
    Expr *id = program_.make<Expr>();
    id->kind = ExprKind::Constant;
    id->type = Type::of(ScalarType::I32);
    id->range = at;
    id->bits = flag.id;
    id->value = Affine(int64_t(flag.id));
    return call(half, {pipe(flag.from, at), pipe(flag.to, at), id}, at);
  }

  Stmt *statementFor(const Need &need) {
    switch (need.kind) {
    case NeedKind::Barrier:
      return call(Intrinsic::PipeBarrier, {pipe(need.pipe, need.at)}, need.at);
    case NeedKind::Flag:
      break;
    case NeedKind::Fence:
      return call(Intrinsic::Dsb, {}, need.at);
    case NeedKind::Invalidate:
      return call(Intrinsic::Dcci, {const_cast<Expr *>(need.view)}, need.at);
    }
    PTO_UNREACHABLE("kind of need");
  }

  Program &program_;
  llvm::DenseMap<const Stmt *, Statements> before_; ///< Looked up, never walked, like the next.
  llvm::DenseMap<const Stmt *, Statements> raised_, taken_; ///< Halves of flags.
  llvm::DenseSet<const Stmt *> dropped_;
  llvm::DenseMap<const Stmt *, Stmt *> takeOf_; ///< Of every flag of all rounds.
  llvm::DenseMap<const Stmt *, Needs> needs_;
};

} // namespace

/// Writes what was found into the kernel and into the functions that it calls.
static void rewrite(const Graph &graph, Inserter &inserter) {
  llvm::DenseSet<const Function *> done;
  for (const Frame &frame : graph.frames)
    if (done.insert(frame.function).second) {
      auto *function = const_cast<Function *>(frame.function);
      function->body = inserter.rewrite(function->body);
    }
}

/// All flags of the compiler's, where it cannot be told any more whether they are right.
static llvm::SmallVector<const Stmt *, 2> flagsIn(const Graph &graph) {
  llvm::SmallVector<const Stmt *, 2> flags;
  for (const Block &block : graph.blocks)
    for (const Step &step : block.steps)
      if (step.is(Intrinsic::SetFlag) && step.stmt->isInserted)
        flags.push_back(step.stmt);
  return flags;
}

/// Mends one kernel; each round may show what an earlier one hid. The last rounds use no flags, so
/// that what stands at the end has been looked at.
static void mend(Program &program, Function &kernel) {
  static constexpr unsigned kMaxRounds = 12, kMaxRoundsWithFlags = 8;
  std::optional<FlagIds> ids;
  Inserter inserter(program);
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    Graph graph = build(kernel);
    if (!ids)
      ids.emplace(graph);
    bool useFlags = round < kMaxRoundsWithFlags;
    Lacks lacks;
    if (graph.isComplete)
      lacks = lacksOf(graph, useFlags ? &*ids : nullptr);
    if (!lacks.isFollowed)
      lacks.early = flagsIn(graph);
    if (lacks.needs.empty() && lacks.early.empty())
      return;
    inserter.begin();
    for (const Stmt *raise : lacks.early)
      inserter.demote(raise);
    for (const Need &need : lacks.needs)
      inserter.add(need);
    rewrite(graph, inserter);
  }
}

} // namespace sync_detail

void insertSync(program::Program &program) {
  for (const auto &function : program.functions)
    if (function->isSyncAuto)
      sync_detail::mend(program, *function);
}

} // namespace pto
