#include "bytecode/opcode.h"

#include "base/check.h"

#include "llvm/ADT/StringMap.h"

namespace pto {

namespace {
/// Counts and stores the operands that a row lists.
template <typename... Kinds>
constexpr OpcodeInfo row(llvm::StringLiteral mnemonic, OpcodeClass opcodeClass, bool isTyped,
                         llvm::StringLiteral meaning, Kinds... kinds) {
  static_assert(sizeof...(Kinds) <= kMaxOperands, "opcode.def: too many operands");
  return {mnemonic, opcodeClass, isTyped, uint8_t(sizeof...(Kinds)), {kinds...}, meaning};
}

constexpr bool Yes = true, No = false;
using enum OperandKind;
#define OPERANDS(...) __VA_OPT__(, ) __VA_ARGS__
constexpr OpcodeInfo kOpcodes[] = {
#define PTO_OPCODE(Enum, Mnemonic, Class, Typed, Operands, Meaning)                                \
  row(llvm::StringLiteral(Mnemonic), OpcodeClass::Class, Typed,                                    \
      llvm::StringLiteral(Meaning) Operands),
#include "bytecode/opcode.def"
};
#undef OPERANDS
static_assert(std::size(kOpcodes) == kOpcodeCount && kOpcodeCount <= 256);
} // namespace

const OpcodeInfo &info(Opcode opcode) {
  PTO_CHECK(size_t(opcode) < kOpcodeCount, "opcode out of its table");
  return kOpcodes[size_t(opcode)];
}

std::optional<Opcode> opcodeByMnemonic(llvm::StringRef mnemonic) {
  for (unsigned i = 0; i != kOpcodeCount; ++i)
    if (kOpcodes[i].mnemonic == mnemonic)
      return Opcode(i);
  return std::nullopt;
}

llvm::StringRef name(OpcodeClass opcodeClass) {
  static constexpr llvm::StringLiteral kNames[] = {"scalar", "view",  "control", "plant", "memory",
                                                   "signal", "async", "pipe",    "host"};
  return kNames[size_t(opcodeClass)];
}

llvm::StringRef name(OperandKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {
      "dT",       "rT",       "rAny",      "dBool",    "rBool",      "dI32",      "rI32",
      "oI32",     "dI64",     "dU32",      "rU32",     "oF32",       "rInt",      "oInt",
      "dEvent",   "rEvent",   "dSession",  "rSession", "dToken",     "rToken",    "oToken",
      "dGroup",   "rGroup",   "dHandle",   "rHandle",  "rBase",      "vBase",     "dView",
      "rView",    "oView",    "dViewRW",   "imm",      "scalarType", "label",     "func",
      "constant", "string",   "object",    "NotifyOp", "WaitCmp",    "DmaEngine", "AtomicType",
      "Pipe",     "ReduceOp", "RoundMode", "AmoOp",    "Transport",  "Route",     "HixlVerb",
      "ExpectOp"};
  static_assert(std::size(kNames) == size_t(OperandKind::ExpectOp) + 1);
  return kNames[size_t(kind)];
}

llvm::StringRef name(RegisterType type) {
  static constexpr llvm::StringLiteral kHandles[] = {"event", "session", "token", "group"};
  if (unsigned(type) < kScalarTypeCount)
    return info(ScalarType(type)).name;
  PTO_CHECK(unsigned(type) < kRegisterTypeCount, "register type out of its table");
  return kHandles[unsigned(type) - kScalarTypeCount];
}

} // namespace pto
