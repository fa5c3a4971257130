#include "check/fold.h"

#include "base/check.h"

namespace pto::check_detail {

/// Arithmetic on constants, exactly as the scalar unit does it.
static ScalarBits foldArithmetic(BinaryOp op, ScalarType type, ScalarBits a, ScalarBits b) {
  const ScalarInfo &row = info(type);
  if (row.isFloat()) {
    double x = toDouble(type, a), y = toDouble(type, b);
    double result = op == BinaryOp::Add        ? x + y
                    : op == BinaryOp::Subtract ? x - y
                    : op == BinaryOp::Multiply ? x * y
                                               : x / y;
    return fromDouble(type, result);
  }
  bool isSigned = row.kind == ScalarKind::Signed;
  unsigned shift = unsigned(b) & (row.bits - 1u);
  switch (op) {
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Subtract:
    return a - b;
  case BinaryOp::Multiply:
    return a * b;
  case BinaryOp::Divide:
    return !isSigned ? a / b : int64_t(b) == -1 ? 0 - a : ScalarBits(int64_t(a) / int64_t(b));
  case BinaryOp::Remainder:
    return !isSigned ? a % b : int64_t(b) == -1 ? 0 : ScalarBits(int64_t(a) % int64_t(b));
  case BinaryOp::BitAnd:
  case BinaryOp::LogicalAnd:
    return a & b;
  case BinaryOp::BitOr:
  case BinaryOp::LogicalOr:
    return a | b;
  case BinaryOp::BitXor:
    return a ^ b;
  case BinaryOp::ShiftLeft:
    return a << shift;
  case BinaryOp::ShiftRight:
    return isSigned ? ScalarBits(int64_t(a) >> shift) : a >> shift;
  default:
    PTO_UNREACHABLE("no arithmetic operator");
  }
}

static bool foldComparison(BinaryOp op, ScalarType type, ScalarBits a, ScalarBits b) {
  auto compare = [&](auto x, auto y) {
    switch (op) {
    case BinaryOp::Equal:
      return x == y;
    case BinaryOp::NotEqual:
      return x != y;
    case BinaryOp::Less:
      return x < y;
    case BinaryOp::LessEqual:
      return x <= y;
    case BinaryOp::Greater:
      return x > y;
    default:
      return x >= y;
    }
  };
  switch (info(type).kind) {
  case ScalarKind::Float:
    return compare(toDouble(type, a), toDouble(type, b));
  case ScalarKind::Signed:
    return compare(int64_t(a), int64_t(b));
  default:
    return compare(a, b);
  }
}

ScalarBits foldBinary(BinaryOp op, ScalarType type, ScalarBits a, ScalarBits b) {
  bool compares = info(op).gives == Gives::Truth && info(op).takes != Takes::Bools;
  return compares ? ScalarBits(foldComparison(op, type, a, b)) : foldArithmetic(op, type, a, b);
}

} // namespace pto::check_detail
