//===- local_comm_res.cpp - reading protocol_desc and endpoint lists ---------===//
#include "hixl/endpoint.h"
#include "hixl/identifier.h"

#include "base/list_text.h"
#include "base/near.h"

#include "llvm/ADT/StringExtras.h"

namespace pto {

/// What may be meant by a name that no protocol has: a sentence, or nothing.
static std::string hintFor(llvm::StringRef name) {
  for (const HixlFormerName &row : hixlFormerNames())
    if (row.name == name)
      return " " + row.text.str() + ".";
  NearestName nearest(name);
  for (const HixlProtocolInfo &row : hixlProtocols())
    if (!row.at.empty())
      nearest.consider(row.name);
  return nearest.best().empty() ? "" : " Did you mean `" + nearest.best() + "`?";
}

static std::string protocolNames() {
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (const HixlProtocolInfo &row : hixlProtocols())
    if (!row.at.empty())
      names.push_back(row.name);
  return listText(names);
}

static std::string placesOf(HixlPlaces places) {
  llvm::SmallVector<llvm::StringRef, 2> names;
  for (size_t i = 0; i != hixlMemTypes().size(); ++i)
    if (places.contains(HixlMemType(i)))
      names.push_back(hixlMemTypes()[i].placement);
  return listText(names, "or");
}

/// Reads a protocol and its place, with what the platform says of them.
static std::optional<HixlEndpointKind> readKind(llvm::StringLiteral account, llvm::StringRef key,
                                                llvm::StringRef protocol, llvm::StringRef place,
                                                HixlFaults &faults) {
  std::optional<HixlProtocol> which = hixlProtocolNamed(protocol);
  if (!which) {
    faults.error(account, key,
                 "`" + key + "` names " + quoted(protocol) + ", which is no protocol of HIXL." +
                     hintFor(protocol),
                 "There are " + protocolNames() + ".");
    return std::nullopt;
  }
  const HixlProtocolInfo &row = info(*which);
  std::optional<HixlMemType> at = hixlPlaceNamed(place);
  if (!at || !row.at.contains(*at)) {
    faults.error(account, key, "`" + key + "` places " + row.name + " at " + quoted(place) + ".",
                 "An endpoint of " + row.name + " is at " + placesOf(row.at) + ".");
    return std::nullopt;
  }
  return HixlEndpointKind{*which, *at};
}

static void checkPlatform(llvm::StringRef key, HixlEndpointKind kind, Platform platform,
                          HixlFaults &faults) {
  const HixlProtocolInfo &row = info(kind.protocol);
  if (!row.platforms.contains(platform)) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    for (size_t i = 0; i != platforms().size(); ++i)
      if (row.platforms.contains(Platform(i)))
        names.push_back(platforms()[i].name);
    bool isHccs = kind.protocol == HixlProtocol::Hccs;
    llvm::StringLiteral account = isHccs ? llvm::StringLiteral("HX-PLAT-02") : "HX-PLAT-03";
    faults.error(account, key,
                 "`" + key + "` wants " + kind.text() + ", and " + info(platform).name +
                     " has no " + row.name + ": no link can be made of it.",
                 row.name + " is there on " + listText(names) + ".",
                 isHccs ? HixlStatus::Success : HixlStatus::Failed);
  } else if (!row.links.contains(kind.place)) {
    faults.warn("HX-OPT-23", key,
                "`" + key + "` names " + kind.text() +
                    ", which is accepted, but no link ever begins from it.",
                "Links of " + row.name + " begin at " + placesOf(row.links) + ".");
  }
}

HixlKinds readProtocolDesc(const llvm::json::Value &value, Platform platform, HixlFaults &faults) {
  static constexpr llvm::StringLiteral kKey = "comm_resource_config.protocol_desc";
  llvm::SmallVector<llvm::StringRef, 8> items;
  bool isWellFormed = true;
  if (std::optional<llvm::StringRef> text = stringIn(value)) {
    if (!text->empty())
      items.push_back(*text);
  } else if (const llvm::json::Array *array = value.getAsArray()) {
    for (const llvm::json::Value &item : *array) {
      std::optional<llvm::StringRef> text = stringIn(item);
      isWellFormed &= text.has_value();
      items.push_back(text.value_or(""));
    }
  } else {
    isWellFormed = false;
  }
  if (!isWellFormed) {
    faults.error("HX-OPT-23", kKey,
                 "`" + kKey + "` is " + shown(value) +
                     ", but must be a string or an array of strings.",
                 "Write [\"roce:device\"].");
    return {};
  }
  HixlKinds kinds;
  for (llvm::StringRef item : items) {
    auto [protocol, place] = item.split(':');
    if (std::optional<HixlEndpointKind> kind =
            readKind("HX-OPT-23", kKey, protocol, place, faults)) {
      checkPlatform(kKey, *kind, platform, faults);
      kinds.push_back(*kind);
    }
  }
  return kinds;
}

/// A text of 32 hexadecimal digits, an address, a number of 32 bits.
static bool hasForm(HixlCommId form, llvm::StringRef text) {
  switch (form) {
  case HixlCommId::Ip:
    return HixlAddress::parse(text).has_value();
  case HixlCommId::Eid:
    return text.size() == 32 && llvm::all_of(text, llvm::isHexDigit);
  case HixlCommId::Number: {
    std::optional<int64_t> number = plainInteger(text);
    return number && text.size() <= 10 && *number <= UINT32_MAX;
  }
  case HixlCommId::None:
    break;
  }
  return false;
}

