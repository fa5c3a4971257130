//===- verify_code.cpp - each instruction against its row ------------------===//
#include "bytecode/asm_text.h"
#include "bytecode/limits.h"
#include "bytecode/verify_parts.h"

#include "llvm/Support/MathExtras.h"

namespace pto {

namespace {

/// One instruction of one function, and what is wrong with it.
class CodeVerifier {
public:
  CodeVerifier(const Module &module, const Function &function)
      : module_(module), function_(function) {}

  [[nodiscard]] llvm::Error verifyInstruction(size_t at);
  [[nodiscard]] llvm::Error verifyEnd() const;

private:
  [[nodiscard]] llvm::Error verifyType() const;
  [[nodiscard]] llvm::Error verifyOperand(unsigned position) const;
  [[nodiscard]] llvm::Error verifyScalarRegister(unsigned position) const;
  [[nodiscard]] llvm::Error verifyNumbers() const;
  [[nodiscard]] llvm::Error verifyTile() const;
  [[nodiscard]] llvm::Error verifyReshape() const;

  [[nodiscard]] const Instruction &instruction() const { return function_.code[at_]; }
  [[nodiscard]] uint32_t operand(unsigned position) const {
    return instruction().operands[position];
  }
  /// How many there are of what an operand of the form is an index of.
  [[nodiscard]] size_t countOf(OperandForm form) const;
  [[nodiscard]] llvm::Error refuse(const llvm::Twine &problem) const {
    return invalid(function_, at_, problem);
  }

