//===- option.h - the keys that `initialize` takes, by option.def -*- C++ -*-===//
#ifndef PTO_HIXL_OPTION_H
#define PTO_HIXL_OPTION_H

#include "hixl/facts.h"

namespace pto {

enum class HixlOption : uint8_t {
#define PTO_HIXL_OPTION(Enum, ...) Enum,
#include "hixl/option.def"
};
/// A key of GlobalResourceConfig.
enum class HixlResource : uint8_t {
#define PTO_HIXL_RESOURCE(Enum, ...) Enum,
#include "hixl/option.def"
};
inline constexpr size_t kHixlResourceCount = 0
#define PTO_HIXL_RESOURCE(...) +1
#include "hixl/option.def"
    ;
enum class HixlVariable : uint8_t {
#define PTO_HIXL_VARIABLE(Enum, ...) Enum,
#include "hixl/option.def"
};
/// What a value is written as.
enum class HixlValue : uint8_t { Switch, Integer, Blocks, Json, Decimal, Truth, Protocols, Path };

struct HixlOptionInfo {
  llvm::StringLiteral key;
  llvm::StringLiteral legacy; ///< Read where the plain key is absent; empty: there is none.
  HixlEngines by;
  HixlValue type;
  int64_t least;
  int64_t most;
  llvm::StringLiteral fallback; ///< What holds without it.
  llvm::StringLiteral effect;
  llvm::StringLiteral source;
};
struct HixlResourceInfo {
  llvm::StringLiteral key;
  HixlEngines readBy;
  HixlEngines by; ///< Where it does something.
  HixlValue type;
  int64_t least;
  int64_t most;
  llvm::StringLiteral fallback;
  llvm::StringLiteral account; ///< The rule that holds its range.
  llvm::StringLiteral effect;
  llvm::StringLiteral source;
};
struct HixlVariableInfo {
  llvm::StringLiteral name;
  HixlEngines by;
  int64_t least;
  int64_t most;
  llvm::StringLiteral fallback;
  llvm::StringLiteral effect;
  llvm::StringLiteral source;
};

[[nodiscard]] llvm::ArrayRef<HixlOptionInfo> hixlOptions();
[[nodiscard]] llvm::ArrayRef<HixlResourceInfo> hixlResources();
[[nodiscard]] llvm::ArrayRef<HixlVariableInfo> hixlVariables();
[[nodiscard]] const HixlOptionInfo &info(HixlOption option);
[[nodiscard]] const HixlResourceInfo &info(HixlResource resource);
[[nodiscard]] const HixlVariableInfo &info(HixlVariable variable);

/// The number that holds where nothing is written; 0 where that is no number.
[[nodiscard]] int64_t fallbackNumber(llvm::StringRef fallback);
/// "M, S": the letters of engines.
[[nodiscard]] std::string textOf(HixlEngines engines);

} // namespace pto

#endif
