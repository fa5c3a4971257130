//===- hixl.cpp - calls of HIXL: what they take is staged, then they are made -----------===//

#include "lower/function_builder.h"

#include "base/check.h"

namespace pto::lower_detail {

using namespace program;

/// A number as an integer register; a bool is 0 or 1.
uint32_t FunctionBuilder::hixlNumber(const Expr *op) {
  if (!op)
    return kNoOperand;
  uint32_t value = scalar(*op);
  if (!op->type.isScalar(ScalarType::Bool))
    return value;
  uint32_t number = temporary(RegisterType::I32);
  emit(Opcode::Convert, op->range, {number, uint32_t(ScalarType::Bool), value}, ScalarType::I32);
  return number;
}

void FunctionBuilder::stageText(const Expr &text) {
  llvm::SmallVector<std::pair<uint32_t, ScalarType>, 4> values;
  for (const Expr *op : text.ops)
    values.push_back({scalar(*op), op->type.scalar});
  for (auto [value, type] : values)
    emit(Opcode::FormatArg, text.range, {value}, type);
  emit(Opcode::HixlText, text.range, {module_.string(text.text), !values.empty()});
}

/// A pair for each turn; the bound is read once.
void FunctionBuilder::stagePairsOver(const Expr &pairs) {
  SourceRange at = pairs.range;
  uint32_t index = registerOf(*pairs.variable), high = temporary(RegisterType::I32);
  into(index, *pairs.ops[0]);
  into(high, *pairs.ops[1]);
  uint32_t one = constant(ScalarType::I32, 1, at), inside = temporary(RegisterType::Bool);
  Label head = newLabel(), end = newLabel();
  bind(head);
  emit(Opcode::Less, at, {inside, index, high}, ScalarType::I32);
  emit(Opcode::JumpUnless, at, {inside, end});
  uint32_t local = view(*pairs.ops[2]), remote = view(*pairs.ops[3]);
  emit(Opcode::HixlPair, at, {local, remote});
  emit(Opcode::Add, at, {index, index, one}, ScalarType::I32);
  emit(Opcode::Jump, at, {head});
  bind(end);
}

void FunctionBuilder::stage(const Expr &op) {
  switch (op.kind) {
  case ExprKind::String:
    return stageText(op);
  case ExprKind::TextMap:
    for (const Expr *text : op.ops)
      stageText(*text);
    return;
  case ExprKind::PairsOver:
    return stagePairsOver(op);
  case ExprKind::Pairs:
    for (size_t i = 0; i + 1 < op.ops.size(); i += 2) {
      uint32_t local = view(*op.ops[i]), remote = view(*op.ops[i + 1]);
      emit(Opcode::HixlPair, op.ops[i]->range, {local, remote});
    }
    return;
  default:
    PTO_UNREACHABLE("nothing else is staged");
  }
}

/// Numbers and ranges are evaluated first, since evaluating one may be a call of its own, which
/// takes all that is staged.
uint32_t FunctionBuilder::hixlCall(const Expr &expr) {
  const IntrinsicInfo &row = info(expr.intrinsic);
  uint32_t verb = 0, range = kNoOperand;
  llvm::SmallVector<uint32_t, 3> numbers;
  llvm::SmallVector<const Expr *, 3> staged;
  for (size_t i = 0; i != row.params.size(); ++i) {
    const Expr *op = expr.ops[i];
    ParamKind kind = row.params[i].kind;
    if (kind == ParamKind::HixlVerb)
      verb = uint32_t(op->bits);
    else if (kind == ParamKind::Text || kind == ParamKind::TextMap || kind == ParamKind::RangePairs)
      staged.push_back(op);
    else if (kind == ParamKind::GmView)
      range = view(*op);
    else
      numbers.push_back(hixlNumber(op));
  }
  PTO_CHECK(numbers.size() <= 3, "a call of HIXL has more numbers than its opcode has operands");
  numbers.resize(3, kNoOperand);
  for (const Expr *op : staged)
    stage(*op);
  bool hasResult = row.result != ResultKind::Void;
  RegisterType type = hasResult ? registerTypeOf(expr.type) : RegisterType::I32;
  ScalarType scalarType = hasResult && expr.type.isScalar() ? expr.type.scalar : ScalarType::I32;
  uint32_t target = temporary(type);
  emit(Opcode::HixlCall, expr.range, {target, verb, numbers[0], numbers[1], numbers[2], range},
       scalarType);
  return hasResult ? target : kNoOperand;
}

} // namespace pto::lower_detail
