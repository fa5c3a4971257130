#include "flow/payload.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

void Payload::meet(const Payload &other, bool isLoop) {
  bool differs = isDrained != other.isDrained || signal != other.signal;
  isMaybe = isLoop ? isMaybe && other.isMaybe : isMaybe || other.isMaybe || differs;
  isMixed |= other.isMixed || (differs && !isLoop);
  isSure = isLoop ? (!signal || isSure) && (!other.signal || other.isSure)
                  : isSure && other.isSure && signal == other.signal;
  isTold |= other.isTold;
  isDrained &= other.isDrained;
  if (!signal)
    signal = other.signal;
  if (!(region == other.region))
    graph::forgetTurn(region);
}

static void drain(Pipe pipe, Payloads &payloads) {
  for (Payload &payload : payloads)
    if (payload.held == Held::Pipe && (pipe == Pipe::ALL || pipe == Pipe::MTE3))
      payload.isDrained = true;
}

void drainPipes(Payloads &payloads) { drain(Pipe::ALL, payloads); }

/// An event covers the earlier posts of its session, and on URMA and RDMA of its peer.
static bool isOneQueue(const Graph &graph, const Payload &payload, const Payload *issued) {
  if (!issued)
    return true;
  const Expr *one = payload.step->operand("s"), *other = issued->step->operand("s");
  if (!one || !other)
    return true;
  return graph.origin(payload.step->frame, one) == graph.origin(issued->step->frame, other);
}

/// A token, or an event: of which step, and what that covers.
static void finish(const Graph &graph, FrameId frame, const Expr *handle, Held held,
                   Payloads &payloads) {
  Origin made = graph.origin(frame, handle);
  auto issued = llvm::find_if(payloads, [&](const Payload &payload) {
    return made && payload.step->expr == made.expr && payload.step->frame == made.frame;
  });
  const Payload *known = issued == payloads.end() ? nullptr : &*issued;
  for (Payload &each : payloads) {
    bool isCovered = !known || &each <= known;
    if (each.held == held && isCovered && (held == Held::Pipe || isOneQueue(graph, each, known)))
      each.isDrained = true;
  }
}

static void flush(const Graph &graph, const Step &step, Payloads &payloads) {
  Region lines = regionOf(graph, step.frame, step.operand("x"));
  for (Payload &payload : payloads)
    if (payload.held == Held::Cache &&
        (lines.space == Space::None || lines.object == payload.region.object))
      payload.isDrained = true;
}

/// The core's own queues have done what they were given. One of another route may share a
/// transport with it, and only a run knows which; so nothing is said of what any quiet follows.
static void quiet(Payloads &payloads) {
  for (Payload &payload : payloads)
    if (payload.held == Held::Queue && info(payload.step->expr->intrinsic).pipe == PipeUse::Queue)
      payload.isDrained = true;
}

bool settle(const Graph &graph, const Step &step, Payloads &payloads) {
  if (step.kind == StepKind::After)
    for (const Expr *token : step.stmt->ops)
      finish(graph, step.frame, token, Held::Pipe, payloads);
  if (step.kind != StepKind::Instruction)
    return true;
  switch (step.expr->intrinsic) {
  case Intrinsic::PipeBarrier:
    drain(pipeOperand(step, "pipe"), payloads);
    return true;
  case Intrinsic::Tsync:
    for (const Expr *token : step.expr->ops)
      if (token)
        finish(graph, step.frame, token, Held::Pipe, payloads);
    return true;
  case Intrinsic::WaitFlag: // The scalar pipe waits for what its partner has queued.
    if (pipeOperand(step, "to") == Pipe::S)
      drain(pipeOperand(step, "from"), payloads);
    return true;
  case Intrinsic::EngineQuiet:
    quiet(payloads);
    return true;
  case Intrinsic::Wait:
  case Intrinsic::Test:
    finish(graph, step.frame, step.expr->ops[0], Held::Queue, payloads);
    return true;
  case Intrinsic::Dcci:
  case Intrinsic::RemoteDcci:
    flush(graph, step, payloads);
    return true;
  default:
    return false;
  }
}

void record(const Step &step, const Touch &touch, Payloads &payloads) {
  Payload payload;
  payload.step = &step;
  payload.operand = touch.operand;
  PipeUse use = info(step.expr->intrinsic).pipe;
  payload.held = use == PipeUse::Engine || use == PipeUse::Queue ? Held::Queue
                 : touch.pipe == Pipe::S                         ? Held::Cache
                                                                 : Held::Pipe;
  payload.region = touch.region;
  llvm::erase_if(payloads, [&](const Payload &had) { return had.isSame(payload); });
  payloads.push_back(payload);
}

void forgetTurn(Payloads &payloads) {
  for (Payload &payload : payloads)
    graph::forgetTurn(payload.region);
}

llvm::StringRef placeOf(const Payload &payload) {
  switch (payload.held) {
  case Held::Pipe:
    return "on MTE3";
  case Held::Queue:
    return "in its queue";
  case Held::Cache:
    return "in the data cache";
  }
  return "";
}

std::string drainOf(const Payload &payload, const Context &context) {
  if (payload.held == Held::Cache)
    return (payload.region.space == Space::Remote ? "remote_dcci(" : "dcci(") +
           context.text(payload.operand) + ");";
  bool hasEvent = info(payload.step->expr->intrinsic).pipe == PipeUse::Engine;
  return payload.held == Held::Pipe ? "pipe_barrier(ALL);"
         : hasEvent                 ? "wait(e);"
                                    : "the quiet of its engine;";
}

} // namespace pto::flow_detail
