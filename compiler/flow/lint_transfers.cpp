//===- lint_transfers.cpp - advice on how data is handed to pipes and engines ------===//

#include "flow/lint.h"

#include "target/platform.h"

namespace pto::flow_detail {

namespace {

/// The session that a post uses, if the place where it is built is known.
const Expr *sessionOf(At at) {
  const Expr *made = at.graph->origin(at.step->frame, at.step->operand("s")).expr;
  return made && made->kind == program::ExprKind::Session ? made : nullptr;
}

/// A notify goes through one queue; the other queues of its session lie idle.
void adviseOfQueues(const Lint &lint, At at) {
  const Expr *session = at.step->is(Intrinsic::TputAsyncNotify) ? sessionOf(at) : nullptr;
  const Expr *queues = session && session->ops.size() > 4 ? session->ops[4] : nullptr;
  std::optional<int64_t> count = queues ? queues->value.constant() : std::nullopt;
  if (!count || *count < 2)
    return;
  Origin made = at.graph->origin(at.step->frame, at.step->operand("s"));
  for (const Block &block : at.graph->blocks)
    for (const Step &other : block.steps)
      if ((other.is(Intrinsic::TputAsync) || other.is(Intrinsic::TgetAsync)) &&
          at.graph->origin(other.frame, other.operand("s")) == made)
        return; // They use all queues.
  Finding &finding = lint.context.sink.report<Rule::NotifyUsesOneQueue>(at.step->range(), *count);
  lint.context.sink.note(finding, queues->range, "the session's queues");
}

void adviseOfSplits(const Lint &lint, At at) {
  const Expr *session = at.step->operand("s");
  std::optional<int64_t> bytes = Lint::bytesOf(at.step->operand("src"));
  if (session && session->type.kind == program::TypeKind::Session &&
      session->type.engine == DmaEngine::URMA && bytes && *bytes > limit(Limit::UrmaMaxWqeBytes))
    lint.context.sink.report<Rule::UrmaSplits>(at.step->range(), Lint::size(*bytes));
}

/// Descriptors that are smaller than what they cost.
void adviseOfBlocks(const Lint &lint, At at) {
  const Expr *bytes = at.step->expr->ops.size() > 2 ? at.step->expr->ops[2] : nullptr;
  std::optional<int64_t> known = bytes ? bytes->value.constant() : std::nullopt;
  int64_t least = limit(Limit::SdmaLeastBlockBytes);
  if (known && *known > 0 && *known < least)
    lint.context.sink.report<Rule::SmallBlock>(bytes->range, *known, least);
}

/// A part of an object that begins between two units of 32 bytes.
void adviseOfAlignment(const Lint &lint, At at) {
  const IntrinsicInfo &row = info(at.step->expr->intrinsic);
  if (row.pipe == PipeUse::Scalar || row.pipe == PipeUse::Host)
    return;
  for (const Touch &touch : touchesOf(*at.graph, *at.step)) {
    const Region &region = touch.region;
    std::optional<int64_t> begin = region.begin ? region.begin->constant() : std::nullopt;
    std::optional<int64_t> bytes = Lint::bytesOf(touch.operand);
    if (region.space == Space::Tile || region.object < 0 || !begin)
      continue;
    int64_t offset = *begin * info(touch.operand->type.scalar).bytes();
    int64_t unit = limit(Limit::WindowAlignBytes);
    if (offset % unit == 0 || (bytes && *bytes < unit))
      continue;
    lint.context.sink.report<Rule::UnalignedTransfer>(
        at.step->range(), row.name, lint.context.text(touch.operand), offset,
        lint.context.program.objects[size_t(region.object)].name);
    return;
  }
}

} // namespace

void adviseTransfers(const Lint &lint) {
  lint.forEachStep([&](At at) {
    if (at.step->kind == StepKind::Session)
      return adviseOfBlocks(lint, at);
    if (at.step->kind != StepKind::Instruction)
      return;
    adviseOfQueues(lint, at);
    adviseOfSplits(lint, at);
    adviseOfAlignment(lint, at);
  });
}

} // namespace pto::flow_detail
