#include "mutate/mutate.h"

#include "base/check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace pto {

namespace mutate_detail {

using namespace program;

namespace {
enum class At : uint8_t { Statement, Call };
enum class Change : uint8_t { Drop, Less, One, AtLeast, Silent };

struct MutationRow {
  At at;
  Intrinsic intrinsic;
  Change change;
  llvm::StringLiteral text;
};

constexpr MutationRow kRows[] = {
#define PTO_MUTATION(Enum, Place, Operation, What, Text)                                           \
  {At::Place, Intrinsic::Operation, Change::What, Text},
#include "mutate/mutation.def"
};

/// Walks a program and says of every place what could be done there; where that is what is wanted,
/// it is done.
class Mutator {
public:
  Mutator(Program &program, const Mutant *wanted) : program_(program), wanted_(wanted) {}

  void walk() {
    for (const auto &function : program_.functions)
      function->body = statements(function->body);
  }
  std::vector<Mutant> found;

private:
  llvm::ArrayRef<Stmt *> statements(llvm::ArrayRef<Stmt *> body) {
    llvm::SmallVector<Stmt *, 8> kept;
    bool isChanged = false;
    for (Stmt *stmt : body) {
      stmt->body = statements(stmt->body);
      stmt->otherwise = statements(stmt->otherwise);
      if (isDropped(*stmt))
        isChanged = true;
      else
        kept.push_back(stmt);
    }
    return isChanged ? program_.copy(llvm::ArrayRef<Stmt *>(kept)) : body;
  }

  /// Whether a mutant is this change here; notes that it is possible.
  bool isWanted(Mutation mutation, SourceRange at) {
    Mutant mutant{mutation, at};
    if (!wanted_ && !llvm::is_contained(found, mutant))
      found.push_back(mutant);
    return wanted_ && *wanted_ == mutant;
  }

  bool isDropped(Stmt &stmt) {
    if (stmt.kind == StmtKind::After)
      return isWanted(Mutation::DropAfter, stmt.range);
    if (stmt.kind == StmtKind::Sync)
      return isWanted(Mutation::DropSync, stmt.range);
    bool isOperation = stmt.kind == StmtKind::Evaluate && stmt.value->kind == ExprKind::Intrinsic;
    bool isGone = isOperation && changeStatement(stmt);
    if (!isGone)
      changeCalls(stmt);
    return isGone;
  }

  /// What can be done to an operation whose result nobody takes; true if it goes.
  bool changeStatement(Stmt &stmt) {
    for (size_t i = 0; i != std::size(kRows); ++i) {
      const MutationRow &row = kRows[i];
      if (row.at != At::Statement || row.intrinsic != stmt.value->intrinsic)
        continue;
      if (!canChange(row.change, *stmt.value) || !isWanted(Mutation(i), stmt.range))
        continue;
      if (row.change != Change::Drop) {
        change(row.change, *stmt.value);
        return false;
      }
      // `wait(tput_async(...))` posts all the same.
      if (row.intrinsic != Intrinsic::Wait || stmt.value->ops[0]->kind != ExprKind::Intrinsic)
        return true;
      stmt.value = stmt.value->ops[0];
      return false;
    }
    return false;
  }

  void changeCalls(Stmt &stmt) {
    if (stmt.value)
      changeCalls(*stmt.value);
    for (Expr *op : stmt.ops)
      if (op)
        changeCalls(*op);
  }

  void changeCalls(Expr &expr) {
    for (Expr *op : expr.ops)
      if (op)
        changeCalls(*op);
    for (size_t i = 0; expr.kind == ExprKind::Intrinsic && i != std::size(kRows); ++i)
      if (kRows[i].at == At::Call && kRows[i].intrinsic == expr.intrinsic &&
          canChange(kRows[i].change, expr) && isWanted(Mutation(i), expr.range))
        change(kRows[i].change, expr);
  }

  static unsigned parameter(const Expr &call, llvm::StringRef name) {
    int at = info(call.intrinsic).param(name);
    PTO_CHECK(at >= 0, "a mutation of a parameter that the operation does not have");
    return unsigned(at);
  }

  static bool canChange(Change change, const Expr &call) {
    switch (change) {
    case Change::Drop:
    case Change::Less:
    case Change::Silent:
      return true;
    case Change::One:
      return call.ops[parameter(call, "value")]->kind != ExprKind::Constant;
    case Change::AtLeast:
      return WaitCmp(call.ops[parameter(call, "cmp")]->bits) == WaitCmp::EQ;
    }
    return false;
  }

  Expr *constant(const Expr &like, ScalarBits bits) {
    Expr *made = program_.make<Expr>();
    made->kind = ExprKind::Constant;
    made->type = like.type;
    made->range = like.range;
    made->bits = bits;
    return made;
  }

  /// The parameter `name` of a call becomes another expression.
  void replace(Expr &call, llvm::StringRef name, Expr *by) {
    llvm::SmallVector<Expr *, 8> ops(call.ops.begin(), call.ops.end());
    ops[parameter(call, name)] = by;
    call.ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  }

  void change(Change change, Expr &call) {
    switch (change) {
    case Change::Less: {
      Expr *value = call.ops[parameter(call, "value")];
      Expr *less = program_.make<Expr>(*value);
      less->kind = ExprKind::Binary;
      less->number = uint32_t(BinaryOp::Subtract);
      Expr *ops[] = {value, constant(*value, 1)};
      less->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
      return replace(call, "value", less);
    }
    case Change::One:
      return replace(call, "value", constant(*call.ops[parameter(call, "value")], 1));
    case Change::AtLeast: {
      const Expr *cmp = call.ops[parameter(call, "cmp")];
      Expr *other = program_.make<Expr>(*cmp);
      other->bits = uint64_t(WaitCmp::GE);
      return replace(call, "cmp", other);
    }
    case Change::Silent: {
      Expr *ops[] = {call.ops[parameter(call, "dst")], call.ops[parameter(call, "src")],
                     call.ops[parameter(call, "s")]};
      call.intrinsic = Intrinsic::TputAsync;
      call.ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
      call.plants = {}; // They were about the signal too.
      return;
    }
    case Change::Drop:
      break;
    }
    PTO_UNREACHABLE("only a statement is dropped");
  }

  Program &program_;
  const Mutant *wanted_;
};
} // namespace

} // namespace mutate_detail

llvm::StringRef text(Mutation mutation) {
  constexpr size_t kRowCount = std::size(mutate_detail::kRows);
  if (size_t(mutation) < kRowCount)
    return mutate_detail::kRows[size_t(mutation)].text;
  return mutation == Mutation::DropAfter ? "`after` is gone" : "no `sync`";
}

std::vector<Mutant> mutantsOf(const program::Program &program) {
  // Nothing is wanted, so nothing changes.
  mutate_detail::Mutator mutator(const_cast<program::Program &>(program), nullptr);
  mutator.walk();
  return std::move(mutator.found);
}

void mutate(program::Program &program, const Mutant &mutant) {
  mutate_detail::Mutator(program, &mutant).walk();
}

} // namespace pto
