#include "target/topology_file.h"

#include "base/check.h"
#include "base/list_text.h"
#include "base/nesting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

namespace pto {

static constexpr size_t kMostNesting = 8;
static constexpr size_t kMostLinks = 64;
static constexpr size_t kMostLevels = 16;
static constexpr size_t kMostPairs = 65536;
static constexpr size_t kMostName = 40;
static constexpr size_t kMostBytes = size_t(8) << 20;

namespace {
struct Bounds {
  double least, most;
  llvm::StringLiteral text;
};
} // namespace
static constexpr Bounds kGbPerS{0.001, 1e6, llvm::StringLiteral("0.001 to 1000000")};
static constexpr Bounds kLatencyUs{0, 1e6, llvm::StringLiteral("0 to 1000000")};

/// A rank reaches its own memory, whatever joins it to the others.
static constexpr LinkInfo kOwnMemory{
    "own memory", Transports(Transport::MTE, Transport::SDMA, Transport::UDMA, Transport::ROCE),
    ""};

const LinkInfo &GivenTopology::linkBetween(int32_t one, int32_t other) const {
  if (one == other)
    return kOwnMemory;
  if (auto pair = pairs.find(std::minmax(one, other)); pair != pairs.end())
    return links[pair->second];
  for (const TopologyLevel &level : levels)
    if (level.ranks == 0 || one / level.ranks == other / level.ranks)
      return links[level.link];
  PTO_UNREACHABLE("a topology whose last level does not hold all ranks");
}

namespace {
/// Reads one text; the first thing that is wrong ends it.
class Reader {
public:
  std::shared_ptr<GivenTopology> given = std::make_shared<GivenTopology>();
  std::string why; ///< Empty: nothing is wrong yet.

  void read(const llvm::json::Value &value);

private:
  using Object = llvm::json::Object;
  using Take = llvm::function_ref<void(const Object &, const std::string &)>;

  void fail(const std::string &where, const llvm::Twine &what) {
    if (why.empty())
      why = ("`" + where + "` " + what).str();
  }
  void checkKeys(const Object &object, const std::string &where,
                 llvm::ArrayRef<llvm::StringRef> known);
  void forEach(const Object &object, llvm::StringRef key, size_t most, Take take);
  std::string nameIn(const Object &object, const std::string &where);
  std::optional<double> numberIn(const Object &object, llvm::StringRef key,
                                 const std::string &where, const Bounds &bounds);
  uint8_t linkIn(const Object &object, const std::string &where);
  void takeLink(const Object &object, const std::string &where);
  void takeCarried(const Object &object, const std::string &where, LinkInfo &link, bool isNew);
  void takeLevel(const Object &object, const std::string &where);
  void takePair(const Object &object, const std::string &where);
  void checkLevels();
};
} // namespace

void Reader::checkKeys(const Object &object, const std::string &where,
                       llvm::ArrayRef<llvm::StringRef> known) {
  llvm::SmallVector<llvm::StringRef, 8> others;
  for (const auto &[key, value] : object)
    if (!llvm::is_contained(known, llvm::StringRef(key)))
      others.push_back(key);
  if (others.empty())
    return;
  llvm::sort(others); // An object has no order of its own.
  std::string shown;
  for (char c : others.front().take_front(kMostName))
    shown += llvm::isPrint(c) ? c : '?';
  fail(where, "has a key \"" + shown + "\"; there are " + listText(known));
}

void Reader::forEach(const Object &object, llvm::StringRef key, size_t most, Take take) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return;
  const llvm::json::Array *array = value->getAsArray();
  if (!array)
    return fail(key.str(), "is no list");
  if (array->size() > most)
    return fail(key.str(), "has more than " + llvm::Twine(most) + " entries");
  for (size_t i = 0; i != array->size(); ++i) {
    std::string where = key.str() + "[" + std::to_string(i) + "]";
    if (const Object *entry = (*array)[i].getAsObject())
      take(*entry, where);
    else
      fail(where, "is no object");
  }
}

/// Names stand in messages and in the trace.
std::string Reader::nameIn(const Object &object, const std::string &where) {
  std::optional<llvm::StringRef> name = object.getString("name");
  bool isFine =
      name && !name->empty() && name->size() <= kMostName &&
      llvm::all_of(*name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
  if (!isFine)
    fail(where,
         "has no \"name\" of letters, digits, `_` and `-`, " + llvm::Twine(kMostName) + " at most");
  return isFine ? name->str() : std::string();
}

std::optional<double> Reader::numberIn(const Object &object, llvm::StringRef key,
                                       const std::string &where, const Bounds &bounds) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return std::nullopt;
  std::optional<double> number = value->getAsNumber();
  if (number && *number >= bounds.least && *number <= bounds.most)
    return number;
  fail(where, "has a \"" + key + "\" that is no number from " + bounds.text);
  return std::nullopt;
}

uint8_t Reader::linkIn(const Object &object, const std::string &where) {
  std::optional<llvm::StringRef> name = object.getString("link");
  auto known = llvm::find_if(given->links, [&](const LinkInfo &link) { return link.name == name; });
  if (known != given->links.end())
    return uint8_t(known - given->links.begin());
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (const LinkInfo &link : given->links)
    names.push_back(link.name);
  fail(where, "names no \"link\" that there is: " + listText(names));
  return 0;
}

