#include "hixl/option_reader.h"

#include "llvm/Support/MathExtras.h"

namespace pto {

static std::optional<llvm::StringRef> valueOf(llvm::ArrayRef<HixlText> pairs, llvm::StringRef key) {
  for (const auto &[name, value] : pairs)
    if (name == key)
      return value;
  return std::nullopt;
}

std::optional<llvm::StringRef> OptionReader::text(HixlOption which) const {
  const HixlOptionInfo &row = info(which);
  if (std::optional<llvm::StringRef> plain = valueOf(options, row.key))
    return plain;
  return row.legacy.empty() ? std::nullopt : valueOf(options, row.legacy);
}

std::optional<llvm::StringRef> OptionReader::variable(HixlVariable which) const {
  return valueOf(surroundings.variables, info(which).name);
}

static std::string range(int64_t least, int64_t most) {
  return "from " + std::to_string(least) + " to " + std::to_string(most);
}

namespace {
/// One of the two numbers of RDMA, which an option or a variable sets.
struct RdmaNumber {
  HixlOption option;
  HixlVariable variable;
  int64_t step;
  llvm::StringLiteral account;
  int64_t HixlConfig::*field;
};
} // namespace

static void readRdmaNumber(OptionReader &reader, const RdmaNumber &which) {
  const HixlOptionInfo &row = info(which.option);
  reader.config.*which.field = fallbackNumber(row.fallback);
  llvm::StringRef key = row.key;
  std::optional<llvm::StringRef> text = reader.text(which.option);
  if (!text || text->empty()) {
    key = info(which.variable).name;
    text = reader.variable(which.variable);
  }
  if (!text || text->empty())
    return;
  std::optional<int64_t> number = plainInteger(*text);
  if (number && *number >= row.least && *number <= row.most && *number % which.step == 0) {
    reader.config.*which.field = *number;
    return;
  }
  std::string wanted = range(row.least, row.most) +
                       (which.step > 1 ? " and a multiple of " + std::to_string(which.step) : "");
  reader.faults.error(which.account, key,
                      "`" + key + "` is " + quoted(*text) + ", but must be " + wanted + ".",
                      "Write a number " + wanted + "; without one it is " + row.fallback + ".");
}

void readRdma(OptionReader &reader) {
  static constexpr RdmaNumber kNumbers[] = {
      {HixlOption::RdmaTrafficClass, HixlVariable::TrafficClass, 4, "HX-OPT-08",
       &HixlConfig::trafficClass},
      {HixlOption::RdmaServiceLevel, HixlVariable::ServiceLevel, 1, "HX-OPT-09",
       &HixlConfig::serviceLevel},
  };
  for (const RdmaNumber &which : kNumbers)
    readRdmaNumber(reader, which);
}

void readSwitches(OptionReader &reader) {
  std::optional<llvm::StringRef> fabric = reader.text(HixlOption::EnableUseFabricMem);
  reader.isFabricMem = fabric && *fabric == "1";
  if (fabric && !fabric->empty() && *fabric != "0" && *fabric != "1")
    reader.faults.error("HX-OPT-02", info(HixlOption::EnableUseFabricMem).key,
                        "`EnableUseFabricMem` is " + quoted(*fabric) + ", but must be 0 or 1.",
                        "Write \"1\" for the fabric memory engine, or leave the option out.");
  std::optional<llvm::StringRef> connect = reader.text(HixlOption::AutoConnect);
  reader.config.autoConnect = connect && *connect == "1";
  if (connect && *connect != "0" && *connect != "1")
    reader.faults.error(
        "HX-OPT-03", info(HixlOption::AutoConnect).key,
        "`AutoConnect` is " + quoted(*connect) + ", but must be 0 or 1." +
            (connect->empty() ? " Other options may be empty; this one may not." : ""),
        "Write \"1\" for transfers that connect by themselves, or \"0\".");
}

/// Blocks and MB of "4:8". The bytes of one buffer fit 64 bits.
static std::optional<HixlRelay> parseRelay(llvm::StringRef text) {
  auto [blocks, mb] = text.split(':');
  std::optional<int64_t> count = plainInteger(blocks);
  std::optional<int64_t> size = plainInteger(mb);
  if (!count || !size || (*count == 0) != (*size == 0))
    return std::nullopt;
  int64_t bytes = 0;
  if (llvm::MulOverflow(*count, *size, bytes) ||
      llvm::MulOverflow<int64_t>(bytes, int64_t(1) << 20, bytes))
    return std::nullopt;
  return HixlRelay{*count, *size};
}

/// On S and F there is no relay, and the option may only say so.
static void checkNoRelay(OptionReader &reader, llvm::StringRef text) {
  bool isFabric = reader.config.engine == HixlEngine::FabricMem;
  llvm::StringLiteral account = isFabric ? llvm::StringLiteral("HX-OPT-05") : "HX-OPT-06";
  const HixlEngineInfo &engine = info(reader.config.engine);
  if (text != "0:0")
    reader.faults.error(account, info(HixlOption::BufferPool).key,
                        "`BufferPool` is " + quoted(text) + ", but these options select the " +
                            engine.name + " engine, which relays nothing and takes only 0:0.",
                        "Leave `BufferPool` out.");
  else if (isFabric)
    reader.faults.warn(account, info(HixlOption::BufferPool).key,
                       "`BufferPool` is given together with `EnableUseFabricMem`. The documents "
                       "want one of them at most, though 0:0 is let pass.",
                       "Leave `BufferPool` out.");
}

void readRelay(OptionReader &reader) {
  const HixlOptionInfo &row = info(HixlOption::BufferPool);
  std::optional<llvm::StringRef> text = reader.text(HixlOption::BufferPool);
  if (reader.config.engine != HixlEngine::CommDomain) {
    if (text)
      checkNoRelay(reader, *text);
    return;
  }
  llvm::StringRef blocks = text && !text->empty() ? *text : llvm::StringRef(row.fallback);
  std::optional<HixlRelay> relay = parseRelay(blocks);
  if (!relay)
    reader.faults.error("HX-OPT-04", row.key,
                        "`BufferPool` is " + quoted(blocks) +
                            ", but must be a number of blocks and their size in MB, both above 0 "
                            "and together within 64 bits, or 0:0 for no relay.",
                        "Write \"4:8\" for four blocks of 8 MB.");
  reader.config.relay = relay ? *relay : parseRelay(row.fallback).value_or(HixlRelay());
}

HixlEndpoints endpointsOf(const HixlConfig &config, const HixlDevice &device) {
  if (config.isGenerated)
    return generateEndpoints(device, config.protocolDesc, config.onlyRoce);
  return config.endpoints;
}

/// Default values of everything that the environment and GlobalResourceConfig set.
static void fillIn(HixlConfig &config, Platform platform) {
  for (size_t i = 0; i != kHixlResourceCount; ++i)
    config.numbers[i] = fallbackNumber(hixlResources()[i].fallback);
  config.numbers[size_t(HixlResource::ListenPort)] = hixlOn(platform).nicPort;
  config.retryCount = fallbackNumber(info(HixlVariable::RetryCount).fallback);
  config.retryTimeout = fallbackNumber(info(HixlVariable::RetryTimeout).fallback);
}

ParsedOptions parseHixlOptions(llvm::ArrayRef<HixlText> options, Platform platform,
                               const HixlSurroundings &surroundings) {
  OptionReader reader{options, platform, surroundings, {}, {}, {}, {}, {}, {}};
  fillIn(reader.config, platform);
  readRdma(reader);
  readSwitches(reader);
  readResources(reader);
  readLocalCommRes(reader);
  chooseEngine(reader);
  checkKeys(reader);
  readRelay(reader);
  readForEngine(reader);
  checkPlatform(reader);
  return {std::move(reader.config), reader.faults.rows(), reader.faults.status()};
}

} // namespace pto
