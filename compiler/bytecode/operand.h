//===- operand.h - what each kind of operand is ------------------*- C++ -*-===//
//
// One row per OperandKind with all that the binary form, the text form and the verifier ask about
// it; none of them lists kinds or opcodes again.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_OPERAND_H
#define PTO_BYTECODE_OPERAND_H

#include "bytecode/opcode.h"

#include "llvm/ADT/ArrayRef.h"

namespace pto {

/// A set of register types.
class TypeSet {
public:
  constexpr TypeSet() = default;
  constexpr TypeSet(RegisterType type) : bits_(uint16_t(1u << unsigned(type))) {}
  [[nodiscard]] constexpr bool contains(RegisterType type) const {
    return bits_ >> unsigned(type) & 1u;
  }
  [[nodiscard]] constexpr TypeSet operator|(TypeSet other) const {
    TypeSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }

private:
  uint16_t bits_ = 0;
  static_assert(kRegisterTypeCount <= 16);
};

inline constexpr TypeSet kSignedTypes =
    TypeSet(RegisterType::I8) | RegisterType::I16 | RegisterType::I32 | RegisterType::I64;
inline constexpr TypeSet kUnsignedTypes =
    TypeSet(RegisterType::U8) | RegisterType::U16 | RegisterType::U32 | RegisterType::U64;
inline constexpr TypeSet kIntegerTypes = kSignedTypes | kUnsignedTypes;
inline constexpr TypeSet kFloatTypes =
    TypeSet(RegisterType::F16) | RegisterType::BF16 | RegisterType::F32;
inline constexpr TypeSet kNumberTypes = kIntegerTypes | kFloatTypes;
inline constexpr TypeSet kScalarTypes = kNumberTypes | RegisterType::Bool;
inline constexpr TypeSet kHandleTypes = TypeSet(RegisterType::Event) | RegisterType::Session |
                                        RegisterType::Token | RegisterType::Group;

/// What the number of an operand means.
enum class OperandForm : uint8_t {
  Scalar,     ///< A scalar register.
  View,       ///< A view register.
  ScalarBase, ///< First of the scalar registers of a call; how many follows from the callee.
  ViewBase,
  Label,
  Function,
  Constant,
  String,
  Object,
  Number,
  ScalarType,
  Enumerator,
};

/// Which type a scalar register must have, besides being in the row's set.
enum class TypeSource : uint8_t {
  Set,         ///< None besides.
  Instruction, ///< The type that the instruction carries.
  Given,       ///< The type that the scalarType operand before it states.
  Same,        ///< Whatever it is, the same for all such operands of the instruction.
};

/// One row of the table in operand.cpp.
struct OperandInfo {
  OperandKind kind;
  OperandForm form;
  bool isOptional = false; ///< May be kNoOperand.
  TypeSource source = TypeSource::Set;
  TypeSet types = {}; ///< Of a scalar register.
};
[[nodiscard]] const OperandInfo &info(OperandKind kind);

/// How a form is written and spoken of: `r` and "registers".
struct FormInfo {
  OperandForm form;
  llvm::StringLiteral prefix;
  llvm::StringLiteral plural; ///< Empty where the number is not an index.
};
[[nodiscard]] const FormInfo &info(OperandForm form);

/// The name of a value of an Enumerator kind, empty if it has none; and back.
[[nodiscard]] llvm::StringRef enumeratorName(OperandKind kind, uint32_t number);
[[nodiscard]] std::optional<uint32_t> enumeratorNumber(OperandKind kind, llvm::StringRef name);

/// The kinds of the operands that the opcode's row lists.
[[nodiscard]] inline llvm::ArrayRef<OperandKind> operandKinds(Opcode opcode) {
  const OpcodeInfo &row = info(opcode);
  return llvm::ArrayRef(row.operands, row.operandCount);
}

/// Whether an instruction updates a signal word by a NotifyOp.
[[nodiscard]] bool updatesSignal(Opcode opcode);

} // namespace pto

#endif