void Reader::takeCarried(const Object &object, const std::string &where, LinkInfo &link,
                         bool isNew) {
  const llvm::json::Array *carried = object.getArray("carries");
  if (!carried) {
    if (isNew || object.get("carries"))
      fail(where, "does not say what it \"carries\": a list of MTE, SDMA, UDMA, ROCE");
    return;
  }
  link.carries = Transports();
  for (const llvm::json::Value &value : *carried) {
    std::optional<llvm::StringRef> name = value.getAsString();
    std::optional<uint8_t> number = name ? info(IsaEnum::Transport).number(*name) : std::nullopt;
    if (!number)
      return fail(where, "\"carries\" what is no transport; there are MTE, SDMA, UDMA and ROCE");
    link.carries.add(Transport(*number));
  }
}

void Reader::takeLink(const Object &object, const std::string &where) {
  checkKeys(object, where, {"name", "carries", "gb_per_s", "latency_us"});
  std::string name = nameIn(object, where);
  auto known = llvm::find_if(given->links, [&](const LinkInfo &link) { return link.name == name; });
  bool isNew = known == given->links.end();
  if (isNew) {
    given->names.push_back(name);
    given->links.push_back({given->names.back(), Transports(), ""});
  }
  LinkInfo &link = isNew ? given->links.back() : *known;
  takeCarried(object, where, link, isNew);
  if (auto rate = numberIn(object, "gb_per_s", where, kGbPerS))
    link.bytesPerUs = int64_t(*rate * 1000);
  if (auto latency = numberIn(object, "latency_us", where, kLatencyUs))
    link.latencyPs = int64_t(*latency * 1e6);
}

void Reader::takeLevel(const Object &object, const std::string &where) {
  checkKeys(object, where, {"ranks", "link"});
  TopologyLevel level{0, linkIn(object, where)};
  if (object.get("ranks")) {
    std::optional<int64_t> ranks = object.getInteger("ranks");
    if (!ranks || *ranks < 1 || *ranks > limit(Limit::MaxRanks))
      return fail(where, "has \"ranks\" that are no number from 1 to " +
                             llvm::Twine(limit(Limit::MaxRanks)));
    level.ranks = int32_t(*ranks);
  }
  given->levels.push_back(level);
}

void Reader::takePair(const Object &object, const std::string &where) {
  checkKeys(object, where, {"ranks", "link"});
  const llvm::json::Array *ranks = object.getArray("ranks");
  std::optional<int64_t> ends[2];
  for (size_t i = 0; ranks && ranks->size() == 2 && i != 2; ++i)
    ends[i] = (*ranks)[i].getAsInteger();
  for (const std::optional<int64_t> &end : ends)
    if (!end || *end < 0 || *end >= limit(Limit::MaxRanks))
      return fail(where, "has no \"ranks\": a list of two from 0 to " +
                             llvm::Twine(limit(Limit::MaxRanks) - 1));
  if (*ends[0] == *ends[1])
    return fail(where, "joins a rank with itself");
  std::pair<int32_t, int32_t> key = std::minmax(int32_t(*ends[0]), int32_t(*ends[1]));
  if (!given->pairs.try_emplace(key, linkIn(object, where)).second)
    fail(where, "joins two ranks that an earlier pair joins");
}

/// Groups lie inside groups, and the last level leaves nobody out.
void Reader::checkLevels() {
  if (given->levels.empty())
    return fail("levels", "is missing: the last one joins all ranks, and has no \"ranks\"");
  for (size_t i = 0; i + 1 < given->levels.size(); ++i) {
    int32_t ranks = given->levels[i].ranks, around = given->levels[i + 1].ranks;
    std::string where = "levels[" + std::to_string(i) + "]";
    if (ranks == 0)
      return fail(where, "joins all ranks, so it has to be the last one");
    if (around != 0 && (around <= ranks || around % ranks != 0))
      return fail(where, "has groups of " + llvm::Twine(ranks) + ", and those around of " +
                             llvm::Twine(around) + " do not hold some of them whole");
  }
  if (given->levels.back().ranks != 0)
    fail("levels[" + std::to_string(given->levels.size() - 1) + "]",
         "is the last one, so it joins all ranks and has no \"ranks\"");
}

void Reader::read(const llvm::json::Value &value) {
  const Object *object = value.getAsObject();
  if (!object) {
    why = "it is no object";
    return;
  }
  checkKeys(*object, "{}", {"name", "links", "levels", "pairs"});
  if (object->get("name"))
    given->name = nameIn(*object, "{}");
  given->links.assign(links().begin(), links().end());
  forEach(*object, "links", kMostLinks,
          [&](const Object &o, const std::string &at) { takeLink(o, at); });
  forEach(*object, "levels", kMostLevels,
          [&](const Object &o, const std::string &at) { takeLevel(o, at); });
  checkLevels();
  forEach(*object, "pairs", kMostPairs,
          [&](const Object &o, const std::string &at) { takePair(o, at); });
}

llvm::Expected<Topology> readTopology(llvm::StringRef text, llvm::StringRef file) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "'" + file + "' is no topology: " + why);
  };
  if (text.size() > kMostBytes)
    return fail("it is larger than " + llvm::Twine(kMostBytes) + " bytes");
  if (isNestedDeeper(text, kMostNesting))
    return fail("it is nested too deep");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError()); // Its words speak of the parser.
    return fail("it is not JSON");
  }
  Reader reader;
  reader.read(*value);
  if (!reader.why.empty())
    return fail(reader.why);
  if (reader.given->name.empty())
    reader.given->name = file.str();
  Topology topology;
  topology.given = std::move(reader.given);
  return topology;
}

} // namespace pto
