//===- choose.cpp - which engine the options select, and what it makes of them ---===//
#include "hixl/option_reader.h"

#include "base/near.h"

namespace pto {

static constexpr llvm::StringLiteral kLocalCommRes = "LocalCommRes";

/// The text of the file that a path names; absent: nothing is known of it, or it is at fault.
static std::optional<llvm::StringRef> readFile(OptionReader &reader, llvm::StringRef path) {
  if (!reader.surroundings.files)
    return std::nullopt;
  const HixlResourceInfo &row = info(HixlResource::LocalCommResPath);
  int64_t most = limit(HixlLimit::ResourceFileBytes);
  std::string why = "there is no such file";
  for (const auto &[name, text] : *reader.surroundings.files) {
    if (name != path)
      continue;
    if (!text.empty() && int64_t(text.size()) <= most)
      return text;
    why = "it has " + std::to_string(text.size()) + " bytes, and 1 to " + std::to_string(most) +
          " are read";
  }
  reader.faults.error(row.account, row.key,
                      "`" + row.key + "` is " + quoted(path) + ", but " + why + ".",
                      "Name a file with the text of `LocalCommRes`.");
  return std::nullopt;
}

void readLocalCommRes(OptionReader &reader) {
  std::optional<llvm::StringRef> text = reader.text(HixlOption::LocalCommRes);
  const llvm::json::Value *value = reader.resource(HixlResource::LocalCommResPath);
  std::optional<llvm::StringRef> path = value ? stringIn(*value) : std::nullopt;
  bool hasPath = path && !path->empty();
  if (text && !text->empty()) {
    reader.localCommResText = text;
    if (hasPath)
      reader.faults.warn("HX-OPT-32", info(HixlResource::LocalCommResPath).key,
                         "`LocalCommRes` is given too, so the file " + quoted(*path) +
                             " is never read.",
                         "Keep one of the two.");
  } else if (hasPath) {
    reader.localCommResText = readFile(reader, *path);
  }
}

/// A version that selects M says so, unless it is one that M is meant by.
static void sayVersion(OptionReader &reader, const llvm::json::Value *version) {
  std::optional<llvm::StringRef> text = version ? stringIn(*version) : std::nullopt;
  bool isOfM = text && (*text == "1.0" || *text == "1.2");
  bool isDocumented = hixlOn(reader.platform).engines.contains(HixlEngine::CommDomain);
  if (isOfM && isDocumented)
    return;
  std::string what = version ? "the version " + shown(*version) : "no version";
  std::string why = ", which is none of \"1.0\", \"1.2\" and \"1.3\". It selects the comm-domain "
                    "engine without a word.";
  if (version && digitsIn(*version) == "1.3")
    why = " as a number. Only the string \"1.3\" selects the client-server engine; this selects "
          "the comm-domain engine without a word.";
  if (isOfM)
    why = ", which selects the comm-domain engine. No document has that engine on " +
          info(reader.platform).name.str() + ".";
  if (!version)
    why = ", so it selects the comm-domain engine without a word.";
  reader.faults.warn("HX-OPT-26", kLocalCommRes, "`LocalCommRes` has " + what + why,
                     "Write \"version\": \"1.3\" for endpoints of the client-server engine.");
}

/// Whether LocalCommRes selects an engine; absent: it has no text.
static std::optional<HixlEngine> engineOfResources(OptionReader &reader) {
  if (!reader.localCommResText)
    return std::nullopt;
  HixlJson json = parseHixlJson(*reader.localCommResText);
  if (!json.value) {
    reader.faults.error("HX-OPT-26", kLocalCommRes, "`LocalCommRes` is no JSON: " + json.why + ".",
                        "Write {\"version\": \"1.3\"} for a list that is made from the device.");
    return std::nullopt;
  }
  const llvm::json::Object *object = json.value->getAsObject();
  const llvm::json::Value *version = object ? object->get("version") : nullptr;
  std::optional<llvm::StringRef> text = version ? stringIn(*version) : std::nullopt;
  HixlEngine engine = HixlEngine::CommDomain;
  if (text && *text == "1.3")
    engine = HixlEngine::ClientServer;
  else
    sayVersion(reader, version);
  reader.localCommRes = std::move(json.value);
  return engine;
}

static bool hasProtocolDesc(const OptionReader &reader) {
  const llvm::json::Value *value = reader.resource(HixlResource::ProtocolDesc);
  if (!value)
    return false;
  if (const llvm::json::Array *array = value->getAsArray())
    return !array->empty();
  std::optional<llvm::StringRef> text = stringIn(*value);
  return !text || !text->empty();
}

void chooseEngine(OptionReader &reader) {
  HixlEngine &engine = reader.config.engine;
  engine = hixlOn(reader.platform).engine;
  if (reader.isFabricMem)
    engine = HixlEngine::FabricMem;
  else if (std::optional<HixlEngine> chosen = engineOfResources(reader))
    engine = *chosen;
  else if (hasProtocolDesc(reader))
    engine = HixlEngine::ClientServer;
}

/// How an unknown option may have been meant: a sentence, or nothing.
static std::string hintFor(llvm::StringRef key) {
  NearestName nearest(key);
  for (const HixlResourceInfo &row : hixlResources()) {
    if (row.key == key)
      return " It is a key inside the JSON of `GlobalResourceConfig`.";
    nearest.consider(row.key);
  }
  for (const HixlVariableInfo &row : hixlVariables())
    if (row.name == key)
      return " It is a variable of the environment.";
  for (const HixlOptionInfo &row : hixlOptions()) {
    nearest.consider(row.key);
    if (!row.legacy.empty())
      nearest.consider(row.legacy);
  }
  return nearest.best().empty() ? "" : " Did you mean `" + nearest.best() + "`?";
}

static const HixlOptionInfo *rowOf(llvm::StringRef key) {
  for (const HixlOptionInfo &row : hixlOptions())
    if (row.key == key || (!row.legacy.empty() && row.legacy == key))
      return &row;
  return nullptr;
}

void checkKeys(OptionReader &reader) {
  const HixlEngineInfo &engine = info(reader.config.engine);
  for (const auto &[key, value] : reader.options) {
    const HixlOptionInfo *row = rowOf(key);
    if (!row)
      reader.faults.error("HX-OPT-01", key,
                          quoted(key) +
                              " is no option of HIXL, and initialize refuses what it does "
                              "not know." +
                              hintFor(key),
                          "Mend the key, or leave it out.");
    else if (!row->by.contains(reader.config.engine))
      reader.faults.error("HX-OPT-07", key,
                          "`" + key + "` is given, but these options select the " + engine.name +
                              " engine, which refuses the key with any value, even 0.",
                          "Leave `" + key + "` out.");
  }
}

} // namespace pto
