// Conversions, one element at a time: a value is taken apart into an exact product of an integer
// and a power of two, and rounded once.

#include "simd/rows.h"

#include "base/check.h"

#include "llvm/ADT/bit.h"

namespace pto {

namespace {
/// sign, mantissa * 2^exponent.
struct Exact {
  enum class Kind : uint8_t { Finite, Infinite, NaN } kind = Kind::Finite;
  bool isNegative = false;
  uint64_t mantissa = 0;
  int exponent = 0;
};

/// The layout of a float type.
struct Format {
  int mantissaBits;
  int exponentBits;
  [[nodiscard]] int bias() const { return (1 << (exponentBits - 1)) - 1; }
  [[nodiscard]] uint64_t allOnes() const { return (uint64_t(1) << exponentBits) - 1; }
  [[nodiscard]] uint64_t infinity() const { return allOnes() << mantissaBits; }
  [[nodiscard]] uint64_t nan() const { return infinity() | uint64_t(1) << (mantissaBits - 1); }
  [[nodiscard]] int signBit() const { return mantissaBits + exponentBits; }
};
} // namespace

static Format formatOf(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return {10, 5};
  case ScalarType::BF16:
    return {7, 8};
  case ScalarType::F32:
    return {23, 8};
  default:
    PTO_UNREACHABLE("no float type");
  }
}

static Exact exactFloat(Format format, uint64_t bits) {
  Exact value;
  value.isNegative = bits >> format.signBit() & 1u;
  uint64_t exponent = bits >> format.mantissaBits & format.allOnes();
  value.mantissa = bits & ((uint64_t(1) << format.mantissaBits) - 1);
  if (exponent == format.allOnes()) {
    value.kind = value.mantissa ? Exact::Kind::NaN : Exact::Kind::Infinite;
    return value;
  }
  if (exponent != 0)
    value.mantissa |= uint64_t(1) << format.mantissaBits;
  value.exponent = int(exponent ? exponent : 1) - format.bias() - format.mantissaBits;
  return value;
}

/// An integer of the type's width in the low bits of a word.
static Exact exactInteger(ScalarType type, uint64_t bits) {
  ScalarBits wide = normalise(type, bits);
  Exact value;
  value.isNegative = info(type).kind == ScalarKind::Signed && int64_t(wide) < 0;
  value.mantissa = value.isNegative ? 0 - wide : wide;
  return value;
}

/// mantissa / 2^drop as an integer.
static uint64_t roundOff(uint64_t mantissa, int drop, bool isNegative, RoundMode mode) {
  if (drop <= 0)
    return mantissa << -drop;
  uint64_t kept = drop >= 64 ? 0 : mantissa >> drop;
  uint64_t rest = drop >= 64 ? mantissa : mantissa & ((uint64_t(1) << drop) - 1);
  uint64_t half = drop > 64 ? ~uint64_t(0) : uint64_t(1) << (drop - 1);
  bool isTie = drop <= 64 && rest == half, isAbove = drop <= 64 && rest > half;
  switch (mode) {
  case RoundMode::CAST_NONE:
  case RoundMode::CAST_RINT:
    return kept + (isAbove || (isTie && (kept & 1u)));
  case RoundMode::CAST_ROUND:
    return kept + (isAbove || isTie);
  case RoundMode::CAST_FLOOR:
    return kept + (isNegative && rest != 0);
  case RoundMode::CAST_CEIL:
    return kept + (!isNegative && rest != 0);
  case RoundMode::CAST_TRUNC:
    return kept;
  case RoundMode::CAST_ODD:
    return kept | (rest != 0);
  }
  PTO_UNREACHABLE("round mode");
}

/// What is beyond the largest finite value becomes, without the sign.
static uint64_t overflowOf(Format format, bool isNegative, RoundMode mode) {
  bool staysFinite = mode == RoundMode::CAST_TRUNC || mode == RoundMode::CAST_ODD ||
                     (mode == RoundMode::CAST_FLOOR && !isNegative) ||
                     (mode == RoundMode::CAST_CEIL && isNegative);
  return format.infinity() - (staysFinite ? 1 : 0);
}

static uint64_t finiteFloat(Format format, const Exact &value, RoundMode mode) {
  if (value.mantissa == 0)
    return 0;
  int top = 63 - llvm::countl_zero(value.mantissa) + value.exponent;
  int least = 1 - format.bias(); // The exponent of the least normal number.
  int unit = std::max(top, least) - format.mantissaBits;
  uint64_t kept = roundOff(value.mantissa, unit - value.exponent, value.isNegative, mode);
  uint64_t one = uint64_t(1) << format.mantissaBits;
  if (kept < one)
    return kept; // Subnormal, or rounded to zero.
  if (kept == one << 1) {
    kept = one;
    ++unit;
  }
  uint64_t exponent = uint64_t(unit + format.mantissaBits + format.bias());
  if (exponent >= format.allOnes())
    return overflowOf(format, value.isNegative, mode);
  return exponent << format.mantissaBits | (kept - one);
}

static uint64_t floatBits(Format format, const Exact &value, RoundMode mode) {
  if (value.kind == Exact::Kind::NaN)
    return format.nan();
  uint64_t magnitude =
      value.kind == Exact::Kind::Infinite ? format.infinity() : finiteFloat(format, value, mode);
  return uint64_t(value.isNegative) << format.signBit() | magnitude;
}

/// The nearest value that the integer type has.
static uint64_t saturated(ScalarType type, const Exact &value, RoundMode mode) {
  if (value.kind == Exact::Kind::NaN)
    return 0;
  const ScalarInfo &row = info(type);
  bool isSigned = row.kind == ScalarKind::Signed;
  uint64_t most = ~uint64_t(0) >> (64 - row.bits + isSigned);
  uint64_t limit = value.isNegative ? (isSigned ? most + 1 : 0) : most;
  bool isHuge = value.kind == Exact::Kind::Infinite;
  if (value.mantissa != 0 && value.exponent > 0)
    isHuge |= value.exponent > int(llvm::countl_zero(value.mantissa));
  uint64_t magnitude = limit;
  if (!isHuge)
    magnitude = std::min(
        limit,
        value.mantissa ? roundOff(value.mantissa, -value.exponent, value.isNegative, mode) : 0);
  return value.isNegative ? 0 - magnitude : magnitude;
}

static uint64_t integerBits(const Conversion &how, const Exact &value) {
  RoundMode mode = how.mode == RoundMode::CAST_NONE ? RoundMode::CAST_TRUNC : how.mode;
  if (!how.wraps)
    return saturated(how.to, value, mode);
  if (info(how.from).isFloat()) // Through an i32, as the vector unit does.
    return saturated(ScalarType::I32, value, mode);
  return value.isNegative ? 0 - value.mantissa : value.mantissa;
}

uint64_t convertElement(const Conversion &how, uint64_t bits) {
  Exact value = info(how.from).isFloat() ? exactFloat(formatOf(how.from), bits)
                                         : exactInteger(how.from, bits);
  if (!info(how.to).isFloat())
    return integerBits(how, value);
  bool toWhole = how.to == how.from && value.kind == Exact::Kind::Finite && value.exponent < 0;
  if (toWhole) {
    value.mantissa = roundOff(value.mantissa, -value.exponent, value.isNegative, how.mode);
    value.exponent = 0;
  }
  return floatBits(formatOf(how.to), value, how.mode);
}

} // namespace pto
