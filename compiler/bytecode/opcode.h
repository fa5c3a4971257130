//===- opcode.h - the instruction set, derived from opcode.def --*- C++ -*-===//
#ifndef PTO_BYTECODE_OPCODE_H
#define PTO_BYTECODE_OPCODE_H

#include "base/isa.h"
#include "base/scalar.h"

#include <optional>

namespace pto {

enum class Opcode : uint8_t {
#define PTO_OPCODE(Enum, Mnemonic, Class, Typed, Operands, Meaning) Enum,
#include "bytecode/opcode.def"
};
inline constexpr unsigned kOpcodeCount = 0
#define PTO_OPCODE(Enum, Mnemonic, Class, Typed, Operands, Meaning) +1
#include "bytecode/opcode.def"
    ;

enum class OpcodeClass : uint8_t {
  Scalar,
  View,
  Control,
  Plant,
  Memory,
  Signal,
  Async,
  Pipe,
  Host
};

/// What an operand of an instruction is; the legend is in opcode.def.
enum class OperandKind : uint8_t {
  dT,
  rT,
  rAny,
  dBool,
  rBool,
  dI32,
  rI32,
  oI32,
  dI64,
  dU32,
  rU32,
  oF32,
  rInt,
  oInt,
  dEvent,
  rEvent,
  dSession,
  rSession,
  dToken,
  rToken,
  oToken,
  dGroup,
  rGroup,
  dHandle,
  rHandle,
  rBase,
  vBase,
  dView,
  rView,
  oView,
  dViewRW,
  imm,
  scalarType,
  label,
  func,
  constant,
  string,
  object,
  NotifyOp,
  WaitCmp,
  DmaEngine,
  AtomicType,
  Pipe,
  ReduceOp,
  RoundMode,
  AmoOp,
  Transport,
  Route,
  HixlVerb,
  ExpectOp,
};

/// How `expect` compares; the numbers are on the wire.
enum class ExpectOp : uint8_t { Equal, NotEqual, Nearly, Less, LessEqual, Greater, GreaterEqual };
inline constexpr llvm::StringLiteral kExpectOpNames[] = {"==", "!=", "~=", "<", "<=", ">", ">="};

inline constexpr unsigned kMaxOperands = 9;
inline constexpr uint32_t kNoOperand = ~0u; ///< An operand that was left out.

/// One row of opcode.def.
struct OpcodeInfo {
  llvm::StringLiteral mnemonic;
  OpcodeClass opcodeClass;
  bool isTyped;
  uint8_t operandCount;
  OperandKind operands[kMaxOperands];
  llvm::StringLiteral meaning;
};
[[nodiscard]] const OpcodeInfo &info(Opcode opcode);
[[nodiscard]] std::optional<Opcode> opcodeByMnemonic(llvm::StringRef mnemonic);
[[nodiscard]] llvm::StringRef name(OpcodeClass opcodeClass);
[[nodiscard]] llvm::StringRef name(OperandKind kind);

/// The type of a scalar register: an element type, or a handle.
enum class RegisterType : uint8_t {
#define PTO_SCALAR(Enum, Name, Bits, Kind) Enum,
#include "base/scalar.def"
  Event,
  Session,
  Token,
  Group,
};
inline constexpr unsigned kRegisterTypeCount = kScalarTypeCount + 4;
[[nodiscard]] constexpr RegisterType registerType(ScalarType type) { return RegisterType(type); }
[[nodiscard]] llvm::StringRef
name(RegisterType type); ///< "i32", …, "event", "session", "token", "group"

} // namespace pto

#endif
