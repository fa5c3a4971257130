//===- engine_options.cpp - what the chosen engine and the platform say -----===//
#include "hixl/option_reader.h"

namespace pto {

/// Only what one engine looks at; a key that the chosen one leaves alone does nothing.
static void sayIdle(OptionReader &reader) {
  for (size_t i = 0; i != kHixlResourceCount; ++i) {
    const HixlResourceInfo &row = hixlResources()[i];
    if (row.by.contains(reader.config.engine) || !reader.resource(HixlResource(i)))
      continue;
    bool isPool = llvm::StringRef(row.key).starts_with("channel_pool.");
    reader.faults.warn("HX-OPT-21", row.key,
                       "`" + row.key + "` does nothing on the " + info(reader.config.engine).name +
                           " engine, which these options select." +
                           (isPool ? " Its transfers do not connect by themselves as those of a "
                                     "pool do."
                                   : ""),
                       "Leave the key out, or choose the options of " + textOf(row.by) + ".");
  }
}

static std::optional<std::string> digitsOf(const OptionReader &reader, HixlResource which) {
  const llvm::json::Value *value = reader.resource(which);
  if (!value)
    return std::nullopt;
  return digitsIn(*value).value_or(shown(*value));
}

static void readPool(OptionReader &reader) {
  HixlPoolText text{digitsOf(reader, HixlResource::MaxChannel),
                    digitsOf(reader, HixlResource::HighWaterline),
                    digitsOf(reader, HixlResource::LowWaterline)};
  reader.config.pool = readHixlPool(text, reader.faults);
  if (reader.config.pool)
    reader.config.numbers[size_t(HixlResource::MaxChannel)] = reader.config.pool->max;
}

static bool has(llvm::ArrayRef<HixlEndpointKind> kinds, HixlProtocol protocol) {
  return llvm::any_of(kinds, [&](HixlEndpointKind kind) { return kind.protocol == protocol; });
}

static void checkDescMix(OptionReader &reader) {
  const HixlKinds &desc = reader.config.protocolDesc;
  if (!has(desc, HixlProtocol::Uboe) || !has(desc, HixlProtocol::UbRtp))
    return;
  llvm::StringRef key = info(HixlResource::ProtocolDesc).key;
  llvm::StringLiteral text = "`comm_resource_config.protocol_desc` names both uboe:device and "
                             "ub_rtp:device. A device has one of the two as its way out.";
  llvm::StringLiteral mend = "Keep the one that the driver reports.";
  if (reader.config.isGenerated)
    reader.faults.error("HX-OPT-24", key, text, mend);
  else
    reader.faults.warn("HX-OPT-24", key, text, mend);
}

/// Whether some endpoint of a made list stays, whatever the driver reports.
static bool mayKeepGenerated(const OptionReader &reader) {
  const HixlKinds &desc = reader.config.protocolDesc;
  // A device's way out is not known here: any that the driver could report may be the one.
  if (has(desc, HixlProtocol::Uboe) || has(desc, HixlProtocol::UbRtp))
    return true;
  return llvm::any_of(generatedKinds(reader.platform, std::nullopt, desc),
                      [&](HixlEndpointKind kind) { return admits(desc, kind); });
}

static std::string textOf(llvm::ArrayRef<HixlEndpointKind> kinds) {
  std::string text;
  for (HixlEndpointKind kind : kinds)
    text += (text.empty() ? "" : ", ") + kind.text();
  return text;
}

static void checkSomeStay(OptionReader &reader, bool hadAny) {
  const HixlConfig &config = reader.config;
  if (config.protocolDesc.empty())
    return;
  bool isLeft =
      config.isGenerated ? mayKeepGenerated(reader) : !hadAny || !config.endpoints.list.empty();
  if (isLeft)
    return;
  llvm::StringRef key = info(HixlResource::ProtocolDesc).key;
  std::string list = config.isGenerated ? "the list that is made from a device of " +
                                              info(reader.platform).name.str()
                                        : "`endpoint_list`";
  reader.faults.error("HX-OPT-25", key,
                      "`" + key + "` lets only " + textOf(config.protocolDesc) + " stay, and " +
                          list + " has none of that: no endpoint is left.",
                      config.isGenerated
                          ? llvm::Twine("Name a kind that the device has, or list the endpoints in "
                                        "`LocalCommRes`.")
                          : llvm::Twine("Name a kind that the list has."));
}

static void filterListed(OptionReader &reader) {
  HixlConfig &config = reader.config;
  filterEndpoints(config.endpoints, config.protocolDesc, false);
  bool hadAny = !config.endpoints.list.empty();
  filterEndpoints(config.endpoints, {}, config.onlyRoce);
  if (hadAny && config.endpoints.list.empty())
    reader.faults.warn("HX-OPT-25", info(HixlVariable::IntraRoce).name,
                       "HCCL_INTRA_ROCE_ENABLE is 1, which takes every endpoint but those of roce "
                       "out of the list, and none is left. No connect will find a pair.",
                       "List an endpoint of roce, or unset the variable.");
}

static void readEndpointOptions(OptionReader &reader) {
  HixlConfig &config = reader.config;
  if (const llvm::json::Value *value = reader.resource(HixlResource::ProtocolDesc))
    config.protocolDesc = readProtocolDesc(*value, reader.platform, reader.faults);
  if (reader.localCommRes && reader.localCommRes->getAsObject())
    config.endpoints =
        readEndpoints(*reader.localCommRes->getAsObject(), reader.platform, reader.faults);
  bool hadAny = !config.endpoints.list.empty();
  // A list that is at fault is no list to be made anew.
  config.isGenerated = config.endpoints.netInstance.empty();
  checkDescMix(reader);
  filterListed(reader);
  checkSomeStay(reader, hadAny);
}

namespace {
/// A variable of S that counts something; a connect looks at it, not `initialize`.
struct CountVariable {
  HixlVariable variable;
  int64_t HixlConfig::*field;
};
} // namespace

static void readConnectVariables(OptionReader &reader) {
  static constexpr CountVariable kCounts[] = {
      {HixlVariable::RetryCount, &HixlConfig::retryCount},
      {HixlVariable::RetryTimeout, &HixlConfig::retryTimeout},
  };
  for (const CountVariable &each : kCounts) {
    const HixlVariableInfo &row = info(each.variable);
    std::optional<llvm::StringRef> text = reader.variable(each.variable);
    if (!text || text->empty())
      continue;
    std::optional<int64_t> number = plainInteger(*text);
    if (number && *number >= row.least && *number <= row.most) {
      reader.config.*each.field = *number;
      continue;
    }
    reader.config.connectStatus = HixlStatus::ParamInvalid;
    reader.faults.error("", row.name,
                        row.name + " is " + quoted(*text) + ", but must be from " +
                            llvm::Twine(row.least) + " to " + llvm::Twine(row.most) +
                            ". Initialize does not look at it; every connect is PARAM_INVALID.",
                        "Set a number in that range; without the variable it is " + row.fallback +
                            ".",
                        HixlStatus::Success);
  }
}

/// M looks at the JSON where the other engines pass over an empty text.
static void checkEmptyResources(OptionReader &reader) {
  if (!reader.resourcesText || !reader.resourcesText->empty())
    return;
  llvm::StringRef key = info(HixlOption::GlobalResourceConfig).key;
  if (reader.config.engine == HixlEngine::CommDomain)
    reader.faults.error("HX-OPT-11", key,
                        "`" + key +
                            "` is empty. The comm-domain engine, which these options "
                            "select, reads it as JSON and refuses it.",
                        "Leave the option out, or write {}.");
  else
    reader.faults.warn("HX-OPT-11", key,
                       "`" + key + "` is empty. The " + info(reader.config.engine).name +
                           " engine passes over it; the comm-domain engine would refuse it.",
                       "Leave the option out, or write {}.");
}

void readForEngine(OptionReader &reader) {
  checkEmptyResources(reader);
  switch (reader.config.engine) {
  case HixlEngine::CommDomain:
    readPool(reader);
    break;
  case HixlEngine::ClientServer: {
    std::optional<llvm::StringRef> intra = reader.variable(HixlVariable::IntraRoce);
    reader.config.onlyRoce = intra && *intra == "1";
    readEndpointOptions(reader);
    readConnectVariables(reader);
    break;
  }
  case HixlEngine::FabricMem:
    break;
  }
  sayIdle(reader);
}

static void checkVersions(OptionReader &reader) {
  static const llvm::VersionTuple kHdk(25, 5);
  bool isFabric = reader.config.engine == HixlEngine::FabricMem;
  llvm::VersionTuple cann = isFabric ? llvm::VersionTuple(9, 0) : llvm::VersionTuple(9, 1);
  bool isListed = reader.localCommRes && reader.config.engine == HixlEngine::ClientServer;
  if (!isFabric && !isListed)
    return;
  std::string what = isFabric ? "The fabric memory engine" : "`LocalCommRes` of version 1.3";
  llvm::StringRef key =
      isFabric ? info(HixlOption::EnableUseFabricMem).key : info(HixlOption::LocalCommRes).key;
  auto check = [&](llvm::StringRef part, const llvm::VersionTuple &has,
                   const llvm::VersionTuple &least) {
    if (!has.empty() && has < least)
      reader.faults.warn("HX-PLAT-05", key,
                         what + " needs " + part + " " + least.getAsString() + ", and " +
                             has.getAsString() + " is there. Initialize fails on the cluster.",
                         "Update it, or choose other options.");
  };
  check("HDK", reader.surroundings.hdk, kHdk);
  check("CANN", reader.surroundings.cann, cann);
}

void checkPlatform(OptionReader &reader) {
  const HixlPlatformInfo &row = hixlOn(reader.platform);
  checkVersions(reader);
  if (reader.isFabricMem && !row.engines.contains(HixlEngine::FabricMem))
    reader.faults.error("HX-PLAT-01", info(HixlOption::EnableUseFabricMem).key,
                        "`EnableUseFabricMem` is 1, and " + info(reader.platform).name +
                            " has no fabric memory: A3 alone maps the memory of its peers.",
                        "Leave the option out, or choose the target a3.", HixlStatus::Unsupported);
  std::optional<llvm::StringRef> text = reader.text(HixlOption::LocalCommRes);
  bool hasList = (text && !text->empty()) || reader.resource(HixlResource::LocalCommResPath);
  if (row.engine == HixlEngine::ClientServer && !reader.isFabricMem && !hasList)
    reader.faults.warn("HX-OPT-38", info(HixlOption::LocalCommRes).key,
                       "Neither `LocalCommRes` nor `local_comm_res_path` is given. The documents "
                       "want one of them on the 950; the library makes a list from the device "
                       "instead, which needs root and a driver that can tell.",
                       "Give `LocalCommRes` with version \"1.3\".");
}

} // namespace pto
