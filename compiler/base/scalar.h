//===- scalar.h - element types and their values ----------------*- C++ -*-===//
#ifndef PTO_BASE_SCALAR_H
#define PTO_BASE_SCALAR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pto {

enum class ScalarType : uint8_t {
#define PTO_SCALAR(Enum, Name, Bits, Kind) Enum,
#include "base/scalar.def"
};

inline constexpr unsigned kScalarTypeCount = 0
#define PTO_SCALAR(Enum, Name, Bits, Kind) +1
#include "base/scalar.def"
    ;

enum class ScalarKind : uint8_t { Bool, Signed, Unsigned, Float };

/// One row of scalar.def.
struct ScalarInfo {
  llvm::StringLiteral name;
  uint8_t bits;
  ScalarKind kind;

  [[nodiscard]] unsigned bytes() const { return bits / 8u; }
  [[nodiscard]] bool isInteger() const {
    return kind == ScalarKind::Signed || kind == ScalarKind::Unsigned;
  }
  [[nodiscard]] bool isFloat() const { return kind == ScalarKind::Float; }
};

[[nodiscard]] const ScalarInfo &info(ScalarType type);
[[nodiscard]] std::optional<ScalarType> scalarTypeByName(llvm::StringRef name);

/// A value of any scalar type in 64 bits, the form that registers and constants hold: integers are
/// sign- or zero-extended to 64 bits by their type, floats are held as the bits of an f32 that the
/// type can represent, bool is 0 or 1.
using ScalarBits = uint64_t;

/// Wraps or rounds a value to what the type can hold (two's complement; nearest, ties to even).
[[nodiscard]] ScalarBits normalise(ScalarType type, ScalarBits bits);
[[nodiscard]] ScalarBits fromDouble(ScalarType type, double value);
[[nodiscard]] double toDouble(ScalarType type, ScalarBits bits);
[[nodiscard]] ScalarBits convert(ScalarType to, ScalarType from, ScalarBits bits);

/// Memory form: `bytes` little-endian bytes of the type's own encoding (f16, bf16 as 16 bits).
[[nodiscard]] ScalarBits loadScalar(ScalarType type, const uint8_t *from);
void storeScalar(ScalarType type, uint8_t *to, ScalarBits bits);

/// As a person reads it: `-3`, `1.5`, `true`.
[[nodiscard]] std::string formatScalar(ScalarType type, ScalarBits bits);

} // namespace pto

#endif
