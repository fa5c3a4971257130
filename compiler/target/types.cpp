#include "target/types.h"

#include "base/check.h"
#include "base/list_text.h"

#include "llvm/ADT/SmallVector.h"

namespace pto {

namespace {
/// A set of platforms.
struct Platforms {
  template <typename... Each>
  constexpr explicit Platforms(Each... each) : bits(((1u << unsigned(each)) | ...)) {}
  [[nodiscard]] constexpr bool contains(Platform platform) const {
    return bits >> unsigned(platform) & 1u;
  }
  uint32_t bits;
};
struct TypesRow {
  Platforms platforms;
  TypeUse use;
  ElementTypes types;
  Transports by; ///< None: it is no matter of transports.
};
struct ConvertRow {
  Platforms platforms;
  ScalarType from;
  ElementTypes saturating;
  ElementTypes wrapping;
};
} // namespace

#define OF(...) Platforms(__VA_ARGS__)
#define TYPES(...) ElementTypes(__VA_ARGS__)
#define BY(...) Transports(__VA_ARGS__)

static llvm::ArrayRef<TypesRow> typesRows() {
  using enum Platform;
  using enum ScalarType;
  using enum Transport;
  static constexpr TypesRow kRows[] = {
#define PTO_TYPES(On, Use, Types, Source) {On, TypeUse::Use, Types, Transports()},
#define PTO_AMO(On, By, Use, Types, Source) {On, TypeUse::Use, Types, By},
#include "target/platform.def"
  };
  return kRows;
}

static llvm::ArrayRef<ConvertRow> convertRows() {
  using enum Platform;
  using enum ScalarType;
  static constexpr ConvertRow kRows[] = {
#define PTO_CONVERT(On, From, Saturating, Wrapping, Source) {On, From, Saturating, Wrapping},
#include "target/platform.def"
  };
  return kRows;
}

#undef OF
#undef TYPES
#undef BY

llvm::ArrayRef<TypeUseInfo> typeUses() {
  static constexpr TypeUseInfo kUses[] = {
#define PTO_USE(Enum, Meaning) {llvm::StringLiteral(#Enum), llvm::StringLiteral(Meaning)},
#include "target/platform.def"
  };
  return kUses;
}

std::string ElementTypes::text() const {
  llvm::SmallVector<llvm::StringRef, kScalarTypeCount> names;
  for (unsigned i = 0; i != kScalarTypeCount; ++i)
    if (contains(ScalarType(i)))
      names.push_back(info(ScalarType(i)).name);
  return listText(names);
}

TypeUse useOf(AmoOp op, bool fetches) {
  switch (op) {
  case AmoOp::Add:
    return fetches ? TypeUse::AmoFetchAdd : TypeUse::AmoAdd;
  case AmoOp::Inc:
  case AmoOp::Fetch:
    return TypeUse::AmoFetchAdd;
  case AmoOp::Set:
  case AmoOp::Swap:
    return TypeUse::AmoSet;
  case AmoOp::CompareSwap:
    return TypeUse::AmoCompare;
  case AmoOp::And:
  case AmoOp::Or:
  case AmoOp::Xor:
    return TypeUse::AmoBits;
  }
  PTO_UNREACHABLE("atomic operation");
}

ElementTypes typesFor(Platform platform, TypeUse use, Transports by) {
  ElementTypes types;
  for (const TypesRow &row : typesRows())
    if (row.use == use && row.platforms.contains(platform) &&
        (row.by.empty() || by.empty() || !(row.by & by).empty()))
      types = types | row.types;
  return types;
}

ElementTypes convertsTo(Platform platform, ScalarType from) {
  ElementTypes types;
  for (const ConvertRow &row : convertRows())
    if (row.from == from && row.platforms.contains(platform))
      types = types | row.saturating | row.wrapping;
  return types;
}

/// The Use column of tile_op.def.
static TypeUse useOf(TileOp op) {
  static constexpr TypeUse kUses[] = {
#define PTO_TILE_OP(Enum, Name, Form, Fn, Use, Meaning, Source) TypeUse::Use,
#include "base/tile_op.def"
  };
  return kUses[size_t(op)];
}

std::optional<TypeRefusal> refusalOf(Platform platform, TileOp op, ScalarType type,
                                     ScalarType from) {
  if (info(op).form != TileForm::Convert) {
    ElementTypes types = typesFor(platform, useOf(op));
    if (types.contains(type))
      return std::nullopt;
    return TypeRefusal{info(type).name.str(), types.text()};
  }
  ElementTypes types = convertsTo(platform, from);
  if (types.contains(type))
    return std::nullopt;
  std::string source = info(from).name.str();
  return TypeRefusal{source + " to " + info(type).name.str(), types.empty()
                                                                  ? "other sources than " + source
                                                                  : source + " to " + types.text()};
}

bool conversionWraps(Platform platform, ScalarType from, ScalarType to) {
  for (const ConvertRow &row : convertRows())
    if (row.from == from && row.platforms.contains(platform) && row.wrapping.contains(to))
      return true;
  return false;
}

} // namespace pto
