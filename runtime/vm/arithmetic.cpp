#include "vm/arithmetic.h"

#include "base/check.h"

#include "llvm/ADT/bit.h"

#include <cmath>

namespace pto {

static constexpr ScalarBits kNan = 0x7fc00000;

static float asFloat(ScalarBits bits) { return llvm::bit_cast<float>(uint32_t(bits)); }

static ScalarBits computeFloat(Arithmetic op, float a, float b) {
  switch (op) {
  case Arithmetic::Add:
    return llvm::bit_cast<uint32_t>(a + b);
  case Arithmetic::Sub:
    return llvm::bit_cast<uint32_t>(a - b);
  case Arithmetic::Mul:
    return llvm::bit_cast<uint32_t>(a * b);
  case Arithmetic::Div: // IEEE: x / 0 is an infinity; in double, which no sanitizer minds.
    return llvm::bit_cast<uint32_t>(
        b == 0.0f
            ? (a == 0.0f || std::isnan(a) ? NAN
                                          : std::copysign(INFINITY, a) * std::copysign(1.0f, b))
            : a / b);
  case Arithmetic::Rem:
    return llvm::bit_cast<uint32_t>(std::fmod(a, b));
  case Arithmetic::And:
  case Arithmetic::Or:
  case Arithmetic::Xor:
  case Arithmetic::ShiftLeft:
  case Arithmetic::ShiftRight:
    return 0; // The verifier refuses these types.
  }
  PTO_UNREACHABLE("arithmetic operation");
}

/// Quotient and remainder of signed values; -1 apart, since the lowest value has no negative.
static ScalarBits divideSigned(bool wantsQuotient, int64_t a, int64_t b) {
  if (b == -1)
    return wantsQuotient ? ScalarBits(0) - ScalarBits(a) : 0;
  return ScalarBits(wantsQuotient ? a / b : a % b);
}

static ScalarBits shift(Arithmetic op, const ScalarInfo &row, ScalarBits a, ScalarBits b) {
  unsigned by = unsigned(b & (row.bits - 1u));
  if (op == Arithmetic::ShiftLeft)
    return a << by;
  return row.kind == ScalarKind::Signed ? ScalarBits(int64_t(a) >> by) : a >> by;
}

static ScalarBits computeInteger(Arithmetic op, const ScalarInfo &row, ScalarBits a, ScalarBits b) {
  bool isSigned = row.kind == ScalarKind::Signed;
  switch (op) {
  case Arithmetic::Add:
    return a + b;
  case Arithmetic::Sub:
    return a - b;
  case Arithmetic::Mul:
    return a * b;
  case Arithmetic::Div:
    return isSigned ? divideSigned(true, int64_t(a), int64_t(b)) : a / b;
  case Arithmetic::Rem:
    return isSigned ? divideSigned(false, int64_t(a), int64_t(b)) : a % b;
  case Arithmetic::And:
    return a & b;
  case Arithmetic::Or:
    return a | b;
  case Arithmetic::Xor:
    return a ^ b;
  case Arithmetic::ShiftLeft:
  case Arithmetic::ShiftRight:
    return shift(op, row, a, b);
  }
  PTO_UNREACHABLE("arithmetic operation");
}

std::optional<ScalarBits> compute(Arithmetic op, ScalarType type, ScalarBits a, ScalarBits b) {
  const ScalarInfo &row = info(type);
  if (row.isFloat()) {
    // A NaN that is computed is always the same one, whatever sign the host would give it. The f32
    // has more than twice the bits of f16 and bf16 and two more, so rounding twice rounds once.
    ScalarBits value = computeFloat(op, asFloat(a), asFloat(b));
    return std::isnan(asFloat(value)) ? kNan : normalise(type, value);
  }
  if ((op == Arithmetic::Div || op == Arithmetic::Rem) && b == 0)
    return std::nullopt;
  return normalise(type, computeInteger(op, row, a, b));
}

template <typename T> static bool compareAs(Comparison op, T a, T b) {
  switch (op) {
  case Comparison::Equal:
    return a == b;
  case Comparison::NotEqual:
    return a != b;
  case Comparison::Less:
    return a < b;
  case Comparison::LessEqual:
    return a <= b;
  }
  PTO_UNREACHABLE("comparison");
}

bool compare(Comparison op, ScalarType type, ScalarBits a, ScalarBits b) {
  switch (info(type).kind) {
  case ScalarKind::Signed:
    return compareAs(op, int64_t(a), int64_t(b));
  case ScalarKind::Bool:
  case ScalarKind::Unsigned:
    return compareAs(op, a, b);
  case ScalarKind::Float:
    return compareAs(op, asFloat(a), asFloat(b));
  }
  PTO_UNREACHABLE("scalar kind");
}

ScalarBits negate(ScalarType type, ScalarBits a) {
  if (info(type).isFloat())
    return uint32_t(a) ^ 0x80000000u;
  return normalise(type, ScalarBits(0) - a);
}

ScalarBits invert(ScalarType type, ScalarBits a) {
  return type == ScalarType::Bool ? ScalarBits(a == 0) : normalise(type, ~a);
}

uint32_t hashStep(uint32_t h, ScalarBits a) {
  uint64_t x = (uint64_t(h) << 32 | (h ^ 0x9e3779b9u)) + a * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
  return uint32_t(x ^ (x >> 32));
}

} // namespace pto