  const Module &module_;
  const Function &function_;
  size_t at_ = 0;
};

size_t CodeVerifier::countOf(OperandForm form) const {
  switch (form) {
  case OperandForm::Scalar:
    return function_.registers.size();
  case OperandForm::View:
    return function_.viewCount;
  case OperandForm::Label:
    return function_.code.size();
  case OperandForm::Function:
    return module_.functions.size();
  case OperandForm::Constant:
    return module_.constants.size();
  case OperandForm::String:
    return module_.strings.size();
  case OperandForm::Object:
    return module_.objects.size();
  default:
    return 0;
  }
}

llvm::Error CodeVerifier::verifyType() const {
  if (unsigned(instruction().type) >= kScalarTypeCount)
    return refuse("scalar type " + llvm::Twine(unsigned(instruction().type)) + " does not exist");
  if (!typesOf(instruction().opcode).contains(registerType(instruction().type)))
    return refuse("it does not work on " + info(instruction().type).name);
  return llvm::Error::success();
}

llvm::Error CodeVerifier::verifyScalarRegister(unsigned position) const {
  llvm::ArrayRef<OperandKind> kinds = operandKinds(instruction().opcode);
  const OperandInfo &kind = info(kinds[position]);
  RegisterType held = function_.registers[operand(position)];
  RegisterType wanted = held;
  switch (kind.source) {
  case TypeSource::Set:
    break;
  case TypeSource::Instruction:
    wanted = registerType(instruction().type);
    break;
  case TypeSource::Given:
    wanted = registerType(ScalarType(operand(position - 1)));
    break;
  case TypeSource::Same:
    if (position != 0)
      wanted = function_.registers[operand(0)];
    break;
  }
  if (held == wanted && kind.types.contains(held))
    return llvm::Error::success();
  // A kind's name without its first letter is what it wants: `rInt` an int.
  std::string expected = held == wanted ? name(kind.kind).drop_front().lower() : name(wanted).str();
  return refuse("r" + llvm::Twine(operand(position)) + " is " + name(held) + ", not " + expected);
}

llvm::Error CodeVerifier::verifyOperand(unsigned position) const {
  const OperandInfo &kind = info(operandKinds(instruction().opcode)[position]);
  uint32_t number = operand(position);
  if (kind.isOptional && number == kNoOperand)
    return llvm::Error::success();
  const FormInfo &form = info(kind.form);
  if (!form.plural.empty() && number >= countOf(kind.form))
    return refuse(form.prefix + llvm::Twine(number) + " does not exist, there are " +
                  llvm::Twine(countOf(kind.form)) + " " + form.plural);
  switch (kind.form) {
  case OperandForm::Scalar:
    return verifyScalarRegister(position);
  case OperandForm::Constant:
    if (module_.constants[number].type != instruction().type)
      return refuse("#" + llvm::Twine(number) + " is " + info(module_.constants[number].type).name +
                    ", not " + info(instruction().type).name);
    break;
  case OperandForm::ScalarType:
    if (number >= kScalarTypeCount)
      return refuse("scalar type " + llvm::Twine(number) + " does not exist");
    break;
  case OperandForm::Enumerator:
    if (enumeratorName(kind.kind, number).empty())
      return refuse(name(kind.kind) + " has no value " + llvm::Twine(number));
    break;
  default:
    break;
  }
  return llvm::Error::success();
}

llvm::Error CodeVerifier::verifyTile() const {
  uint64_t rows = operand(1), columns = operand(2), offset = operand(3), isAbsolute = operand(4);
  if (rows == 0 || columns == 0 || rows > kMaxUbBytes || columns > kMaxUbBytes)
    return refuse("a tile cannot be " + llvm::Twine(rows) + " x " + llvm::Twine(columns));
  if (isAbsolute > 1)
    return refuse("its last operand must be 0 or 1, not " + llvm::Twine(isAbsolute));
  uint64_t rowBytes = llvm::alignTo(columns * info(instruction().type).bytes(), kTileRowAlign);
  uint64_t end = offset + rows * rowBytes;
  uint64_t limit = isAbsolute ? kMaxUbBytes : function_.ubBytes;
  if (end > limit)
    return refuse("the tile ends at byte " + llvm::Twine(end) + " of " + llvm::Twine(limit) +
                  " bytes of UB");
  return llvm::Error::success();
}

/// Exactly as many sizes as dimensions.
llvm::Error CodeVerifier::verifyReshape() const {
  constexpr unsigned kFirstSize = 3;
  uint32_t dimensions = operand(2);
  for (unsigned i = 0; i != kMaxDimensions; ++i)
    if ((operand(kFirstSize + i) != kNoOperand) != (i < dimensions))
      return refuse("it must have exactly " + llvm::Twine(dimensions) + " sizes");
  return llvm::Error::success();
}

/// The plain numbers. But for those of `tile`, each is a dimension or how many of them.
llvm::Error CodeVerifier::verifyNumbers() const {
  Opcode opcode = instruction().opcode;
  if (opcode == Opcode::Tile)
    return verifyTile();
  std::optional<unsigned> position = findOperand(opcode, OperandKind::imm);
  if (!position)
    return llvm::Error::success();
  uint32_t number = operand(*position);
  bool isCount = opcode == Opcode::Reshape || opcode == Opcode::StridedBegin;
  if (isCount && (number == 0 || number > kMaxDimensions))
    return refuse("it cannot make " + llvm::Twine(number) + " dimensions");
  if (!isCount && number >= kMaxDimensions)
    return refuse("there is no dimension " + llvm::Twine(number));
  return opcode == Opcode::Reshape ? verifyReshape() : llvm::Error::success();
}

llvm::Error CodeVerifier::verifyInstruction(size_t at) {
  at_ = at;
  if (unsigned(instruction().opcode) >= kOpcodeCount)
    return invalid(function_, "instruction " + llvm::Twine(at) + ": opcode " +
                                  llvm::Twine(unsigned(instruction().opcode)) + " does not exist");
  const OpcodeInfo &row = info(instruction().opcode);
  if (row.isTyped)
    if (llvm::Error error = verifyType())
      return error;
  for (unsigned i = 0; i != row.operandCount; ++i)
    if (llvm::Error error = verifyOperand(i))
      return error;
  if (!isPlace(module_, function_.places[at]))
    return refuse("its place is in no file");
  return verifyNumbers();
}

/// Execution must not run off the code.
llvm::Error CodeVerifier::verifyEnd() const {
  Opcode last = function_.code.back().opcode;
  if (last == Opcode::Return || last == Opcode::Jump || last == Opcode::AssertFail)
    return llvm::Error::success();
  return invalid(function_, function_.code.size() - 1,
                 "the code must end with ret, jump or assert_fail");
}

} // namespace

llvm::Error verifyCode(const Module &module, const Function &function) {
  CodeVerifier verifier(module, function);
  for (size_t at = 0; at != function.code.size(); ++at)
    if (llvm::Error error = verifier.verifyInstruction(at))
      return error;
  return verifier.verifyEnd();
}

} // namespace pto
