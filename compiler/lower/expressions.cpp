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
  else if (type.isScalar() || type.isHixl())
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
  case ExprKind::World:
    return world(expr);
  case ExprKind::Unary:
    return unary(expr);
  case ExprKind::Binary:
    return binary(expr);
  case ExprKind::Convert:
    return conversion(expr);
  case ExprKind::Call:
    return callResult(expr);
  case ExprKind::Intrinsic:
    return intrinsic(expr);
  case ExprKind::Session: {
    uint32_t target = session(expr);
    emit(Opcode::SessionRequire, expr.range, {target});
    return target;
  }
  case ExprKind::Group:
    return group(expr);
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

uint32_t FunctionBuilder::conversion(const Expr &expr) {
  uint32_t from = scalar(*expr.ops[0]), target = temporary(registerTypeOf(expr.type));
  emit(Opcode::Convert, expr.range, {target, uint32_t(expr.ops[0]->type.scalar), from},
       expr.type.scalar);
  return target;
}

/// The result is moved out of the callee's frame, which the next call uses again.
uint32_t FunctionBuilder::callResult(const Expr &expr) {
  call(expr);
  CallFrame frame = frameFor(*expr.function);
  bool isView = isViewType(expr.type);
  uint32_t target = isView ? temporaryView() : temporary(registerTypeOf(expr.type));
  move(target, isView ? frame.views : frame.scalars, expr.type, expr.range);
  return target;
}

uint32_t FunctionBuilder::world(const Expr &expr) {
  static constexpr Opcode kOpcodes[] = {Opcode::Rank, Opcode::Ranks, Opcode::Block, Opcode::Blocks};
  uint32_t target = temporary(RegisterType::I32);
  emit(kOpcodes[expr.number], expr.range, {target});
  return target;
}

uint32_t FunctionBuilder::unary(const Expr &expr) {
  uint32_t operand = scalar(*expr.ops[0]), target = temporary(registerTypeOf(expr.type));
  Opcode opcode = UnaryOp(expr.number) == UnaryOp::Negate ? Opcode::Neg : Opcode::Not;
  emit(opcode, expr.range, {target, operand}, expr.type.scalar);
  return target;
}

namespace {
enum class Order : uint8_t { Kept, Swapped };
/// The columns of operator.def that only this room expands.
struct BinaryLowering {
  Opcode opcode;
  Order order;
};
constexpr BinaryLowering kBinaryLowerings[] = {
#define PTO_BINARY(Enum, Spelling, Precedence, Takes, Gives, OpcodeOf, OrderOf)                    \
  {Opcode::OpcodeOf, Order::OrderOf},
#include "base/operator.def"
};
} // namespace

uint32_t FunctionBuilder::binary(const Expr &expr) {
  auto op = BinaryOp(expr.number);
  if (op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr)
    return logical(expr);
  uint32_t left = scalar(*expr.ops[0]), right = scalar(*expr.ops[1]);
  uint32_t target = temporary(registerTypeOf(expr.type));
  const BinaryLowering &how = kBinaryLowerings[size_t(op)];
  PTO_CHECK(how.opcode != Opcode::Return, "no instruction evaluates this operator");
  if (how.order == Order::Swapped)
    std::swap(left, right);
  emit(how.opcode, expr.range, {target, left, right}, expr.ops[0]->type.scalar);
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
  if (expr.kind == ExprKind::Call)
    return callResult(expr);
  if (expr.kind == ExprKind::Object) {
    uint32_t target = temporaryView();
    emit(Opcode::ObjectView, expr.range, {target, expr.number});
    return target;
  }
  uint32_t base = view(*expr.ops[0]), target = temporaryView();
  partOf(target, base, expr);
  return target;
}

/// A view made from another one.
void FunctionBuilder::partOf(uint32_t target, uint32_t base, const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Peer:
    emit(Opcode::Peer, expr.range, {target, base, scalar(*expr.ops[1])});
    return;
  case ExprKind::Index:
    emit(Opcode::Index, expr.range, {target, base, expr.number, scalar(*expr.ops[1])});
    return;
  case ExprKind::Slice: {
    uint32_t low = scalar(*expr.ops[1]);
    // `x[a..]` ends where x does; x is evaluated once, since it may be a call.
    const Expr &end = *expr.ops[2];
    bool isOwnEnd = end.kind == ExprKind::Extent && end.ops[0] == expr.ops[0];
    uint32_t high = isOwnEnd ? temporary(RegisterType::I64) : scalar(end);
    if (isOwnEnd)
      emit(Opcode::Extent, end.range, {high, base, end.number});
    uint32_t by = optional(expr.ops[3]);
    emit(Opcode::Slice, expr.range, {target, base, expr.number, low, high, by});
    return;
  }
  case ExprKind::Reshape:
    return reshape(target, base, expr);
  case ExprKind::Strided:
    return strided(target, base, expr);
  default:
    PTO_UNREACHABLE("no view expression");
  }
}

void FunctionBuilder::reshape(uint32_t target, uint32_t base, const Expr &expr) {
  uint32_t sizes[5] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  size_t count = expr.ops.size() - 1;
  for (size_t i = 0; i != count; ++i)
    sizes[i] = scalar(*expr.ops[1 + i]);
  emit(Opcode::Reshape, expr.range,
       {target, base, uint32_t(count), sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]});
}

void FunctionBuilder::strided(uint32_t target, uint32_t base, const Expr &expr) {
  emit(Opcode::StridedBegin, expr.range, {target, base, scalar(*expr.ops[1]), expr.number});
  for (uint32_t i = 0; i != expr.number; ++i) {
    uint32_t size = scalar(*expr.ops[2 + i]), stride = scalar(*expr.ops[2 + expr.number + i]);
    emit(Opcode::StridedDim, expr.range, {target, i, size, stride});
  }
  emit(Opcode::StridedEnd, expr.range, {target, base});
}

} // namespace pto::lower_detail
