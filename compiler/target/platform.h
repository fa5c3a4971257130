//===- platform.h - questions about a target, answered by platform.def -*- C++ -*-===//
//
// No policy: what follows from an answer is decided by rules (check) and by engines (run).
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TARGET_PLATFORM_H
#define PTO_TARGET_PLATFORM_H

#include "base/isa.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/VersionTuple.h"

#include <string>

namespace pto {

enum class Platform : uint8_t {
#define PTO_PLATFORM(Enum, Name, Meaning, Ub, Aiv, Head, Gm) Enum,
#include "target/platform.def"
};

struct PlatformInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral meaning;
  int64_t ubBytes;
  int32_t cores;
  int64_t windowHeadBytes;
  int64_t gmBytes;
};
[[nodiscard]] llvm::ArrayRef<PlatformInfo> platforms();
[[nodiscard]] const PlatformInfo &info(Platform platform);

/// A number that differs between platforms: a row of PTO_TRAIT.
enum class Trait : uint8_t {
#define PTO_TRAIT(Enum, A2, A3, A5, Ascend950, Title, Meaning, Source) Enum,
#include "target/platform.def"
};
struct TraitInfo {
  int64_t values[4]; ///< By platform.
  llvm::StringLiteral title;
  llvm::StringLiteral meaning;
  llvm::StringLiteral source;
};
[[nodiscard]] llvm::ArrayRef<TraitInfo> traits();
[[nodiscard]] int64_t trait(Platform platform, Trait which);

/// Whether a transfer is done by a queue later or by the core inside the call.
enum class TransferMode : uint8_t { Async, Sync };

/// A row of the engine table. Times in picoseconds.
struct EngineInfo {
  Platform platform;
  DmaEngine engine;
  TransferMode put;
  TransferMode get;
  llvm::StringLiteral needs;
  int64_t postPs;
  int64_t latencyPs;
  int64_t gapPs;
  int64_t bytesPerUs;
};

/// A platform with the options that decide what it has: `ascend950,cann=9.1.0,nic=hns1825`.
struct Target {
  Platform platform = Platform::A3;
  llvm::VersionTuple cann{9, 1, 0};
  std::string nic; ///< Empty: none stated, so nothing that needs one is there.

  [[nodiscard]] std::string text() const;
};
inline constexpr llvm::StringLiteral kDefaultTarget = "a3";
[[nodiscard]] llvm::Expected<Target> parseTarget(llvm::StringRef text);

/// The engine's row for the target, or null with the reason in `why` ("a3 has SDMA only", "it needs
/// nic=hns1825").
[[nodiscard]] const EngineInfo *engineOn(const Target &target, DmaEngine engine,
                                         std::string *why = nullptr);
/// All rows, for the capability matrix.
[[nodiscard]] llvm::ArrayRef<EngineInfo> engineRows();

enum class Limit : uint8_t {
#define PTO_LIMIT(Enum, Value, Meaning, Source) Enum,
#include "target/platform.def"
};
struct LimitInfo {
  llvm::StringLiteral name;
  int64_t value;
  llvm::StringLiteral meaning;
  llvm::StringLiteral source;
};
[[nodiscard]] llvm::ArrayRef<LimitInfo> limits();
[[nodiscard]] int64_t limit(Limit which);

enum class Cost : uint8_t {
#define PTO_COST(Enum, Ps, Meaning, Source) Enum,
#include "target/platform.def"
};
[[nodiscard]] llvm::ArrayRef<LimitInfo> costs();
/// Picoseconds, or bytes per microsecond where the row says so.
[[nodiscard]] int64_t cost(Cost which);
/// Time for bytes at a rate.
[[nodiscard]] constexpr int64_t transferPs(int64_t bytes, int64_t bytesPerUs) {
  return int64_t(__int128(bytes) * 1000000 / bytesPerUs);
}

} // namespace pto

#endif
