//===- dispatch.cpp - what each instruction does ----------------------------===//
//
// The only switch over opcodes in the project. An instruction that touches nothing but the core is
// carried out here or in a handler; every other one becomes a request.
//
//===----------------------------------------------------------------------===//

#include "port/checks.h"
#include "vm/arithmetic.h"
#include "vm/handlers.h"
#include "vm/vm.h"

namespace pto {

namespace {
/// What the loop does after an instruction.
enum class Next : uint8_t { Step, Jumped, Ask, Done };

struct Outcome {
  Next next = Next::Step;
  MaybeTrap trap = std::nullopt;
  Outcome(Next next) : next(next) {}
  Outcome(MaybeTrap trap) : trap(std::move(trap)) {}
  Outcome(Next next, MaybeTrap trap) : next(next), trap(std::move(trap)) {}
};
} // namespace

static Outcome computeInto(Registers regs, const Instruction &instruction, Arithmetic op) {
  const uint32_t *ops = instruction.operands;
  std::optional<ScalarBits> value =
      compute(op, instruction.type, regs.scalars[ops[1]], regs.scalars[ops[2]]);
  if (!value)
    return MaybeTrap(makeTrap<Rule::DivisionByZero>());
  regs.scalars[ops[0]] = *value;
  return Next::Step;
}

static Outcome compareInto(Registers regs, const Instruction &instruction, Comparison op) {
  const uint32_t *ops = instruction.operands;
  regs.scalars[ops[0]] = compare(op, instruction.type, regs.scalars[ops[1]], regs.scalars[ops[2]]);
  return Next::Step;
}

static Outcome setScalar(Registers regs, const Instruction &instruction, ScalarBits value) {
  regs.scalars[instruction.operands[0]] = value;
  return Next::Step;
}

static Outcome jump(Core &core, uint32_t label) {
  core.frames.back().pc = label;
  return Next::Jumped;
}

static Outcome execute(Core &core, const Machine &machine, const Instruction &instruction) {
  Registers regs = registersOf(core);
  const uint32_t *ops = instruction.operands;
  const Module &module = machine.module;
  auto scalar = [&](unsigned i) { return regs.scalars[ops[i]]; };
  auto text = [&](unsigned i) { return llvm::StringRef(module.strings[ops[i]]); };
  switch (instruction.opcode) {
  // Scalar
  case Opcode::Const:
    return setScalar(regs, instruction, module.constants[ops[1]].bits);
  case Opcode::Move:
  case Opcode::MoveHandle:
    return setScalar(regs, instruction, scalar(1));
  case Opcode::Convert:
    return setScalar(regs, instruction, convert(instruction.type, ScalarType(ops[1]), scalar(2)));
  case Opcode::Add:
    return computeInto(regs, instruction, Arithmetic::Add);
  case Opcode::Sub:
    return computeInto(regs, instruction, Arithmetic::Sub);
  case Opcode::Mul:
    return computeInto(regs, instruction, Arithmetic::Mul);
  case Opcode::Div:
    return computeInto(regs, instruction, Arithmetic::Div);
  case Opcode::Rem:
    return computeInto(regs, instruction, Arithmetic::Rem);
  case Opcode::And:
    return computeInto(regs, instruction, Arithmetic::And);
  case Opcode::Or:
    return computeInto(regs, instruction, Arithmetic::Or);
  case Opcode::Xor:
    return computeInto(regs, instruction, Arithmetic::Xor);
  case Opcode::ShiftLeft:
    return computeInto(regs, instruction, Arithmetic::ShiftLeft);
  case Opcode::ShiftRight:
    return computeInto(regs, instruction, Arithmetic::ShiftRight);
  case Opcode::Neg:
    return setScalar(regs, instruction, negate(instruction.type, scalar(1)));
  case Opcode::Not:
    return setScalar(regs, instruction, invert(instruction.type, scalar(1)));
  case Opcode::Equal:
    return compareInto(regs, instruction, Comparison::Equal);
  case Opcode::NotEqual:
    return compareInto(regs, instruction, Comparison::NotEqual);
  case Opcode::Less:
    return compareInto(regs, instruction, Comparison::Less);
  case Opcode::LessEqual:
    return compareInto(regs, instruction, Comparison::LessEqual);
  case Opcode::Hash:
    return setScalar(regs, instruction, hashStep(uint32_t(scalar(1)), scalar(2)));
  case Opcode::Rank:
    return setScalar(regs, instruction, ScalarBits(core.rank));
  case Opcode::Ranks:
    return setScalar(regs, instruction, ScalarBits(machine.ranks));
  case Opcode::Block:
    return setScalar(regs, instruction, ScalarBits(core.block));
  case Opcode::Blocks:
    return setScalar(regs, instruction, ScalarBits(core.blocks));

  // Control
  case Opcode::Jump:
    return jump(core, ops[0]);
  case Opcode::JumpIf:
    return scalar(0) ? jump(core, ops[1]) : Outcome(Next::Step);
  case Opcode::JumpUnless:
    return scalar(0) ? Outcome(Next::Step) : jump(core, ops[1]);
  case Opcode::Call:
    return {Next::Jumped, callFunction(core, machine, instruction)};
  case Opcode::Return:
    returnFromFunction(core, machine);
    return core.frames.empty() ? Next::Done : Next::Step;
  case Opcode::FormatArg:
    queueFormatArg(core, instruction.type, scalar(0));
    return Next::Step;
  case Opcode::AssertFail:
    return MaybeTrap(makeTrap<Rule::AssertionFailed>(takeFormatted(core, text(0))));
  case Opcode::Print:
    core.request.text = takeFormatted(core, text(0));
    return {Next::Ask, packRequest(core, machine, instruction)};
  case Opcode::HixlText:
    core.request.text = ops[1] ? takeFormatted(core, text(0)) : text(0).str();
    return {Next::Ask, packRequest(core, machine, instruction)};

  // Views
  case Opcode::ObjectView:
    regs.views[ops[0]] = machine.layout.objects[ops[1]].view;
    regs.views[ops[0]].rank = core.rank;
    return Next::Step;
  case Opcode::MoveView:
    regs.views[ops[0]] = regs.views[ops[1]];
    return Next::Step;
  case Opcode::Peer:
    return makePeer(core, machine, instruction);
  case Opcode::Index:
    return makeIndex(core, machine, instruction);
  case Opcode::Slice:
    return makeSlice(core, machine, instruction);
  case Opcode::Reshape:
    return makeReshape(core, machine, instruction);
  case Opcode::StridedBegin:
    return makeStrided(core, machine, instruction);
  case Opcode::StridedDim:
    return makeStridedDim(core, machine, instruction);
  case Opcode::StridedEnd:
    return checkStrided(core, machine, instruction);
  case Opcode::Extent:
    return takeExtent(core, instruction);
  case Opcode::PeerOf:
    regs.scalars[ops[0]] = ScalarBits(int64_t(regs.views[ops[1]].rank));
    return Next::Step;
  case Opcode::Tile:
    return makeTileView(core, machine, instruction);
  case Opcode::TileValid:
    return narrowTile(core, instruction);

  // Planted checks
  case Opcode::PlantFlat:
    return checkFlat(regs.views[ops[0]], text(1), text(2));
  case Opcode::PlantFits:
    return checkFits(regs.views[ops[0]], regs.views[ops[1]], text(2));
  case Opcode::PlantSome:
    return checkNotEmpty(regs.views[ops[0]], text(1));
  case Opcode::PlantPeer:
    return checkSamePeer(regs.views[ops[0]], regs.views[ops[1]]);
  case Opcode::PlantApart:
    return checkApart(regs.views[ops[0]], regs.views[ops[1]], text(2));

  default: // The classes Memory, Signal, Async, Pipe and Host are requests, whatever they are.
    return {Next::Ask, packRequest(core, machine, instruction)};
  }
}

Stop run(Core &core, const Machine &machine, uint64_t budget, Trap &trap) {
  const int64_t stepPs = cost(Cost::ScalarStep);
  for (uint64_t left = budget; left != 0; --left) {
    Frame &frame = core.frames.back();
    const Instruction &instruction = machine.module.functions[frame.function].code[frame.pc];
    ++core.steps;
    core.timePs += stepPs;
    Outcome outcome = execute(core, machine, instruction);
    if (outcome.trap) {
      trap = std::move(*outcome.trap);
      return Stop::Trapped;
    }
    if (outcome.next == Next::Ask)
      return Stop::Asked;
    if (outcome.next == Next::Done)
      return Stop::Done;
    if (outcome.next == Next::Step)
      ++core.frames.back().pc;
  }
  return Stop::Budget;
}

void complete(Core &core, int64_t timePs, ScalarBits value) {
  if (core.destination != kNoOperand)
    core.scalars[core.destination] = value;
  core.timePs = timePs;
  ++core.frames.back().pc;
}

} // namespace pto
