//===- inner_flag.h - derived from inner_flag.def ----------------*- C++ -*-===//
#ifndef PTO_BASE_INNER_FLAG_H
#define PTO_BASE_INNER_FLAG_H

#include "base/isa.h"

#include <utility>

namespace pto {

enum class InnerFlags : uint8_t {
#define PTO_INNER_FLAGS(Enum, Who, Extra, Pairs) Enum,
#include "base/inner_flag.def"
};

struct InnerFlagsInfo {
  llvm::ArrayRef<std::pair<Pipe, Pipe>> pairs;
  unsigned extraIds;
};
[[nodiscard]] const InnerFlagsInfo &info(InnerFlags which);

/// What a session uses; none for an engine that polls through hardware. `putsInside`: whether a put
/// moves inside of the call, which depends on the platform.
[[nodiscard]] std::optional<InnerFlags> sessionFlags(DmaEngine engine, bool putsInside);

/// The first id that no operation uses, however many tiles take turns; sessions have any.
[[nodiscard]] unsigned firstFreeFlagId();

} // namespace pto

#endif
