//===- types.h - which element types a platform takes for what -*- C++ -*-===//
//
// The rows PTO_TYPES and PTO_CONVERT of platform.def, asked by the checker before running and by
// the engines again, since bytecode may have been written by hand.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TARGET_TYPES_H
#define PTO_TARGET_TYPES_H

#include "base/scalar.h"
#include "base/tile_op.h"
#include "target/topology.h"

namespace pto {

/// What is done with the elements of a tile.
enum class TypeUse : uint8_t {
#define PTO_USE(Enum, Meaning) Enum,
#include "target/platform.def"
};
struct TypeUseInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral meaning;
};
[[nodiscard]] llvm::ArrayRef<TypeUseInfo> typeUses();

/// A set of element types.
class ElementTypes {
public:
  constexpr ElementTypes() = default;
  template <typename... Types> constexpr explicit ElementTypes(Types... types) {
    ((bits_ |= uint16_t(1u << unsigned(types))), ...);
  }
  [[nodiscard]] constexpr bool contains(ScalarType type) const {
    return bits_ >> unsigned(type) & 1u;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr ElementTypes operator|(ElementTypes other) const {
    ElementTypes both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  /// "i16, i32, f16 and f32", in the order of scalar.def; "nothing" for none.
  [[nodiscard]] std::string text() const;

private:
  uint16_t bits_ = 0;
  static_assert(kScalarTypeCount <= 16);
};

/// What an atomic operation does with its element; `fetches`: it brings the old value back.
[[nodiscard]] TypeUse useOf(AmoOp op, bool fetches);
/// An operation that only fetches has no form that fetches nothing.
[[nodiscard]] constexpr bool onlyFetches(AmoOp op) {
  return op == AmoOp::Fetch || op == AmoOp::Swap || op == AmoOp::CompareSwap;
}
/// Of an atomic operation: by any of these transports; none given: by whatever the platform has.
[[nodiscard]] ElementTypes typesFor(Platform platform, TypeUse use, Transports by = Transports());
/// What tcvt makes of a type on a platform.
[[nodiscard]] ElementTypes convertsTo(Platform platform, ScalarType from);
/// Of such a pair: whether a value that does not fit keeps its low bits instead of saturating.
[[nodiscard]] bool conversionWraps(Platform platform, ScalarType from, ScalarType to);

/// What an operation on tiles asks of a platform and does not get: "u8", and "i16, i32 and f32".
struct TypeRefusal {
  std::string wanted;
  std::string taken;
};
/// `from` counts for a conversion only.
[[nodiscard]] std::optional<TypeRefusal> refusalOf(Platform platform, TileOp op, ScalarType type,
                                                   ScalarType from);

} // namespace pto

#endif
