//===- resources.cpp - the JSON of GlobalResourceConfig ----------------------===//
#include "hixl/option_reader.h"

#include "base/near.h"

namespace pto {

static constexpr llvm::StringLiteral kOption = "GlobalResourceConfig";
/// The one group that may be an object of its own, with the short names of its keys.
static constexpr llvm::StringLiteral kNested = "fabric_memory";

const llvm::json::Value *OptionReader::resource(HixlResource which) const {
  const llvm::json::Object *object = resourceObject();
  if (!object)
    return nullptr;
  llvm::StringRef key = info(which).key;
  if (const llvm::json::Value *value = object->get(key))
    return value;
  auto [group, name] = key.split('.');
  const llvm::json::Object *nested = group == kNested ? object->getObject(group) : nullptr;
  return nested ? nested->get(name) : nullptr;
}

/// How a key that does nothing may have been meant: a sentence, or nothing.
static std::string hintFor(llvm::StringRef key) {
  NearestName nearest(key);
  for (const HixlResourceInfo &row : hixlResources()) {
    auto [group, name] = llvm::StringRef(row.key).split('.');
    if (group == key && !name.empty())
      return " Its keys are written with a dot, as `" + row.key.str() + "`" +
             (key == kNested ? ", or inside an object." : ".");
    if (name == key)
      return " Did you mean `" + row.key.str() + "`?";
    nearest.consider(row.key);
  }
  return nearest.best().empty() ? "" : " Did you mean `" + nearest.best() + "`?";
}

static bool isKnown(llvm::StringRef key) {
  return llvm::any_of(hixlResources(), [&](const HixlResourceInfo &row) { return row.key == key; });
}

static void sayUnknown(OptionReader &reader, llvm::StringRef key) {
  reader.faults.warn("HX-OPT-12", key,
                     "`" + kOption + "` has the key " + quoted(key) +
                         ", which HIXL does not know and drops without a word." + hintFor(key),
                     "Mend the key, or leave it out.");
}

/// Keys come in the order of a hash, so they are sorted first.
static llvm::SmallVector<llvm::StringRef> keysOf(const llvm::json::Object &object) {
  llvm::SmallVector<llvm::StringRef> keys;
  for (const auto &entry : object)
    keys.push_back(entry.first);
  llvm::sort(keys);
  return keys;
}

static void checkResourceKeys(OptionReader &reader) {
  for (llvm::StringRef key : keysOf(*reader.resourceObject())) {
    const llvm::json::Value &value = *reader.resourceObject()->get(key);
    const llvm::json::Object *nested = key == kNested ? value.getAsObject() : nullptr;
    if (!nested && !isKnown(key))
      sayUnknown(reader, key);
    if (!nested)
      continue;
    for (llvm::StringRef name : keysOf(*nested))
      if (std::string full = (kNested + "." + name).str(); !isKnown(full))
        sayUnknown(reader, full);
  }
}

/// What holds where the key is left out.
static std::string fallbackOf(const OptionReader &reader, HixlResource which) {
  if (which != HixlResource::ListenPort)
    return "it is " + info(which).fallback.str();
  int32_t port = hixlOn(reader.platform).nicPort;
  return port == 0 ? "the device chooses one" : "it is " + std::to_string(port);
}

static void readInteger(OptionReader &reader, HixlResource which) {
  const HixlResourceInfo &row = info(which);
  const llvm::json::Value &value = *reader.resource(which);
  std::string wanted = row.most == UINT32_MAX ? std::to_string(row.least) + " or more"
                                              : "from " + std::to_string(row.least) + " to " +
                                                    std::to_string(row.most);
  std::string mend =
      "Write an integer " + wanted + "; without the key " + fallbackOf(reader, which) + ".";
  std::optional<int64_t> number = integerIn(value);
  if (!number)
    reader.faults.error("HX-OPT-13", row.key,
                        "`" + row.key + "` is " + shown(value) +
                            ", which is no integer and no string of digits.",
                        mend);
  else if (*number < row.least || *number > row.most)
    reader.faults.error(row.account, row.key,
                        "`" + row.key + "` is " + shown(value) + ", but must be " + wanted + ".",
                        mend);
  else
    reader.config.numbers[size_t(which)] = *number;
}

static void readTruth(OptionReader &reader, HixlResource which) {
  const llvm::json::Value &value = *reader.resource(which);
  llvm::StringRef key = info(which).key;
  if (std::optional<bool> truth = value.getAsBoolean())
    reader.config.numbers[size_t(which)] = *truth;
  else
    reader.faults.error(info(which).account, key,
                        "`" + key + "` is " + shown(value) +
                            ", but must be true or false without quotes.",
                        "Write true or false.");
}

static void readPath(OptionReader &reader, HixlResource which) {
  const llvm::json::Value &value = *reader.resource(which);
  std::optional<llvm::StringRef> path = stringIn(value);
  llvm::StringRef key = info(which).key;
  if (!path || path->empty())
    reader.faults.error(info(which).account, key,
                        "`" + key + "` is " + shown(value) + ", but must be the path of a file.",
                        "Name a file with the text of `LocalCommRes`, or leave the key out.");
}

/// The value 1 is the one that a transfer on the AICPU has.
static void checkUnfold(OptionReader &reader) {
  int64_t streams = reader.config.number(HixlResource::TaskStreams);
  if (streams == 1 || reader.config.number(HixlResource::AicpuUnfold) == 0)
    return;
  bool isStated = reader.resource(HixlResource::AicpuUnfold);
  llvm::StringRef key = info(HixlResource::TaskStreams).key;
  llvm::StringRef unfold = info(HixlResource::AicpuUnfold).key;
  reader.faults.error("HX-OPT-16", key,
                      "`" + key + "` is " + llvm::Twine(streams) + " while `" + unfold + "` is " +
                          (isStated ? "true" : "left at true") +
                          ". The AICPU unfolds a batch on one stream.",
                      "Write `" + unfold + "`: false, or one stream.");
}

static void readValues(OptionReader &reader) {
  for (size_t i = 0; i != kHixlResourceCount; ++i) {
    const HixlResourceInfo &row = hixlResources()[i];
    // What one engine alone looks at is read when it is chosen.
    bool isReadByAll = row.readBy == info(HixlResource::ConnectThreads).readBy;
    if (!isReadByAll || !reader.resource(HixlResource(i)))
      continue;
    if (row.type == HixlValue::Integer)
      readInteger(reader, HixlResource(i));
    else if (row.type == HixlValue::Truth)
      readTruth(reader, HixlResource(i));
    else if (row.type == HixlValue::Path)
      readPath(reader, HixlResource(i));
  }
  checkUnfold(reader);
}

void readResources(OptionReader &reader) {
  reader.resourcesText = reader.text(HixlOption::GlobalResourceConfig);
  if (!reader.resourcesText || reader.resourcesText->empty())
    return;
  HixlJson json = parseHixlJson(*reader.resourcesText);
  if (!json.value || !json.value->getAsObject()) {
    std::string why = json.value ? "it is " + shown(*json.value) + ", not an object" : json.why;
    reader.faults.error("HX-OPT-10", kOption, "`" + kOption + "` is no JSON object: " + why + ".",
                        "Write {\"connect_pool.thread_num\": 4}, with keys in double quotes.");
    return;
  }
  reader.resources = std::move(json.value);
  readValues(reader);
  checkResourceKeys(reader);
}

} // namespace pto
