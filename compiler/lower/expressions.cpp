//===- expressions.cpp - scalars and views ---------------------------------------===//

#include "lower/function_builder.h"

#include "base/check.h"

namespace pto::lower_detail {

using namespace program;

void FunctionBuilder::move(uint32_t target, uint32_t from, const Type &type, SourceRange at) {
  if (target == from)
    return;
  if (isViewType(type))
    emit(Opcode::MoveView, at, {target, from});
  else if (type.isScalar())
    emit(Opcode::Move, at, {target, from}, type.scalar);
  else
    emit(Opcode::MoveHandle, at, {target, from});
}

void FunctionBuilder::into(uint32_t target, const Expr &expr) {
  move(target, isViewType(expr.type) ? view(expr) : scalar(expr), expr.type, expr.range);
}

uint32_t FunctionBuilder::constant(ScalarType type, ScalarBits bits, SourceRange at) {
  uint32_t target = temporary(registerType(type));
  emit(Opcode::Const, at, {target, module_.constant(type, bits)}, type);
  return target;
}

uint32_t FunctionBuilder::scalar(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Constant:
    return constant(expr.type.scalar, expr.bits, expr.range);
  case ExprKind::Variable:
    return registerOf(*expr.variable);
  case ExprKind::World: {
    static constexpr Opcode kOpcodes[] = {Opcode::Rank, Opcode::Ranks, Opcode::Block, Opcode::Blocks};
    uint32_t target = temporary(RegisterType::I32);
    emit(kOpcodes[expr.number], expr.range, {target});
    return target;
  }
  case ExprKind::Unary:
    return unary(expr);
  case ExprKind::Binary:
    return binary(expr);
  case ExprKind::Convert: {
    uint32_t from = scalar(*expr.ops[0]), target = temporary(registerTypeOf(expr.type));
    emit(Opcode::Convert, expr.range, {target, uint32_t(expr.ops[0]->type.scalar), from}, expr.type.scalar);
    return target;
  }
  case ExprKind::Call: {
    call(expr);
    uint32_t target = temporary(registerTypeOf(expr.type));
    move(target, frameFor(*expr.function).scalars, expr.type, expr.range);
    return target;
  }
  case ExprKind::Intrinsic:
    return intrinsic(expr);
  case ExprKind::Session: {
    uint32_t target = session(expr);
    emit(Opcode::SessionRequire, expr.range, {target});
    return target;
  }
  case ExprKind::Hash:
    return hash(expr);
  case ExprKind::Extent: {
    uint32_t from = view(*expr.ops[0]), target = temporary(RegisterType::I64);
    emit(Opcode::Extent, expr.range, {target, from, expr.number});
    return target;
  }
  default:
    PTO_UNREACHABLE("no scalar expression");
  }
}

uint32_t FunctionBuilder::unary(const Expr &expr) {
  uint32_t operand = scalar(*expr.ops[0]), target = temporary(registerTypeOf(expr.type));
  Opcode opcode = UnaryOp(expr.number) == UnaryOp::Negate ? Opcode::Neg : Opcode::Not;
  emit(opcode, expr.range, {target, operand}, expr.type.scalar);
  return target;
}

namespace {
/// How an operator is lowered: its opcode, and whether its operands change places.
struct BinaryLowering {
  Opcode opcode;
  bool isSwapped = false;
};
} // namespace

static BinaryLowering lowering(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return {Opcode::Add};
  case BinaryOp::Subtract:
    return {Opcode::Sub};
  case BinaryOp::Multiply:
    return {Opcode::Mul};
  case BinaryOp::Divide:
    return {Opcode::Div};
  case BinaryOp::Remainder:
    return {Opcode::Rem};
  case BinaryOp::BitAnd:
    return {Opcode::And};
  case BinaryOp::BitOr:
    return {Opcode::Or};
  case BinaryOp::BitXor:
    return {Opcode::Xor};
  case BinaryOp::ShiftLeft:
    return {Opcode::ShiftLeft};
  case BinaryOp::ShiftRight:
    return {Opcode::ShiftRight};
  case BinaryOp::Equal:
    return {Opcode::Equal};
  case BinaryOp::NotEqual:
    return {Opcode::NotEqual};
  case BinaryOp::Less:
    return {Opcode::Less};
  case BinaryOp::LessEqual:
    return {Opcode::LessEqual};
  case BinaryOp::Greater:
    return {Opcode::Less, true};
  case BinaryOp::GreaterEqual:
    return {Opcode::LessEqual, true};
  case BinaryOp::LogicalAnd:
  case BinaryOp::LogicalOr:
  case BinaryOp::Nearly:
    break;
  }
  PTO_UNREACHABLE("no operator of two evaluated operands");
}

