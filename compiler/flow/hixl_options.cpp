#include "flow/hixl_options.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

const EngineFacts *factsOf(const HixlAct &act) {
  EngineFacts &facts = act.values.facts(act.expr, act.engine->name);
  if (facts.isRead)
    return &facts;
  facts.isRead = true;
  std::vector<HixlText> options;
  if (const Expr *map = act.written("options"))
    for (size_t i = 0; i + 1 < map->ops.size(); i += 2)
      options.emplace_back(map->ops[i]->text, map->ops[i + 1]->text);
  facts.options = parseHixlOptions(options, act.world.platform);
  facts.name = act.engine->name;
  if (facts.name)
    facts.identifier = parseHixlIdentifier(*facts.name);
  return &facts;
}

namespace {
struct Clash {
  std::optional<OptionFault> fault;
  const Expr *other = nullptr;
};
} // namespace

/// With another engine of the same host.
static Clash clashOf(const HixlAct &act) {
  const auto &own = factsOf(act)->identifier.identifier;
  for (const auto &[id, other] : act.state.engines) {
    if (id == act.id || other.life != Life::Ready || !other.facts || !own ||
        !other.facts->identifier.identifier)
      continue;
    if (auto fault = pto::clashOf(*own, *other.facts->identifier.identifier))
      return {fault, other.since};
  }
  return {};
}

HixlStatus refusalOf(const HixlAct &act) {
  const EngineFacts &facts = *factsOf(act);
  if (facts.options.status != HixlStatus::Success)
    return facts.options.status;
  if (facts.identifier.fault)
    return facts.identifier.fault->status;
  Clash clash = clashOf(act);
  const auto &own = facts.identifier.identifier;
  return clash.fault && own && own->listens() ? clash.fault->status : HixlStatus::Success;
}

bool registersNowhere(const HixlAct &act) {
  Value type = act.value("type");
  const HixlConfig &config = act.engine->facts->options.config;
  if (!type.isNumber() || config.engine != HixlEngine::ClientServer)
    return false;
  HixlDevice device = hixlDevice(act.world.platform, act.world.rank.value_or(0), 0, 0);
  return !registrable(endpointsOf(config, device)).contains(HixlMemType(type.number));
}

/// The name by itself; an engine that the options refuse is not named.
static std::optional<OptionFault> nameFault(const HixlAct &act) {
  const EngineFacts &facts = *factsOf(act);
  if (facts.identifier.fault || !facts.identifier.identifier)
    return facts.identifier.fault;
  return loopbackFault(*facts.identifier.identifier, unsigned(act.world.ranks.value_or(1)));
}

void judgeOptions(const Expr &expr, llvm::ArrayRef<HixlAct> paths, HixlReports &reports) {
  auto isReady = [](const HixlAct &act) { return (act.engine->life & Life::Ready) != 0; };
  if (llvm::any_of(paths, isReady))
    return; // It is refused for that, before anything is read.
  const ParsedOptions &options = factsOf(paths.front())->options;
  for (const OptionFault &fault : options.faults)
    reports.fault(expr, fault);
  if (options.status != HixlStatus::Success)
    return;
  if (llvm::all_of(paths, [](const HixlAct &act) { return nameFault(act).has_value(); }))
    reports.fault(expr, *nameFault(paths.front()));
  if (llvm::all_of(paths, [](const HixlAct &act) { return clashOf(act).fault.has_value(); })) {
    Clash clash = clashOf(paths.front());
    reports.fault(expr, *clash.fault, clash.other, "the other engine was initialised here");
  }
}

} // namespace pto::flow_detail
