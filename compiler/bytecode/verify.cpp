#include "bytecode/verify.h"

#include "bytecode/asm_text.h"
#include "bytecode/verify_parts.h"

#include "llvm/Support/JSON.h"

namespace pto {

llvm::Error verify(const Module &module) {
  if (llvm::Error error = verifyTables(module))
    return error;
  for (const Function &function : module.functions)
    if (llvm::Error error = verifyCode(module, function))
      return error;
  if (llvm::Error error = verifyCalls(module))
    return error;
  return verifyEntries(module);
}

llvm::Error invalid(const llvm::Twine &problem) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
}

llvm::Error invalid(const Function &function, const llvm::Twine &problem) {
  return invalid("function " + nameText(function.name) + ": " + problem);
}

llvm::Error invalid(const Function &function, size_t at, const llvm::Twine &problem) {
  return invalid(function, "instruction " + llvm::Twine(at) + " (" +
                               mnemonicText(function.code[at]) + "): " + problem);
}

bool isPlace(const Module &module, const CodePlace &place) {
  return place.file < module.files.size() && (place.line == 0) == (place.column == 0);
}

bool isText(llvm::StringRef text) { return llvm::json::isUTF8(text); }

CallShape callShape(const Function &function) {
  bool isScalar = function.hasResult && !function.resultIsView;
  bool isView = function.hasResult && function.resultIsView;
  return {uint64_t(function.scalarParams) + isScalar, uint64_t(function.viewParams) + isView};
}

std::optional<unsigned> findOperand(Opcode opcode, OperandKind kind) {
  llvm::ArrayRef<OperandKind> kinds = operandKinds(opcode);
  for (unsigned i = 0; i != kinds.size(); ++i)
    if (kinds[i] == kind)
      return i;
  return std::nullopt;
}

TypeSet typesOf(Opcode opcode) {
  switch (opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Div:
  case Opcode::Neg:
  case Opcode::Less:
  case Opcode::LessEqual:
    return kNumberTypes;
  case Opcode::Rem:
  case Opcode::ShiftLeft:
  case Opcode::ShiftRight:
    return kIntegerTypes;
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Not:
    return kIntegerTypes | RegisterType::Bool;
  default:
    return kScalarTypes;
  }
}

bool isDeviceOnly(Opcode opcode) {
  switch (info(opcode).opcodeClass) {
  case OpcodeClass::Memory:
  case OpcodeClass::Signal:
  case OpcodeClass::Async:
  case OpcodeClass::Pipe:
    return true;
  default:
    return opcode == Opcode::Tile; // A view like others, but of a core's UB.
  }
}

} // namespace pto
