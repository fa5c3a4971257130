#include "world/writers.h"

#include "bytecode/operand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace pto {

bool SignalWriter::mayWrite(uint32_t object) const {
  return mayBeAny || llvm::is_contained(objects, object);
}

/// The view operand that names the word, or absent: the instruction writes no signals.
static std::optional<unsigned> wordOperand(Opcode opcode) {
  switch (opcode) {
  case Opcode::Tnotify:
  case Opcode::SignalStore:
  case Opcode::EngineNotify:
  case Opcode::EngineAmo:
    return 0;
  case Opcode::Amo:
    return 1;
  case Opcode::EnginePutNotify:
    return 2;
  case Opcode::TputAsyncNotify:
    return 3;
  default:
    return std::nullopt;
  }
}

static bool adds(const Instruction &instruction) {
  llvm::ArrayRef<OperandKind> kinds = operandKinds(instruction.opcode);
  for (size_t i = 0; i != kinds.size(); ++i) {
    if (kinds[i] == OperandKind::AmoOp)
      return AmoOp(instruction.operands[i]) != AmoOp::Set;
    if (kinds[i] == OperandKind::NotifyOp)
      return NotifyOp(instruction.operands[i]) == NotifyOp::AtomicAdd;
  }
  return false;
}

/// Finds the objects that a view register may name, by all instructions that define it.
static void resolve(const Function &function, uint32_t view, SignalWriter &writer,
                    llvm::SmallSetVector<uint32_t, 8> &seen) {
  if (!seen.insert(view))
    return;
  bool isDefined = false;
  for (const Instruction &each : function.code) {
    llvm::ArrayRef<OperandKind> kinds = operandKinds(each.opcode);
    bool defines = !kinds.empty() && kinds[0] == OperandKind::dView && each.operands[0] == view;
    if (each.opcode == Opcode::Call && each.operands[2] == view)
      writer.mayBeAny = true; // Possibly the result of the call.
    if (!defines)
      continue;
    isDefined = true;
    if (kinds.size() > 1 && kinds[1] == OperandKind::object &&
        !llvm::is_contained(writer.objects, each.operands[1]))
      writer.objects.push_back(each.operands[1]);
    if (kinds.size() > 1 && kinds[1] == OperandKind::rView)
      resolve(function, each.operands[1], writer, seen);
  }
  writer.mayBeAny |= !isDefined;
}

static void addWritersOf(const Module &module, uint32_t index, std::vector<SignalWriter> &writers) {
  const Function &function = module.functions[index];
  for (uint32_t pc = 0; pc != function.code.size(); ++pc) {
    const Instruction &instruction = function.code[pc];
    std::optional<unsigned> word = wordOperand(instruction.opcode);
    if (!word)
      continue;
    SignalWriter writer;
    writer.at = {index, pc};
    writer.opcode = instruction.opcode;
    writer.place = pc < function.places.size() ? function.places[pc] : function.place;
    writer.adds = adds(instruction);
    llvm::SmallSetVector<uint32_t, 8> seen;
    resolve(function, instruction.operands[*word], writer, seen);
    writers.push_back(std::move(writer));
  }
}

std::vector<SignalWriter> signalWritersOf(const Module &module, uint32_t kernel) {
  llvm::SmallSetVector<uint32_t, 8> reached;
  reached.insert(kernel);
  std::vector<SignalWriter> writers;
  for (size_t i = 0; i != reached.size(); ++i) {
    addWritersOf(module, reached[i], writers);
    for (const Instruction &each : module.functions[reached[i]].code)
      if (each.opcode == Opcode::Call)
        reached.insert(each.operands[0]);
  }
  return writers;
}

} // namespace pto
