//===- synchronisation.cpp - flags, waits, valid regions, sessions in use -------------===//

#include "check/body.h"

#include "target/platform.h"

namespace pto::check_detail {

void Body::checkSynchronisation(Expr *call) {
  const IntrinsicInfo &row = info(call->intrinsic);
  for (size_t i = 0; i != row.params.size(); ++i) {
    if (!call->ops[i])
      continue;
    if (row.params[i].kind == ParamKind::Session)
      checkSessionUse(call, call->ops[i]);
  }
  if (call->intrinsic == Intrinsic::SetFlag || call->intrinsic == Intrinsic::WaitFlag)
    checkFlag(call);
  if (call->intrinsic == Intrinsic::SetValid)
    checkSetValid(call);
  if (call->intrinsic == Intrinsic::Twait || call->intrinsic == Intrinsic::Ttest)
    checkEmptyWait(call);
}

void Body::checkFlag(const Expr *call) {
  llvm::StringRef instruction = info(call->intrinsic).name;
  auto from = Pipe(call->ops[0]->bits), to = Pipe(call->ops[1]->bits);
  if (from == Pipe::ALL || to == Pipe::ALL || from == to)
    sink_.report<Rule::WrongArguments>(
        call->range, "`" + instruction.str() + "` takes two different pipes of S, V, MTE2, MTE3; " +
                         "one pipe works in order by itself, and `pipe_barrier(ALL)` drains all");
  std::optional<int64_t> id = call->ops[2]->value.constant();
  if (id && (*id < 0 || *id >= limit(Limit::EventIds)))
    sink_.report<Rule::EventIdOutOfRange>(call->ops[2]->range, instruction, *id,
                                          limit(Limit::EventIds) - 1);
}

/// The region belongs to the name, so the name has to be the one that was declared.
void Body::checkSetValid(const Expr *call) {
  const Expr *tile = call->ops[0];
  const Variable *variable = tile->kind == ExprKind::Variable ? tile->variable : nullptr;
  std::string shown = "`" + checker_.sources.text(tile->range).str() + "`";
  if (!variable || variable->isParam) {
    sink_.report<Rule::ValidFixed>(
        tile->range, shown + (variable ? ", a parameter: the caller's tile would keep its region"
                                       : ", which is no name of a tile"));
    return;
  }
  if (!variable->hasValid) {
    Finding &finding =
        sink_.report<Rule::ValidFixed>(tile->range, shown + ", which is declared without `valid`");
    sink_.note(finding, variable->range, "declared here");
    return;
  }
  Expr *const sizes[] = {call->ops[1], call->ops[2]};
  std::optional<int64_t> rows = variable->facts.shape[0].constant(),
                         cols = variable->facts.shape[1].constant();
  if (rows && cols)
    checkValid(sizes, *rows, *cols, call->range);
}

void Body::checkEmptyWait(const Expr *call) {
  std::optional<Affine> words = call->ops[0]->facts->elements();
  if (words && words->is(0))
    sink_.report<Rule::EmptyWait>(call->ops[0]->range, info(call->intrinsic).name);
}

/// The bytes of an object, where no size of it depends on the number of ranks.
static std::optional<int64_t> fixedBytes(const Object &object) {
  int64_t bytes = info(object.type.scalar).bytes();
  for (const ObjectExtent &extent : object.shape) {
    if (extent.perRank != 0 || __builtin_mul_overflow(bytes, extent.fixed, &bytes))
      return std::nullopt;
  }
  return bytes;
}

/// What a post through the session does not say itself: its offset moves both sides, and URMA and
/// RDMA have no queue to the own rank.
void Body::checkSessionUse(const Expr *call, const Expr *session) {
  const IntrinsicInfo &row = info(call->intrinsic);
  int dst = row.param("dst"), src = row.param("src");
  if (dst < 0 || src < 0)
    return;
  const Affine own = Affine::symbol(symbols.get("world rank"));
  int64_t moves = session->variable ? session->variable->sessionOffset : -1;
  std::optional<Affine> elements = call->ops[size_t(src)]->facts->elements();
  std::optional<int64_t> count = elements ? elements->constant() : std::nullopt;
  for (int side : {dst, src}) {
    const Expr *view = call->ops[size_t(side)];
    const ViewFacts &facts = *view->facts;
    std::optional<Affine> apart = facts.peer ? facts.peer->minus(own) : std::nullopt;
    if (session->type.engine != DmaEngine::SDMA && apart && apart->is(0))
      sink_.report<Rule::PeerIsSelf>(view->range, name(session->type.engine), "`rank`");
    std::optional<int64_t> first = facts.offset.constant();
    if (facts.object == ViewFacts::kNoObject || !first || !count || moves <= 0)
      continue;
    const Object &object = program_.objects[size_t(facts.object)];
    std::optional<int64_t> room = fixedBytes(object);
    int64_t end = (*first + *count) * info(object.type.scalar).bytes() + moves;
    if (!room || end <= *room)
      continue;
    Finding &finding = sink_.report<Rule::SessionOffsetOutOfRange>(
        view->range, "with the session's offset of " + std::to_string(moves) + " bytes `" +
                         row.params[size_t(side)].name.str() + "` ends at byte " +
                         std::to_string(end) + " of `" + object.name + "`, which has " +
                         std::to_string(*room));
    sink_.note(finding, session->variable->range, "the session is built here");
    return;
  }
}

} // namespace pto::check_detail
