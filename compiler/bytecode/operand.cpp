#include "bytecode/operand.h"

#include "base/check.h"

namespace pto {

using enum OperandKind;
using enum TypeSource;
using Form = OperandForm;
using Type = RegisterType;

static constexpr bool kOptional = true;

// clang-format off
static constexpr OperandInfo kOperands[] = {
    {dT,         Form::Scalar,     false,     Instruction, kScalarTypes},
    {rT,         Form::Scalar,     false,     Instruction, kScalarTypes},
    {rAny,       Form::Scalar,     false,     Given,       kScalarTypes},
    {dBool,      Form::Scalar,     false,     Set,         Type::Bool},
    {rBool,      Form::Scalar,     false,     Set,         Type::Bool},
    {dI32,       Form::Scalar,     false,     Set,         Type::I32},
    {rI32,       Form::Scalar,     false,     Set,         Type::I32},
    {oI32,       Form::Scalar,     kOptional, Set,         Type::I32},
    {dI64,       Form::Scalar,     false,     Set,         Type::I64},
    {dU32,       Form::Scalar,     false,     Set,         Type::U32},
    {rU32,       Form::Scalar,     false,     Set,         Type::U32},
    {oF32,       Form::Scalar,     kOptional, Set,         Type::F32},
    {rInt,       Form::Scalar,     false,     Set,         kIntegerTypes},
    {oInt,       Form::Scalar,     kOptional, Set,         kIntegerTypes},
    {dEvent,     Form::Scalar,     false,     Set,         Type::Event},
    {rEvent,     Form::Scalar,     false,     Set,         Type::Event},
    {dSession,   Form::Scalar,     false,     Set,         Type::Session},
    {rSession,   Form::Scalar,     false,     Set,         Type::Session},
    {dToken,     Form::Scalar,     false,     Set,         Type::Token},
    {rToken,     Form::Scalar,     false,     Set,         Type::Token},
    {oToken,     Form::Scalar,     kOptional, Set,         Type::Token},
    {dGroup,     Form::Scalar,     false,     Set,         Type::Group},
    {rGroup,     Form::Scalar,     false,     Set,         Type::Group},
    {dHandle,    Form::Scalar,     false,     Same,        kHandleTypes},
    {rHandle,    Form::Scalar,     false,     Same,        kHandleTypes},
    {rBase,      Form::ScalarBase},
    {vBase,      Form::ViewBase},
    {dView,      Form::View},
    {rView,      Form::View},
    {oView,      Form::View,       kOptional},
    {dViewRW,    Form::View},
    {imm,        Form::Number},
    {scalarType, Form::ScalarType},
    {label,      Form::Label},
    {func,       Form::Function},
    {constant,   Form::Constant},
    {string,     Form::String},
    {object,     Form::Object},
    {OperandKind::NotifyOp,   Form::Enumerator},
    {OperandKind::WaitCmp,    Form::Enumerator},
    {OperandKind::DmaEngine,  Form::Enumerator},
    {OperandKind::AtomicType, Form::Enumerator},
    {OperandKind::Pipe,       Form::Enumerator},
    {OperandKind::ReduceOp,   Form::Enumerator},
    {OperandKind::RoundMode,  Form::Enumerator},
    {OperandKind::AmoOp,      Form::Enumerator},
    {OperandKind::Transport,  Form::Enumerator},
    {OperandKind::Route,      Form::Enumerator},
    {OperandKind::HixlVerb,   Form::Enumerator},
    {OperandKind::ExpectOp,   Form::Enumerator},
};

static constexpr FormInfo kForms[] = {
    {Form::Scalar,     "r", "registers"},
    {Form::View,       "v", "views"},
    {Form::ScalarBase, "r", ""},
    {Form::ViewBase,   "v", ""},
    {Form::Label,      "@", "instructions"},
    {Form::Function,   "&", "functions"},
    {Form::Constant,   "#", "constants"},
    {Form::String,     "$", "strings"},
    {Form::Object,     "%", "objects"},
    {Form::Number,     "",  ""},
    {Form::ScalarType, "",  ""},
    {Form::Enumerator, "",  ""},
};
// clang-format on

static constexpr bool rowsAreInOrder() {
  for (size_t i = 0; i != std::size(kOperands); ++i)
    if (size_t(kOperands[i].kind) != i)
      return false;
  for (size_t i = 0; i != std::size(kForms); ++i)
    if (size_t(kForms[i].form) != i)
      return false;
  return true;
}
static_assert(std::size(kOperands) == size_t(OperandKind::ExpectOp) + 1);
static_assert(std::size(kForms) == size_t(Form::Enumerator) + 1);
static_assert(rowsAreInOrder(), "operand.cpp: a row is in the wrong place");

const OperandInfo &info(OperandKind kind) { return kOperands[size_t(kind)]; }
const FormInfo &info(OperandForm form) { return kForms[size_t(form)]; }

/// The enumeration of isa.def that a kind is of; `expect` alone has its own.
static const IsaEnumInfo *isaEnumOf(OperandKind kind) {
  for (const IsaEnumInfo &row : isaEnums())
    if (row.name == name(kind))
      return &row;
  return nullptr;
}

llvm::StringRef enumeratorName(OperandKind kind, uint32_t number) {
  if (const IsaEnumInfo *row = isaEnumOf(kind)) {
    llvm::StringRef found = row->valueName(number);
    return found == "?" ? "" : found;
  }
  PTO_CHECK(kind == OperandKind::ExpectOp, "an enumeration without names");
  return number < std::size(kExpectOpNames) ? llvm::StringRef(kExpectOpNames[number]) : "";
}

std::optional<uint32_t> enumeratorNumber(OperandKind kind, llvm::StringRef name) {
  if (const IsaEnumInfo *row = isaEnumOf(kind))
    return row->number(name);
  for (uint32_t i = 0; i != std::size(kExpectOpNames); ++i)
    if (kExpectOpNames[i] == name)
      return i;
  return std::nullopt;
}

bool updatesSignal(Opcode opcode) {
  return llvm::is_contained(operandKinds(opcode), OperandKind::NotifyOp);
}

} // namespace pto
