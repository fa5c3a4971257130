#include "graph/pipe_order.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::graph {

void PipeOrder::Entry::meet(const Entry &other, bool isLoop) {
  // Two paths of a branch that order it differently are a question; two turns of a loop are not.
  isMaybe = isLoop ? isMaybe && other.isMaybe : isMaybe || other.isMaybe || known != other.known;
  known &= other.known;
  flags &= other.flags;
  if (!(region == other.region))
    forgetTurn(region);
}

llvm::SmallVector<Touch, 6> orderedTouches(const Graph &graph, const Step &step) {
  llvm::SmallVector<Touch, 6> touches = touchesOf(graph, step);
  if (step.is(Intrinsic::SetValid)) {
    const Expr *tile = step.operand("t");
    touches.push_back({Pipe::S, 0, true, regionOf(graph, step.frame, tile), tile});
  }
  return touches;
}

size_t flagBit(Pipe from, Pipe to, size_t id) {
  return (size_t(from) * PipeOrder::kPipeCount + size_t(to)) * PipeOrder::kFlagIds + id;
}

std::optional<size_t> flagId(const Step &step) {
  const Expr *id = step.operand("id");
  std::optional<int64_t> known = id ? id->value.constant() : std::nullopt;
  if (!known || *known < 0 || *known >= int64_t(PipeOrder::kFlagIds))
    return std::nullopt;
  return size_t(*known);
}

Pipe pipeOperand(const Step &step, llvm::StringRef name) {
  const Expr *pipe = step.operand(name);
  return pipe ? Pipe(pipe->bits) : Pipe::ALL;
}

llvm::SmallVector<PipeOrder::Hazard, 2> PipeOrder::hazards(llvm::ArrayRef<Touch> touches) const {
  llvm::SmallVector<Hazard, 2> found;
  for (const Touch &touch : touches)
    for (const Entry &entry : entries)
      if ((touch.writes || entry.writes) && !(entry.known & bit(touch.pipe)) &&
          relate(entry.region, touch.region) == Relation::Overlap)
        found.push_back({&entry, &touch});
  return found;
}

void PipeOrder::drain(Pipe pipe) {
  if (pipe == Pipe::ALL)
    entries.clear();
  else if (pipe != Pipe::S)
    llvm::erase_if(entries, [&](const Entry &entry) { return entry.known & bit(pipe); });
}

/// A flag carries what its pipe knows; one whose number is not known may be any.
void PipeOrder::setFlag(const Step &step) {
  Pipe from = pipeOperand(step, "from"), to = pipeOperand(step, "to");
  std::optional<size_t> id = flagId(step);
  for (Entry &entry : entries)
    if (entry.known & bit(from))
      for (size_t each = 0; each != kFlagIds; ++each)
        if (!id || *id == each)
          entry.flags.set(flagBit(from, to, each));
}

void PipeOrder::waitFlag(const Step &step) {
  Pipe from = pipeOperand(step, "from"), to = pipeOperand(step, "to");
  std::optional<size_t> id = flagId(step);
  for (Entry &entry : entries)
    for (size_t each = 0; each != kFlagIds; ++each) {
      if ((id && *id != each) || !entry.flags.test(flagBit(from, to, each)))
        continue;
      entry.known |= bit(to);
      entry.flags.reset(flagBit(from, to, each));
    }
  llvm::erase_if(entries, [](const Entry &entry) { return entry.known & bit(Pipe::S); });
  if (to == Pipe::S || to == Pipe::ALL)
    return;
  // That it was taken is something to know too: the flag may be raised again after that.
  Entry taken;
  taken.step = &step;
  taken.pipe = to;
  taken.known = bit(to);
  llvm::erase_if(entries, [&](const Entry &had) { return had.isSame(taken); });
  entries.push_back(taken);
}

/// A pipe works in order, so a token covers what was issued before on the same pipes.
void PipeOrder::awaitToken(const Graph &graph, FrameId frame, const Expr *token) {
  Origin made = token ? graph.origin(frame, token) : Origin{};
  Pipes done = 0;
  for (size_t i = entries.size(); i-- > 0;) {
    Entry &entry = entries[i];
    if (made && entry.step->expr == made.expr && entry.step->frame == made.frame)
      done |= bit(entry.pipe);
    if (done & entry.known)
      entry.known |= bit(Pipe::S);
  }
  if (!made) // Which operation it is of is not known: it may be of any.
    entries.clear();
  llvm::erase_if(entries, [](const Entry &entry) { return entry.known & bit(Pipe::S); });
}

void PipeOrder::apply(const Graph &graph, const Step &step, llvm::ArrayRef<Touch> touches) {
  if (step.kind == StepKind::After)
    for (const Expr *token : step.stmt->ops)
      awaitToken(graph, step.frame, token);
  if (step.kind != StepKind::Instruction)
    return;
  switch (step.expr->intrinsic) {
  case Intrinsic::PipeBarrier:
    return drain(pipeOperand(step, "pipe"));
  case Intrinsic::Tnotify: // Ends with a barrier of its own.
    return drain(Pipe::ALL);
  case Intrinsic::SetFlag:
    return setFlag(step);
  case Intrinsic::WaitFlag:
    return waitFlag(step);
  case Intrinsic::Tsync:
    for (const Expr *token : step.expr->ops)
      if (token)
        awaitToken(graph, step.frame, token);
    return;
  default:
    break;
  }
  for (const Touch &touch : touches) {
    if (touch.pipe == Pipe::S)
      continue;
    Entry entry{&step, touch.operand, touch.pipe, touch.writes,
                false, touch.known,   {},         touch.region};
    llvm::erase_if(entries, [&](const Entry &had) { return had.isSame(entry); });
    entries.push_back(entry);
  }
}

void PipeOrder::turn() {
  for (Entry &entry : entries)
    forgetTurn(entry.region);
}

} // namespace pto::graph
