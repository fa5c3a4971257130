// Requests, packed from the kinds of operands that the row lists: an instruction that is added to
// opcode.def needs nothing here.

#include "vm/handlers.h"

#include "bytecode/operand.h"
#include "vm/vm.h"

namespace pto {

/// The registers that a launched kernel gets as its parameters.
static void packArguments(Core &core, const Machine &machine, const Instruction &instruction,
                          uint32_t function) {
  Registers regs = registersOf(core);
  const Function &kernel = machine.module.functions[function];
  Request &request = core.request;
  size_t operand = 0;
  for (OperandKind kind : operandKinds(instruction.opcode)) {
    uint32_t base = instruction.operands[operand++];
    if (info(kind).form == OperandForm::ScalarBase) {
      const ScalarBits *first = regs.scalars + base + (kernel.hasResult && !kernel.resultIsView);
      request.args.assign(first, first + kernel.scalarParams);
    }
    if (info(kind).form == OperandForm::ViewBase) {
      const View *first = regs.views + base + (kernel.hasResult && kernel.resultIsView);
      request.viewArgs.assign(first, first + kernel.viewParams);
    }
  }
}

static MaybeTrap packView(Core &core, uint32_t operand, bool isOptional) {
  Request &request = core.request;
  if (operand == kNoOperand) {
    request.views[request.viewCount++] = View();
    return std::nullopt;
  }
  const View &view = registersOf(core).views[operand];
  if (view.space == Space::None && !isOptional)
    return makeTrap<Rule::OutOfWindow>("a view is used before it is set");
  request.views[request.viewCount++] = view;
  return std::nullopt;
}

static void packScalar(Core &core, uint32_t operand) {
  Request &request = core.request;
  if (operand == kNoOperand)
    request.absent |= uint16_t(1u << request.valueCount);
  request.addValue(operand == kNoOperand ? 0 : registersOf(core).scalars[operand]);
}

/// A scalar register that the instruction writes; every such operand is the first of its row.
static bool isDestination(OperandKind kind) {
  using enum OperandKind;
  return kind == dT || kind == dBool || kind == dI32 || kind == dI64 || kind == dU32 ||
         kind == dEvent || kind == dSession || kind == dToken || kind == dGroup || kind == dHandle;
}

MaybeTrap packRequest(Core &core, const Machine &machine, const Instruction &instruction) {
  const Frame &frame = core.frames.back();
  Request &request = core.request;
  request.opcode = instruction.opcode;
  request.type = instruction.type;
  request.at = {frame.function, frame.pc};
  request.place = currentPlace(core, machine.module);
  request.call = callPlace(core, machine.module);
  request.valueCount = request.viewCount = 0;
  request.absent = 0;
  core.destination = kNoOperand;
  const uint32_t *operand = instruction.operands;
  for (OperandKind kind : operandKinds(instruction.opcode)) {
    uint32_t number = *operand++;
    const OperandInfo &row = info(kind);
    if (isDestination(kind))
      core.destination = frame.scalarBase + number;
    else if (row.form == OperandForm::Scalar)
      packScalar(core, number);
    else if (row.form == OperandForm::View) {
      if (MaybeTrap trap = packView(core, number, row.isOptional))
        return trap;
    } else
      request.addValue(number);
    if (row.form == OperandForm::Function)
      packArguments(core, machine, instruction, number);
  }
  return std::nullopt;
}

} // namespace pto