static llvm::StringRef nameOf(HixlCommId form) {
  static constexpr llvm::StringLiteral kNames[] = {"nothing", "an IPv4 or IPv6 address",
                                                   "32 hexadecimal digits without colons",
                                                   "a number of at most 4294967295"};
  return kNames[size_t(form)];
}

/// A field that is there must be a string; whether it must be there is the caller's.
static std::optional<llvm::StringRef> readField(const llvm::json::Object &object,
                                                llvm::StringRef where, llvm::StringRef field,
                                                bool isRequired, HixlFaults &faults) {
  const llvm::json::Value *value = object.get(field);
  if (!value && !isRequired)
    return "";
  std::optional<llvm::StringRef> text = value ? stringIn(*value) : std::nullopt;
  if (!text)
    faults.error("HX-OPT-27", where,
                 "`" + where + "` has " +
                     (value ? "`" + field + "` of " + shown(*value) + ", which is no string."
                            : "no `" + field + "`."),
                 "Every endpoint has the strings `protocol`, `comm_id` and `placement`.");
  return text;
}

static std::optional<HixlEndpoint> readEndpoint(const llvm::json::Object &object,
                                                llvm::StringRef where, Platform platform,
                                                HixlFaults &faults) {
  auto read = [&](llvm::StringRef field, bool isRequired) {
    return readField(object, where, field, isRequired, faults);
  };
  std::optional<llvm::StringRef> protocol = read("protocol", true);
  std::optional<llvm::StringRef> commId = read("comm_id", true);
  std::optional<llvm::StringRef> place = read("placement", true);
  std::optional<llvm::StringRef> plane = read("plane", false);
  std::optional<llvm::StringRef> dstEid = read("dst_eid", false);
  std::optional<llvm::StringRef> serverId = read("server_id", false);
  if (!protocol || !commId || !place || !plane || !dstEid || !serverId)
    return std::nullopt;
  std::optional<HixlEndpointKind> kind = readKind("HX-OPT-27", where, *protocol, *place, faults);
  if (!kind)
    return std::nullopt;
  checkPlatform(where, *kind, platform, faults);
  HixlCommId form = info(kind->protocol).commId;
  if (!hasForm(form, *commId))
    faults.error("HX-OPT-28", where,
                 "`" + where + "` is of " + *protocol + ", and its `comm_id` is " +
                     quoted(*commId) + ".",
                 "A `comm_id` of " + *protocol + " is " + nameOf(form) + ".");
  return HixlEndpoint{*kind, commId->str(), plane->str(), dstEid->str(), serverId->str()};
}

/// The version alone asks for a list made from the device; more than that means to be one.
static void sayGenerated(const llvm::json::Object &resources, bool hasInstance,
                         HixlFaults &faults) {
  if (resources.size() <= 1)
    return;
  faults.warn("HX-OPT-30", "LocalCommRes",
              llvm::Twine("`LocalCommRes` has ") +
                  (hasInstance ? "no endpoint in `endpoint_list`" : "no `net_instance_id`") +
                  ", so all that it says is dropped and a list is made from the device.",
              "Give `net_instance_id` and `endpoint_list`, or the version alone.");
}

static void checkMix(const std::vector<HixlEndpoint> &list, HixlFaults &faults) {
  auto has = [&](HixlProtocol protocol) {
    return llvm::any_of(
        list, [&](const HixlEndpoint &endpoint) { return endpoint.kind.protocol == protocol; });
  };
  if (has(HixlProtocol::Uboe) && has(HixlProtocol::UbRtp))
    faults.error("HX-OPT-29", "endpoint_list",
                 "`endpoint_list` has endpoints of uboe and of ub_rtp. A device has one of the two "
                 "as its way out.",
                 "Keep the one that the driver reports.");
}

HixlEndpoints readEndpoints(const llvm::json::Object &resources, Platform platform,
                            HixlFaults &faults) {
  HixlEndpoints endpoints;
  const llvm::json::Value *instance = resources.get("net_instance_id");
  const llvm::json::Value *list = resources.get("endpoint_list");
  const llvm::json::Array *array = list ? list->getAsArray() : nullptr;
  bool isNamed = !instance || stringIn(*instance);
  if (!isNamed || (list && !array)) {
    llvm::StringRef key = isNamed ? "endpoint_list" : "net_instance_id";
    faults.error("HX-OPT-27", key, "`" + key + "` is " + shown(isNamed ? *list : *instance) + ".",
                 "`net_instance_id` is a string and `endpoint_list` an array of objects.");
    return endpoints;
  }
  llvm::StringRef name = instance ? stringIn(*instance).value_or("") : "";
  bool hasInstance = !name.empty();
  if (!hasInstance || !array || array->empty()) {
    sayGenerated(resources, hasInstance, faults);
    return endpoints;
  }
  endpoints.netInstance = name.str();
  for (size_t i = 0; i != array->size(); ++i) {
    std::string where = "endpoint_list[" + std::to_string(i) + "]";
    const llvm::json::Object *object = (*array)[i].getAsObject();
    if (!object)
      faults.error("HX-OPT-27", where,
                   "`" + where + "` is " + shown((*array)[i]) + ", which is no endpoint.",
                   "An endpoint is an object with `protocol`, `comm_id` and `placement`.");
    else if (std::optional<HixlEndpoint> endpoint = readEndpoint(*object, where, platform, faults))
      endpoints.list.push_back(*endpoint);
  }
  checkMix(endpoints.list, faults);
  return endpoints;
}

} // namespace pto
