//===- instructions.cpp - calls, sessions, and instructions by their table row ----===//

#include "lower/function_builder.h"

#include "base/check.h"
#include "bytecode/operand.h"

namespace pto::lower_detail {

using namespace program;

/// The opcode column of intrinsic.def.
static constexpr Opcode kOpcodes[] = {
#define PTO_INTRINSIC(Enum, Name, Side, Result, Params, Pipe, OpcodeOf, Meaning, Source)           \
  Opcode::OpcodeOf,
#include "builtin/intrinsic.def"
};

FunctionBuilder::CallFrame FunctionBuilder::frameFor(const program::Function &callee) {
  auto [entry, isNew] = frames_.try_emplace(&callee, CallFrame{0, 0});
  if (!isNew)
    return entry->second;
  CallFrame frame{uint32_t(out_.registers.size()), out_.viewCount};
  auto add = [&](const Type &type) {
    (void)(isViewType(type) ? newView() : newRegister(registerTypeOf(type)));
  };
  if (callee.result.kind != TypeKind::Void && !callee.result.isError())
    add(callee.result);
  for (const Variable *param : callee.params)
    add(param->type);
  frames_[&callee] = frame;
  return frame;
}

/// Arguments are evaluated first and moved then, since evaluating one may call the same function.
FunctionBuilder::CallFrame FunctionBuilder::passArguments(const program::Function &callee,
                                                          llvm::ArrayRef<Expr *> args) {
  llvm::SmallVector<uint32_t, 8> values;
  for (const Expr *arg : args)
    values.push_back(isViewType(arg->type) ? view(*arg) : scalar(*arg));
  CallFrame frame = frameFor(callee);
  bool hasResult = callee.result.kind != TypeKind::Void && !callee.result.isError();
  bool isView = hasResult && isViewType(callee.result);
  uint32_t scalars = frame.scalars + (hasResult && !isView), views = frame.views + isView;
  for (size_t i = 0; i != args.size(); ++i)
    move(isViewType(args[i]->type) ? views++ : scalars++, values[i], args[i]->type, args[i]->range);
  return frame;
}

void FunctionBuilder::call(const Expr &expr) {
  CallFrame frame = passArguments(*expr.function, expr.ops);
  emit(Opcode::Call, expr.range, {module_.function(*expr.function), frame.scalars, frame.views});
}

uint32_t FunctionBuilder::session(const Expr &expr) {
  uint32_t scratch = optionalView(expr.ops[0]);
  uint32_t syncId = expr.ops[1] ? scalar(*expr.ops[1]) : constant(ScalarType::I32, 0, expr.range);
  uint32_t blockBytes = optional(expr.ops[2]), offset = optional(expr.ops[3]);
  uint32_t queues = optional(expr.ops[4]), group = optional(expr.ops[5]);
  uint32_t target = temporary(RegisterType::Session);
  emit(Opcode::Session, expr.range,
       {target, scratch, uint32_t(expr.type.engine), syncId, blockBytes, offset, queues, group});
  return target;
}

/// A group is built member by member; without a list it has all ranks.
uint32_t FunctionBuilder::group(const Expr &expr) {
  uint32_t part = view(*expr.ops[0]), target = temporary(RegisterType::Group);
  emit(Opcode::Group, expr.range, {target, part});
  for (const Expr *member : expr.ops.drop_front(2))
    emit(Opcode::GroupAdd, member->range, {target, scalar(*member)});
  if (expr.ops.size() == 2)
    emit(Opcode::GroupAdd, expr.range, {target, kNoOperand});
  uint32_t root = expr.ops[1] ? scalar(*expr.ops[1]) : constant(ScalarType::I32, 0, expr.range);
  emit(Opcode::GroupRoot, expr.ops[1] ? expr.ops[1]->range : expr.range, {target, root});
  return target;
}

void FunctionBuilder::launch(const Stmt &stmt) {
  CallFrame frame = passArguments(*stmt.function, stmt.ops);
  uint32_t blocks = optional(stmt.blocks), stream = optional(stmt.stream);
  emit(Opcode::Launch, stmt.range,
       {module_.function(*stmt.function), frame.scalars, frame.views, blocks, stream});
}

/// Checks that could not be decided, on the registers that the instruction is about to use.
void FunctionBuilder::plants(const Expr &expr, llvm::ArrayRef<uint32_t> registers) {
  for (const Plant &plant : expr.plants) {
    uint32_t instruction = module_.string(info(expr.intrinsic).name);
    uint32_t one = registers[size_t(plant.first)];
    uint32_t other = plant.second < 0 ? kNoOperand : registers[size_t(plant.second)];
    SourceRange at = expr.ops[size_t(plant.second < 0 ? plant.first : plant.second)]->range;
    switch (plant.kind) {
    case PlantKind::Flat: {
      llvm::StringRef role = info(expr.intrinsic).params[size_t(plant.first)].name;
      emit(Opcode::PlantFlat, at, {one, module_.string("`" + role.str() + "`"), instruction});
      break;
    }
    case PlantKind::Fits:
      emit(Opcode::PlantFits, at, {one, other, instruction});
      break;
    case PlantKind::NotEmpty:
      emit(Opcode::PlantSome, at, {one, instruction});
      break;
    case PlantKind::SamePeer:
      emit(Opcode::PlantPeer, at, {one, other});
      break;
    case PlantKind::Apart:
      plantApart(expr, registers, one, other, at);
      break;
    }
  }
}

/// The payload is as long as its source, so only that part of the destination must not be the
/// signal.
void FunctionBuilder::plantApart(const Expr &expr, llvm::ArrayRef<uint32_t> registers,
                                 uint32_t payload, uint32_t signal, SourceRange at) {
  uint32_t instruction = module_.string(info(expr.intrinsic).name);
  size_t source = size_t(info(expr.intrinsic).param("src"));
  size_t target = size_t(info(expr.intrinsic).param("dst"));
  if (expr.ops[target]->facts->shape.size() == 1 && expr.ops[source]->facts->shape.size() == 1) {
    uint32_t zero = constant(ScalarType::I64, 0, at), size = temporary(RegisterType::I64),
             part = temporaryView();
    emit(Opcode::Extent, at, {size, registers[source], 0});
    emit(Opcode::Slice, at, {part, payload, 0, zero, size, kNoOperand});
    payload = part;
  }
  emit(Opcode::PlantApart, at, {payload, signal, instruction});
}

static Opcode onHost(Opcode opcode) {
  return opcode == Opcode::Load    ? Opcode::HostLoad
         : opcode == Opcode::Store ? Opcode::HostStore
                                   : opcode;
}

/// Emits an instruction operand by operand: the destination that its row has, then one for each
/// parameter. Nothing here knows a particular instruction but for `load` and `store` of a host.
/// An enumerator that was left out is the first one.
static uint32_t encoded(OperandKind kind, uint32_t operand) {
  return info(kind).form == OperandForm::Enumerator && operand == kNoOperand ? 0 : operand;
}

uint32_t FunctionBuilder::intrinsic(const Expr &expr) {
  Opcode opcode = kOpcodes[size_t(expr.intrinsic)];
  if (opcode == Opcode::HixlCall)
    return hixlCall(expr);
  if (source_.side == Side::Host)
    opcode = onHost(opcode);
  llvm::SmallVector<uint32_t, kMaxOperands> operands;
  bool hasResult = info(expr.intrinsic).result != ResultKind::Void;
  uint32_t target = hasResult ? temporary(registerTypeOf(expr.type)) : kNoOperand;
  if (hasResult)
    operands.push_back(target);
  ScalarType type = ScalarType::I32;
  for (const Expr *op : expr.ops) {
    bool isType = op && op->kind == ExprKind::EnumValue && op->type.isScalar();
    if (isType)
      type = op->type.scalar; // A type as an argument is that of the instruction.
    else if (!op)
      operands.push_back(kNoOperand);
    else if (op->kind == ExprKind::EnumValue)
      operands.push_back(uint32_t(op->bits));
    else
      operands.push_back(isViewType(op->type) ? view(*op) : scalar(*op));
    if (op && (op->type.isView() || op->type.kind == TypeKind::Tile))
      type = op->type.scalar;
  }
  if (!expr.plants.empty())
    plants(expr, llvm::ArrayRef(operands).take_back(expr.ops.size()));
  const OpcodeInfo &row = info(opcode);
  while (operands.size() < row.operandCount)
    operands.push_back(kNoOperand);
  PTO_CHECK(operands.size() == row.operandCount,
            "an instruction has more parameters than its opcode has operands");
  Instruction instruction{opcode, row.isTyped ? type : ScalarType::I32};
  for (unsigned i = 0; i != row.operandCount; ++i)
    instruction.operands[i] = encoded(row.operands[i], operands[i]);
  out_.code.push_back(instruction);
  out_.places.push_back(module_.place(expr.range));
  return target;
}

} // namespace pto::lower_detail
