//===- isa.h - the ISA's enumerations, derived from isa.def -----*- C++ -*-===//
#ifndef PTO_BASE_ISA_H
#define PTO_BASE_ISA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace pto {

#define VALUE(Name, Number) Name = Number,
#define PTO_ENUM(Type, Meaning, Values) enum class Type : uint8_t { Values };
#include "base/isa.def"
#undef VALUE

/// Names an enumeration of isa.def.
enum class IsaEnum : uint8_t {
#define PTO_ENUM(Type, Meaning, Values) Type,
#include "base/isa.def"
};

struct IsaValue {
  llvm::StringLiteral name;
  uint8_t number;
};

/// One row of isa.def.
struct IsaEnumInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral meaning;
  llvm::ArrayRef<IsaValue> values;

  [[nodiscard]] std::optional<uint8_t> number(llvm::StringRef name) const;
  /// The enumerator's name, or "?" for a number that has none.
  [[nodiscard]] llvm::StringRef valueName(uint64_t number) const;
};

[[nodiscard]] llvm::ArrayRef<IsaEnumInfo> isaEnums();
[[nodiscard]] const IsaEnumInfo &info(IsaEnum which);

inline llvm::StringRef name(NotifyOp v) { return info(IsaEnum::NotifyOp).valueName(uint8_t(v)); }
inline llvm::StringRef name(WaitCmp v) { return info(IsaEnum::WaitCmp).valueName(uint8_t(v)); }
inline llvm::StringRef name(DmaEngine v) { return info(IsaEnum::DmaEngine).valueName(uint8_t(v)); }
inline llvm::StringRef name(AmoOp v) { return info(IsaEnum::AmoOp).valueName(uint8_t(v)); }
inline llvm::StringRef name(Transport v) { return info(IsaEnum::Transport).valueName(uint8_t(v)); }
inline llvm::StringRef name(Route v) { return info(IsaEnum::Route).valueName(uint8_t(v)); }
inline llvm::StringRef name(Pipe v) { return info(IsaEnum::Pipe).valueName(uint8_t(v)); }

/// Whether `held cmp wanted` is true, in signed int32 as the hardware compares.
[[nodiscard]] bool holds(WaitCmp cmp, int32_t held, int32_t wanted);

} // namespace pto

#endif
