//===- bytecode_samples.h - modules for the tests of bytecode ---*- C++ -*-===//
#ifndef PTO_TESTS_UNIT_BYTECODE_SAMPLES_H
#define PTO_TESTS_UNIT_BYTECODE_SAMPLES_H

#include "bytecode/asm.h"
#include "bytecode/binary.h"
#include "bytecode/operand.h"
#include "bytecode/verify.h"
#include "bytecode/verify_parts.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

namespace pto::samples {

inline std::string binary(const Module &module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  writeBinary(out, module);
  return bytes;
}

inline std::string text(const Module &module) {
  std::string words;
  llvm::raw_string_ostream out(words);
  disassemble(out, module);
  return words;
}

inline std::string message(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}
template <typename T> std::string message(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

inline constexpr size_t kHeaderBytes = 24;

/// Makes size and checksum of the header fit whatever the payload has become.
inline void sealHeader(std::string &bytes) {
  llvm::StringRef payload = llvm::StringRef(bytes).drop_front(kHeaderBytes);
  llvm::support::endian::write64le(bytes.data() + 8, payload.size());
  llvm::support::endian::write64le(bytes.data() + 16, llvm::xxh3_64bits(payload));
}

/// An operand that fits its row in the function of everyInstruction(): register t has type t,
/// constant t has type t, and every other table has an entry 0.
inline uint32_t operandFor(const Instruction &instruction, OperandKind kind, bool withOptional) {
  const OperandInfo &row = info(kind);
  if (row.isOptional && !withOptional)
    return kNoOperand;
  if (row.form == OperandForm::Number) // One dimension, or with all that is optional all five.
    return instruction.opcode == Opcode::Reshape && withOptional ? 5 : 1;
  if (row.form == OperandForm::ScalarType)
    return uint32_t(ScalarType::F16);
  if (row.form == OperandForm::Constant || row.source == TypeSource::Instruction)
    return uint32_t(instruction.type);
  if (row.source == TypeSource::Given)
    return uint32_t(RegisterType::F16);
  if (row.form == OperandForm::Function)
    return info(instruction.opcode).opcodeClass == OpcodeClass::Host ? 1 : 0;
  for (unsigned type = 0; row.form == OperandForm::Scalar; ++type)
    if (row.types.contains(RegisterType(type)))
      return type;
  return 0;
}

inline Instruction instructionFor(Opcode opcode, ScalarType type, bool withOptional) {
  Instruction instruction{opcode, type};
  llvm::ArrayRef<OperandKind> kinds = operandKinds(opcode);
  for (unsigned i = 0; i != kinds.size(); ++i)
    instruction.operands[i] = operandFor(instruction, kinds[i], withOptional);
  return instruction;
}

/// A function of a kind with every instruction that may stand in it, on every type it works on.
inline Function functionOfAll(FunctionKind kind, llvm::StringRef name) {
  Function function;
  function.name = name.str();
  function.kind = kind;
  for (unsigned type = 0; type != kRegisterTypeCount; ++type)
    function.registers.push_back(RegisterType(type));
  function.viewCount = 1;
  bool isHost = kind == FunctionKind::Host;
  auto add = [&](const Instruction &instruction) {
    function.code.push_back(instruction);
    function.places.push_back({uint32_t(function.code.size() % 2), 7, 3, 5});
  };
  for (unsigned i = 0; i != kOpcodeCount; ++i) {
    auto opcode = Opcode(i);
    if (isHost ? isDeviceOnly(opcode) : info(opcode).opcodeClass == OpcodeClass::Host)
      continue;
    for (unsigned type = 0; type != (info(opcode).isTyped ? kScalarTypeCount : 1); ++type)
      for (bool withOptional : {false, true})
        if (typesOf(opcode).contains(RegisterType(type)))
          add(instructionFor(opcode, ScalarType(type), withOptional));
  }
  add({Opcode::Return});
  return function;
}

/// A module with every row of opcode.def on every type, and every field of every table in use.
inline Module everyInstruction() {
  Module module;
  module.files = {"a.pto", "dir/b \"quoted\"\n\\.pto"};
  module.strings = {"text with (parentheses) and \"quotes\", longer than a remark \xC3\xA9", ""};
  for (unsigned type = 0; type != kScalarTypeCount; ++type)
    module.constants.push_back({ScalarType(type), fromDouble(ScalarType(type), 1.0)});

  Object &data = module.objects.emplace_back();
  data.name = "data";
  data.type = ScalarType::F32;
  data.shape = {{2, 1}, {1, 0}, {0, 4}, {1, -1}, {-3, -7}};
  data.hasInit = true;
  data.init = fromDouble(ScalarType::F32, -0.1);
  data.place = {1, 2, 3, 4};
  Object &words = module.objects.emplace_back();
  words.name = "words of (two)";
  words.isSignal = words.isLocal = true;
  words.align = 64;
  words.place = {1, 5, 6, 7};

  Function leaf;
  leaf.name = "leaf";
  leaf.code.push_back({Opcode::Return});
  leaf.places.push_back({0, 1, 1});
  Function kernel = functionOfAll(FunctionKind::Kernel, "kernel<f32, 4>");
  kernel.ubBytes = 256;
  module.functions = {leaf, kernel, functionOfAll(FunctionKind::Host, "main")};

  Entry &entry = module.entries.emplace_back();
  entry.name = "main";
  entry.function = 2;
  Entry test = entry;
  test.name = "a test";
  test.isTest = test.hasSeed = true;
  test.ranks = test.blocks = 4;
  test.seed = ~uint64_t(0);
  test.target = "a3";
  test.expectedViolations = {Rule(0), Rule(rules().size() - 1)};
  test.place = {1, 8, 9};
  module.entries.push_back(test);
  return module;
}

} // namespace pto::samples

#endif
