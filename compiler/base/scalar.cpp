#include "base/scalar.h"

#include "base/check.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace pto {

static constexpr ScalarInfo kRows[] = {
#define PTO_SCALAR(Enum, Name, Bits, Kind) {llvm::StringLiteral(Name), Bits, ScalarKind::Kind},
#include "base/scalar.def"
};

const ScalarInfo &info(ScalarType type) {
  PTO_CHECK(unsigned(type) < kScalarTypeCount, "scalar type out of its table");
  return kRows[unsigned(type)];
}

std::optional<ScalarType> scalarTypeByName(llvm::StringRef name) {
  for (unsigned i = 0; i != kScalarTypeCount; ++i)
    if (kRows[i].name == name)
      return ScalarType(i);
  return std::nullopt;
}

static float asFloat(ScalarBits bits) { return llvm::bit_cast<float>(uint32_t(bits)); }
static ScalarBits fromFloat(float value) { return llvm::bit_cast<uint32_t>(value); }

/// The format of a 16-bit float type.
static const llvm::fltSemantics &semantics(ScalarType type) {
  return type == ScalarType::F16 ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
}

/// Rounds to what a 16-bit type can hold and gives that type's own bits. From an f32 or a double: a
/// double that went through an f32 would be rounded twice.
static uint16_t narrow(ScalarType type, llvm::APFloat exact) {
  bool lost = false;
  exact.convert(semantics(type), llvm::APFloat::rmNearestTiesToEven, &lost);
  return uint16_t(exact.bitcastToAPInt().getZExtValue());
}

static float widen(ScalarType type, uint16_t bits) {
  llvm::APFloat exact(semantics(type), llvm::APInt(16, bits));
  bool lost = false;
  exact.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return exact.convertToFloat();
}

ScalarBits normalise(ScalarType type, ScalarBits bits) {
  const ScalarInfo &row = info(type);
  unsigned shift = 64u - row.bits;
  switch (row.kind) {
  case ScalarKind::Bool:
    return bits != 0;
  case ScalarKind::Signed:
    return ScalarBits(int64_t(bits << shift) >> shift);
  case ScalarKind::Unsigned:
    return bits << shift >> shift;
  case ScalarKind::Float:
    return type == ScalarType::F32
               ? uint32_t(bits)
               : fromFloat(widen(type, narrow(type, llvm::APFloat(asFloat(bits)))));
  }
  PTO_UNREACHABLE("scalar kind");
}

/// Saturates as the vector unit's float-to-integer conversion does; NaN becomes 0.
static ScalarBits integerFromDouble(const ScalarInfo &row, double value) {
  if (std::isnan(value))
    return 0;
  bool isSigned = row.kind == ScalarKind::Signed;
  double low = isSigned ? -std::ldexp(1.0, row.bits - 1) : 0.0;
  double high = std::ldexp(1.0, isSigned ? row.bits - 1 : row.bits); // Exclusive.
  if (value <= low)
    return isSigned ? ScalarBits(int64_t(low)) : 0;
  if (value >= high)
    return isSigned ? (ScalarBits(1) << (row.bits - 1)) - 1 : ~ScalarBits(0) >> (64 - row.bits);
  return isSigned ? ScalarBits(int64_t(value)) : ScalarBits(value);
}

ScalarBits fromDouble(ScalarType type, double value) {
  const ScalarInfo &row = info(type);
  if (type == ScalarType::F32)
    return fromFloat(float(value));
  if (row.isFloat())
    return fromFloat(widen(type, narrow(type, llvm::APFloat(value))));
  if (row.kind == ScalarKind::Bool)
    return value != 0;
  return integerFromDouble(row, value);
}

double toDouble(ScalarType type, ScalarBits bits) {
  switch (info(type).kind) {
  case ScalarKind::Signed:
    return double(int64_t(bits));
  case ScalarKind::Bool:
  case ScalarKind::Unsigned:
    return double(bits);
  case ScalarKind::Float:
    return asFloat(bits);
  }
  PTO_UNREACHABLE("scalar kind");
}

ScalarBits convert(ScalarType to, ScalarType from, ScalarBits bits) {
  // Integers wrap as a C cast does; everything that involves a float goes through a double, which
  // holds every f32 and every 32-bit integer exactly.
  if (!info(to).isFloat() && !info(from).isFloat())
    return normalise(to, bits);
  if (info(to).isFloat() && info(from).isFloat())
    return normalise(to, bits);
  if (to == ScalarType::F32 && info(from).isInteger()) // One rounding, also from 64 bits.
    return fromFloat(info(from).kind == ScalarKind::Signed ? float(int64_t(bits)) : float(bits));
  if (info(to).isFloat() && info(from).isInteger()) {
    llvm::APFloat value(semantics(to));
    value.convertFromAPInt(llvm::APInt(64, bits), info(from).kind == ScalarKind::Signed,
                           llvm::APFloat::rmNearestTiesToEven);
    return fromFloat(widen(to, uint16_t(value.bitcastToAPInt().getZExtValue())));
  }
  return fromDouble(to, toDouble(from, bits));
}

ScalarBits loadScalar(ScalarType type, const uint8_t *from) {
  uint64_t raw = 0;
  std::memcpy(&raw, from, info(type).bytes()); // Little-endian hosts only, as the target is.
  if (type == ScalarType::F16 || type == ScalarType::BF16)
    return fromFloat(widen(type, uint16_t(raw)));
  return normalise(type, raw);
}

void storeScalar(ScalarType type, uint8_t *to, ScalarBits bits) {
  uint64_t raw = bits;
  if (type == ScalarType::F16 || type == ScalarType::BF16)
    raw = narrow(type, llvm::APFloat(asFloat(bits)));
  std::memcpy(to, &raw, info(type).bytes());
}

std::string formatScalar(ScalarType type, ScalarBits bits) {
  std::string text;
  llvm::raw_string_ostream out(text);
  switch (info(type).kind) {
  case ScalarKind::Bool:
    out << (bits ? "true" : "false");
    break;
  case ScalarKind::Signed:
    out << int64_t(bits);
    break;
  case ScalarKind::Unsigned:
    out << bits;
    break;
  case ScalarKind::Float: {
    // The fewest digits that read back as the same value.
    char digits[32];
    std::to_chars_result end = std::to_chars(std::begin(digits), std::end(digits), asFloat(bits));
    out << llvm::StringRef(digits, size_t(end.ptr - digits));
    break;
  }
  }
  return text;
}

} // namespace pto
