#include "engine/operands.h"

#include "engine/parts.h"
#include "port/checks.h"

namespace pto {

Operands readOperands(const Request &request) {
  Operands ops;
  ops.notifies = notifies(request.opcode);
  ops.isGet = isGet(request.opcode);
  ops.dst = request.views[0];
  ops.src = request.views[1];
  ops.bytes = bytes(ops.src);
  if (ops.notifies) {
    ops.signal = request.views[2];
    ops.op = NotifyOp(request.values[1]);
  }
  ops.peer = ops.isGet ? ops.src.rank : ops.dst.rank;
  return ops;
}

Operands readUpdate(const Request &request) {
  Operands ops;
  const View &at = request.views[0];
  ops.peer = at.rank;
  bool isNotify = request.opcode == Opcode::EngineNotify;
  auto amo = AmoOp(request.values[1]);
  bool adds = amo == AmoOp::Add || amo == AmoOp::Inc;
  ops.notifies = isNotify || (at.isSignal && (adds || amo == AmoOp::Set));
  if (ops.notifies) {
    ops.signal = at;
    ops.op = isNotify ? NotifyOp(request.values[1]) : adds ? NotifyOp::AtomicAdd : NotifyOp::Set;
    return ops;
  }
  ops.dst = at;
  ops.amo = amo;
  ops.bytes = at.elementBytes();
  return ops;
}

static std::optional<Trap> validateSignal(const Operands &ops, llvm::StringRef name) {
  if (auto trap = checkSignal(ops.signal, "sig", name))
    return trap;
  if (auto trap = checkNotEmpty(ops.signal, name))
    return trap;
  if (auto trap = checkSamePeer(ops.dst, ops.signal))
    return trap;
  // The payload is as long as its source; a destination may be longer and hold the signal behind
  // it.
  View payload = ops.dst;
  if (payload.dims != 0)
    payload.shape[payload.dims - 1] = elements(ops.src);
  return checkApart(payload, ops.signal, name);
}

std::optional<Trap> validate(const CoreState &core, const Request &request, const Operands &ops) {
  llvm::StringRef name = info(request.opcode).mnemonic;
  if (auto trap = checkFlat(ops.dst, "dst", name))
    return trap;
  if (auto trap = checkFlat(ops.src, "src", name))
    return trap;
  if (auto trap = checkSameType(ops.dst, ops.src, name))
    return trap;
  if (auto trap = checkNotEmpty(ops.src, name))
    return trap;
  if (auto trap = checkFits(ops.dst, ops.src, name))
    return trap;
  if ((ops.isGet ? ops.dst : ops.src).rank != core.rank)
    return makeTrap<Rule::OperandNotLocal>(
        ops.isGet ? "dst" : "src", name,
        "on rank " + std::to_string((ops.isGet ? ops.dst : ops.src).rank));
  return ops.notifies ? validateSignal(ops, name) : std::nullopt;
}

} // namespace pto
