#include "sync/sites.h"

#include "base/inner_flag.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::sync_detail {

using program::StmtKind;

//===--- Ids ---===//

FlagIds::FlagIds(const Graph &graph) {
  for (const Block &block : graph.blocks)
    for (const Step &step : block.steps) {
      if (step.is(Intrinsic::SetFlag) || step.is(Intrinsic::WaitFlag))
        forbid(step.operand("id"));
      else if (step.kind == StepKind::Session && step.expr->ops.size() > 1 && step.expr->ops[1])
        forbid(step.expr->ops[1]); // Its sync_id.
    }
  for (size_t id = 0; id != firstFreeFlagId(); ++id)
    forbidden_.set(id);
}

void FlagIds::forbid(const Expr *id) {
  std::optional<int64_t> known = id ? id->value.constant() : std::nullopt;
  if (known && *known >= 0 && *known < int64_t(PipeOrder::kFlagIds))
    forbidden_.set(size_t(*known));
  else
    isKnown_ = false;
}

std::optional<size_t> FlagIds::take(Flag flag, const Places &places) {
  auto isSame = [&](const Flag &other) {
    return other.from == flag.from && other.to == flag.to && other.id == flag.id;
  };
  for (bool again : {false, true}) // A fresh one first: it is surely down.
    for (flag.id = 0; isKnown_ && flag.id != PipeOrder::kFlagIds; ++flag.id) {
      bool isFree = llvm::none_of(taken_, [&](const Flag &other) {
        return isSame(other) && (!again || places.overlap(flag, other));
      });
      if (forbidden_.test(flag.id) || !isFree)
        continue;
      taken_.push_back(flag);
      return flag.id;
    }
  return std::nullopt;
}

//===--- Places ---===//

Places::Places(const Function &kernel) { body(kernel.body, nullptr); }

void Places::body(llvm::ArrayRef<Stmt *> statements, const Stmt *parent) {
  for (size_t i = 0; i != statements.size(); ++i) {
    const Stmt *stmt = statements[i];
    size_t begin = ++now_;
    body(stmt->body, stmt);
    body(stmt->otherwise, stmt);
    places_[stmt] = {statements, i, parent, begin, ++now_};
  }
}

const Places::Place *Places::place(const Stmt *stmt) const {
  auto found = places_.find(stmt);
  return found == places_.end() ? nullptr : &found->second;
}

/// The statement itself, or the one around it, that stands in a list.
const Stmt *Places::ancestorIn(const Place &list, const Stmt *stmt) const {
  for (const Place *at = place(stmt); at; at = place(stmt)) {
    if (at->body.data() == list.body.data())
      return stmt;
    stmt = at->parent;
  }
  return nullptr;
}

/// Whether a statement may lead out of the list that it stands in.
static bool mayLeave(const Stmt &stmt, bool isInLoop) {
  if (stmt.kind == StmtKind::Return)
    return true;
  if (stmt.kind == StmtKind::Break || stmt.kind == StmtKind::Continue)
    return !isInLoop;
  if (stmt.kind == StmtKind::Define && !stmt.otherwise.empty())
    return true; // The block of a session that cannot be built.
  isInLoop |= stmt.kind == StmtKind::For || stmt.kind == StmtKind::While;
  auto leaves = [&](const Stmt *inner) { return mayLeave(*inner, isInLoop); };
  return llvm::any_of(stmt.body, leaves) || llvm::any_of(stmt.otherwise, leaves);
}

std::optional<Flag> Places::siteOf(const Step &producer, const Step &consumer) const {
  if (producer.frame != 0 || consumer.frame != 0)
    return std::nullopt; // A function is the same text for all its callers.
  for (const Stmt *before = consumer.stmt; const Place *to = place(before); before = to->parent) {
    const Stmt *after = ancestorIn(*to, producer.stmt);
    const Place *from = after ? place(after) : nullptr;
    if (!from)
      continue;
    if (from->index >= to->index)
      return std::nullopt; // Round a loop.
    for (size_t i = from->index + 1; i != to->index; ++i)
      if (mayLeave(*to->body[i], false))
        return std::nullopt;
    Flag flag;
    flag.after = after;
    flag.before = before;
    return flag;
  }
  return std::nullopt;
}

bool Places::overlap(const Flag &a, const Flag &b) const {
  const Place *fromA = place(a.after), *toA = place(a.before), *fromB = place(b.after),
              *toB = place(b.before);
  if (!fromA || !toA || !fromB || !toB)
    return true;
  return toA->begin > fromB->end && toB->begin > fromA->end;
}

} // namespace pto::sync_detail
