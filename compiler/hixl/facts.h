//===- facts.h - questions about HIXL, answered by hixl.def -----*- C++ -*-===//
//
// No policy: what follows from an answer is decided by rules and by the engine that runs it.
// M, S and F are the three engines behind the API: comm domain, client and server, fabric memory.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_FACTS_H
#define PTO_HIXL_FACTS_H

#include "hixl/set.h"
#include "target/platform.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pto {

enum class HixlStatus : uint8_t {
#define PTO_HIXL_STATUS(Enum, ...) Enum,
#include "hixl/hixl.def"
};
enum class HixlTransferStatus : uint8_t {
#define PTO_HIXL_TRANSFER_STATUS(Enum, ...) Enum,
#include "hixl/hixl.def"
};
enum class HixlConnectStatus : uint8_t {
#define PTO_HIXL_CONNECT_STATUS(Enum, ...) Enum,
#include "hixl/hixl.def"
};
enum class HixlEngine : uint8_t {
#define PTO_HIXL_ENGINE(Enum, ...) Enum,
#include "hixl/hixl.def"
};
/// Of memory; an endpoint beside it has the same place.
enum class HixlMemType : uint8_t {
#define PTO_HIXL_MEM_TYPE(Enum, ...) Enum,
#include "hixl/hixl.def"
};
enum class HixlOp : uint8_t {
#define PTO_HIXL_OP(Enum, ...) Enum,
#include "hixl/hixl.def"
};
enum class HixlFeature : uint8_t {
#define PTO_HIXL_FEATURE(Enum, ...) Enum,
#include "hixl/hixl.def"
};
enum class HixlLimit : uint8_t {
#define PTO_HIXL_LIMIT(Enum, ...) Enum,
#include "hixl/hixl.def"
};

using HixlEngines = HixlSet<HixlEngine>;

struct HixlStatusInfo {
  llvm::StringLiteral name;
  int32_t code;
  bool isRecoverable; ///< By the documents.
  bool breaksLink[3]; ///< By engine: a transfer that ends so.
  llvm::StringLiteral text;
};
/// A row of an enumeration that the API numbers.
struct HixlValueInfo {
  llvm::StringLiteral name;
  int32_t number;
  bool isSeen; ///< Some engine produces, or supports it.
  llvm::StringLiteral text;
};
struct HixlEngineInfo {
  llvm::StringLiteral letter;
  llvm::StringLiteral name;
  llvm::StringLiteral text;
  llvm::StringLiteral selectedBy;
};
struct HixlDifference {
  llvm::StringLiteral what;
  llvm::StringLiteral on[3]; ///< By engine.
  llvm::StringLiteral source;
};
struct HixlMemTypeInfo {
  llvm::StringLiteral name;
  int32_t number;
  llvm::StringLiteral placement; ///< Of an endpoint: "device".
  llvm::StringLiteral letter;
  llvm::StringLiteral text;
};
struct HixlPlatformInfo {
  Platform platform;
  llvm::StringLiteral soc;
  HixlEngine engine; ///< That no option selects.
  HixlEngines engines;
  int32_t nicPort; ///< 0: chosen by itself.
  llvm::StringLiteral text;
  llvm::StringLiteral source;
};

[[nodiscard]] llvm::ArrayRef<HixlStatusInfo> hixlStatuses();
[[nodiscard]] llvm::ArrayRef<HixlValueInfo> hixlTransferStatuses();
[[nodiscard]] llvm::ArrayRef<HixlValueInfo> hixlConnectStatuses();
[[nodiscard]] llvm::ArrayRef<HixlEngineInfo> hixlEngines();
[[nodiscard]] llvm::ArrayRef<HixlDifference> hixlDifferences();
[[nodiscard]] llvm::ArrayRef<HixlMemTypeInfo> hixlMemTypes();
[[nodiscard]] llvm::ArrayRef<HixlValueInfo> hixlOps();
[[nodiscard]] llvm::ArrayRef<HixlValueInfo> hixlFeatures();
[[nodiscard]] llvm::ArrayRef<LimitInfo> hixlLimits();

[[nodiscard]] const HixlStatusInfo &info(HixlStatus status);
[[nodiscard]] const HixlEngineInfo &info(HixlEngine engine);
[[nodiscard]] const HixlMemTypeInfo &info(HixlMemType type);
[[nodiscard]] const HixlPlatformInfo &hixlOn(Platform platform);
[[nodiscard]] int64_t limit(HixlLimit which);

/// Whether a transfer that ends so leaves the link unusable until disconnect and connect.
[[nodiscard]] inline bool breaksLink(HixlStatus status, HixlEngine engine) {
  return info(status).breaksLink[size_t(engine)];
}

/// What `get_capability` answers for a number: SUCCESS and 1 or 0, or PARAM_INVALID.
struct HixlCapability {
  HixlStatus status;
  int32_t value;
};
[[nodiscard]] HixlCapability hixlCapability(int64_t feature);

} // namespace pto

#endif