uint32_t FunctionBuilder::binary(const Expr &expr) {
  auto op = BinaryOp(expr.number);
  if (op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr)
    return logical(expr);
  uint32_t left = scalar(*expr.ops[0]), right = scalar(*expr.ops[1]);
  uint32_t target = temporary(registerTypeOf(expr.type));
  BinaryLowering how = lowering(op);
  emit(how.opcode, expr.range, {target, how.isSwapped ? right : left, how.isSwapped ? left : right},
       expr.ops[0]->type.scalar);
  return target;
}

/// The right side is evaluated only where it decides.
uint32_t FunctionBuilder::logical(const Expr &expr) {
  uint32_t target = temporary(RegisterType::Bool);
  into(target, *expr.ops[0]);
  Label end = newLabel();
  bool isAnd = BinaryOp(expr.number) == BinaryOp::LogicalAnd;
  emit(isAnd ? Opcode::JumpUnless : Opcode::JumpIf, expr.range, {target, end});
  into(target, *expr.ops[1]);
  bind(end);
  return target;
}

uint32_t FunctionBuilder::hash(const Expr &expr) {
  uint32_t target = temporary(RegisterType::U32);
  emit(Opcode::Const, expr.range, {target, module_.constant(ScalarType::U32, 0)}, ScalarType::U32);
  for (const Expr *op : expr.ops)
    emit(Opcode::Hash, expr.range, {target, target, scalar(*op)}, op->type.scalar);
  return target;
}

uint32_t FunctionBuilder::view(const Expr &expr) {
  if (expr.kind == ExprKind::Variable)
    return registerOf(*expr.variable);
  if (expr.kind == ExprKind::Call) {
    call(expr);
    uint32_t target = temporaryView();
    move(target, frameFor(*expr.function).views, expr.type, expr.range);
    return target;
  }
  if (expr.kind == ExprKind::Object) {
    uint32_t target = temporaryView();
    emit(Opcode::ObjectView, expr.range, {target, expr.number});
    return target;
  }
  uint32_t base = view(*expr.ops[0]), target = temporaryView();
  switch (expr.kind) {
  case ExprKind::Peer:
    emit(Opcode::Peer, expr.range, {target, base, scalar(*expr.ops[1])});
    break;
  case ExprKind::Index:
    emit(Opcode::Index, expr.range, {target, base, expr.number, scalar(*expr.ops[1])});
    break;
  case ExprKind::Slice: {
    uint32_t low = scalar(*expr.ops[1]), high = scalar(*expr.ops[2]), by = optional(expr.ops[3]);
    emit(Opcode::Slice, expr.range, {target, base, expr.number, low, high, by});
    break;
  }
  case ExprKind::Reshape: {
    uint32_t sizes[5] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
    size_t count = expr.ops.size() - 1;
    for (size_t i = 0; i != count; ++i)
      sizes[i] = scalar(*expr.ops[1 + i]);
    emit(Opcode::Reshape, expr.range, {target, base, uint32_t(count), sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]});
    break;
  }
  case ExprKind::Strided: {
    emit(Opcode::StridedBegin, expr.range, {target, base, scalar(*expr.ops[1]), expr.number});
    for (uint32_t i = 0; i != expr.number; ++i) {
      uint32_t size = scalar(*expr.ops[2 + i]), stride = scalar(*expr.ops[2 + expr.number + i]);
      emit(Opcode::StridedDim, expr.range, {target, i, size, stride});
    }
    emit(Opcode::StridedEnd, expr.range, {target, base});
    break;
  }
  default:
    PTO_UNREACHABLE("no view expression");
  }
  return target;
}

} // namespace pto::lower_detail
