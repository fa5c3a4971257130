#include "hixl/facts.h"

#include "base/check.h"

namespace pto {

static constexpr HixlStatusInfo kStatuses[] = {
#define PTO_HIXL_STATUS(Enum, Name, Code, Recoverable, M, S, F, Text)                              \
  {llvm::StringLiteral(Name), Code, Recoverable, {M, S, F}, llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

static constexpr HixlValueInfo kTransferStatuses[] = {
#define PTO_HIXL_TRANSFER_STATUS(Enum, Name, Number, Produced, Text)                               \
  {llvm::StringLiteral(Name), Number, Produced, llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

static constexpr HixlValueInfo kConnectStatuses[] = {
#define PTO_HIXL_CONNECT_STATUS(Enum, Name, Number, Text)                                          \
  {llvm::StringLiteral(Name), Number, true, llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

static constexpr HixlEngineInfo kEngines[] = {
#define PTO_HIXL_ENGINE(Enum, Letter, Name, Meaning, Selected)                                     \
  {llvm::StringLiteral(Letter), llvm::StringLiteral(Name), llvm::StringLiteral(Meaning),           \
   llvm::StringLiteral(Selected)},
#include "hixl/hixl.def"
};
static_assert(std::size(kEngines) == std::extent_v<decltype(HixlDifference::on)>,
              "each engine has a column in PTO_HIXL_DIFFERENCE and PTO_HIXL_STATUS");

static constexpr HixlDifference kDifferences[] = {
#define PTO_HIXL_DIFFERENCE(What, M, S, F, Source)                                                 \
  {llvm::StringLiteral(What),                                                                      \
   {llvm::StringLiteral(M), llvm::StringLiteral(S), llvm::StringLiteral(F)},                       \
   llvm::StringLiteral(Source)},
#include "hixl/hixl.def"
};

static constexpr HixlMemTypeInfo kMemTypes[] = {
#define PTO_HIXL_MEM_TYPE(Enum, Name, Number, Placement, Letter, Text)                             \
  {llvm::StringLiteral(Name), Number, llvm::StringLiteral(Placement), llvm::StringLiteral(Letter), \
   llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

static constexpr HixlValueInfo kOps[] = {
#define PTO_HIXL_OP(Enum, Name, Number, Text)                                                      \
  {llvm::StringLiteral(Name), Number, true, llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

static constexpr HixlValueInfo kFeatures[] = {
#define PTO_HIXL_FEATURE(Enum, Name, Number, Supported, Text)                                      \
  {llvm::StringLiteral(Name), Number, Supported, llvm::StringLiteral(Text)},
#include "hixl/hixl.def"
};

static constexpr LimitInfo kHixlLimits[] = {
#define PTO_HIXL_LIMIT(Enum, Value, Text, Source)                                                  \
  {llvm::StringLiteral(#Enum), Value, llvm::StringLiteral(Text), llvm::StringLiteral(Source)},
#include "hixl/hixl.def"
};

namespace {
using enum HixlEngine;
constexpr HixlPlatformInfo kHixlPlatforms[] = {
#define ENGINES(...) HixlEngines(__VA_ARGS__)
#define PTO_HIXL_PLATFORM(Where, Soc, Default, Engines, Port, Text, Source)                        \
  {Platform::Where,           llvm::StringLiteral(Soc),   Default, Engines, Port,                  \
   llvm::StringLiteral(Text), llvm::StringLiteral(Source)},
#include "hixl/hixl.def"
#undef ENGINES
};
} // namespace

llvm::ArrayRef<HixlStatusInfo> hixlStatuses() { return kStatuses; }
llvm::ArrayRef<HixlValueInfo> hixlTransferStatuses() { return kTransferStatuses; }
llvm::ArrayRef<HixlValueInfo> hixlConnectStatuses() { return kConnectStatuses; }
llvm::ArrayRef<HixlEngineInfo> hixlEngines() { return kEngines; }
llvm::ArrayRef<HixlDifference> hixlDifferences() { return kDifferences; }
llvm::ArrayRef<HixlMemTypeInfo> hixlMemTypes() { return kMemTypes; }
llvm::ArrayRef<HixlValueInfo> hixlOps() { return kOps; }
llvm::ArrayRef<HixlValueInfo> hixlFeatures() { return kFeatures; }
llvm::ArrayRef<LimitInfo> hixlLimits() { return kHixlLimits; }

const HixlStatusInfo &info(HixlStatus status) {
  PTO_CHECK(size_t(status) < std::size(kStatuses), "status out of its table");
  return kStatuses[size_t(status)];
}
const HixlEngineInfo &info(HixlEngine engine) {
  PTO_CHECK(size_t(engine) < std::size(kEngines), "engine out of its table");
  return kEngines[size_t(engine)];
}
const HixlMemTypeInfo &info(HixlMemType type) {
  PTO_CHECK(size_t(type) < std::size(kMemTypes), "kind of memory out of its table");
  return kMemTypes[size_t(type)];
}
int64_t limit(HixlLimit which) { return kHixlLimits[size_t(which)].value; }

const HixlPlatformInfo &hixlOn(Platform platform) {
  for (const HixlPlatformInfo &row : kHixlPlatforms)
    if (row.platform == platform)
      return row;
  PTO_UNREACHABLE("a platform without a row in PTO_HIXL_PLATFORM");
}

HixlCapability hixlCapability(int64_t feature) {
  if (feature < 0)
    return {HixlStatus::ParamInvalid, 0};
  for (const HixlValueInfo &row : kFeatures)
    if (row.number == feature)
      return {HixlStatus::Success, row.isSeen};
  return {HixlStatus::Success, 0};
}

} // namespace pto
