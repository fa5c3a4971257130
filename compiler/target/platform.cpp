#include "target/platform.h"

#include "base/check.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

static constexpr PlatformInfo kPlatforms[] = {
#define PTO_PLATFORM(Enum, Name, Meaning, Ub, Aiv, Head, Gm)                                       \
  {llvm::StringLiteral(Name), llvm::StringLiteral(Meaning), Ub, Aiv, Head, Gm},
#include "target/platform.def"
};

static constexpr TraitInfo kTraits[] = {
#define PTO_TRAIT(Enum, A2, A3, A5, Ascend950, Title, Meaning, Source)                             \
  {{A2, A3, A5, Ascend950},                                                                        \
   llvm::StringLiteral(Title),                                                                     \
   llvm::StringLiteral(Meaning),                                                                   \
   llvm::StringLiteral(Source)},
#include "target/platform.def"
};
static_assert(std::size(kPlatforms) == std::extent_v<decltype(TraitInfo::values)>,
              "each platform has a column in PTO_TRAIT");

static constexpr llvm::StringLiteral kLeastCann =
#define PTO_LEAST_CANN(Version, Source) llvm::StringLiteral(Version);
#include "target/platform.def"

    static constexpr EngineInfo kEngines[] = {
#define PTO_ENGINE(P, E, Put, Get, Needs, Post, Latency, Gap, Rate)                                \
  {Platform::P,                                                                                    \
   DmaEngine::E,                                                                                   \
   TransferMode::Put,                                                                              \
   TransferMode::Get,                                                                              \
   llvm::StringLiteral(Needs),                                                                     \
   Post,                                                                                           \
   Latency,                                                                                        \
   Gap,                                                                                            \
   Rate},
#include "target/platform.def"
};

static constexpr LimitInfo kLimits[] = {
#define PTO_LIMIT(Enum, Value, Meaning, Source)                                                    \
  {llvm::StringLiteral(#Enum), Value, llvm::StringLiteral(Meaning), llvm::StringLiteral(Source)},
#include "target/platform.def"
};

static constexpr LimitInfo kCosts[] = {
#define PTO_COST(Enum, Ps, Meaning, Source)                                                        \
  {llvm::StringLiteral(#Enum), Ps, llvm::StringLiteral(Meaning), llvm::StringLiteral(Source)},
#include "target/platform.def"
};

llvm::ArrayRef<PlatformInfo> platforms() { return kPlatforms; }
llvm::ArrayRef<TraitInfo> traits() { return kTraits; }
int64_t trait(Platform platform, Trait which) {
  return kTraits[size_t(which)].values[size_t(platform)];
}
llvm::ArrayRef<EngineInfo> engineRows() { return kEngines; }
llvm::ArrayRef<LimitInfo> limits() { return kLimits; }
llvm::ArrayRef<LimitInfo> costs() { return kCosts; }
int64_t limit(Limit which) { return kLimits[size_t(which)].value; }
int64_t cost(Cost which) { return kCosts[size_t(which)].value; }

const PlatformInfo &info(Platform platform) {
  PTO_CHECK(size_t(platform) < std::size(kPlatforms), "platform out of its table");
  return kPlatforms[size_t(platform)];
}

std::string Target::text() const {
  std::string text = info(platform).name.str();
  if (cann != Target().cann)
    text += ",cann=" + cann.getAsString();
  if (!nic.empty())
    text += ",nic=" + nic;
  return text;
}

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

static llvm::Error parseOption(Target &target, llvm::StringRef option) {
  auto [key, value] = option.split('=');
  if (key == "cann") {
    if (target.cann.tryParse(value))
      return refuse("'" + value + "' is no CANN version; write it as cann=9.1.0");
    llvm::VersionTuple least;
    if (!least.tryParse(kLeastCann) && target.cann < least)
      return refuse("CANN " + value + " has no communication instructions; they begin with " +
                    kLeastCann);
    return llvm::Error::success();
  }
  if (key == "nic") {
    if (value != "hns1825")
      return refuse("'" + value + "' is no known NIC; hns1825 is the one that RDMA supports");
    target.nic = value.str();
    return llvm::Error::success();
  }
  return refuse("'" + option + "' is no option of a target; there are cann=VERSION and nic=NAME");
}

llvm::Expected<Target> parseTarget(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ',');
  Target target;
  bool found = false;
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (size_t i = 0; i != std::size(kPlatforms); ++i) {
    names.push_back(kPlatforms[i].name);
    if (kPlatforms[i].name != parts.front().trim())
      continue;
    target.platform = Platform(i);
    found = true;
  }
  if (!found)
    return refuse("'" + parts.front() + "' is no target; there are " + llvm::join(names, ", "));
  for (llvm::StringRef option : llvm::ArrayRef(parts).drop_front())
    if (llvm::Error failed = parseOption(target, option.trim()))
      return failed;
  return target;
}

/// Whether the target meets a row's condition; an unknown condition is met by nothing.
static bool meets(const Target &target, llvm::StringRef needs) {
  if (needs.empty())
    return true;
  if (needs.consume_front("nic="))
    return target.nic == needs;
  llvm::VersionTuple least;
  if (needs.consume_front("cann>=") && !least.tryParse(needs))
    return target.cann >= least;
  return false;
}

const EngineInfo *engineOn(const Target &target, DmaEngine engine, std::string *why) {
  for (const EngineInfo &row : kEngines) {
    if (row.platform != target.platform || row.engine != engine)
      continue;
    if (meets(target, row.needs))
      return &row;
    if (why)
      *why = ("it needs " + row.needs + " (--target " + info(target.platform).name + "," +
              llvm::StringRef(row.needs).split('=').first.rtrim('>') + "=" +
              llvm::StringRef(row.needs).split('=').second + ")")
                 .str();
    return nullptr;
  }
  if (why) {
    llvm::SmallVector<std::string, 3> have;
    for (const EngineInfo &row : kEngines)
      if (row.platform == target.platform)
        have.push_back(name(row.engine).str());
    *why = "it has " + llvm::join(have, " and ");
  }
  return nullptr;
}

} // namespace pto
