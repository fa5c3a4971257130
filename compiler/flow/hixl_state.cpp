#include "flow/hixl_state.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

template <typename T> static void agree(T &mine, const T &theirs, const T &unknown) {
  if (!(mine == theirs))
    mine = unknown;
}

/// Of a place that made a possibility, one of several is shown.
static void keepOne(const Expr *&mine, const Expr *theirs) {
  if (!mine)
    mine = theirs;
}

void LinkState::join(const LinkState &other) {
  is |= other.is;
  keepOne(since, other.since);
  asked = other.asked ? asked : nullptr; // A finding needs it on both paths.
  isImplicit |= other.isImplicit;
  for (ThingId id : other.regions)
    if (!llvm::is_contained(regions, id))
      regions.push_back(id);
}

void RegionState::join(const RegionState &other) {
  is |= other.is;
  keepOne(ended, other.ended);
  agree(range, other.range, {});
}

void RequestState::join(const RequestState &other) {
  is |= other.is;
  keepOne(ended, other.ended);
  agree(remote, other.remote, {});
  agree(answer, other.answer, int64_t(-1));
  agree(touches, other.touches, {});
}

LinkState EngineState::link(llvm::StringRef remote) const {
  auto found = links.find(remote.str());
  return found == links.end() ? LinkState() : found->second;
}

void EngineState::join(const EngineState &other) {
  life |= other.life;
  keepOne(since, other.since);
  agree(name, other.name, {});
  agree(refusedBy, other.refusedBy, {});
  agree<const EngineFacts *>(facts, other.facts, nullptr);
  for (auto &[remote, link] : links)
    link.join(other.link(remote));
  for (const auto &[remote, link] : other.links)
    if (auto [mine, isNew] = links.try_emplace(remote, link); isNew)
      mine->second.join(LinkState());
  linksElsewhere |= other.linksElsewhere;
  for (auto &[id, region] : regions)
    if (!other.regions.count(id))
      region.is |= Hold::Gone;
  for (const auto &[id, region] : other.regions)
    if (auto [mine, isNew] = regions.try_emplace(id, region); isNew)
      mine->second.is |= Hold::Gone;
    else
      mine->second.join(region);
  areWaysKnown &=
      other.areWaysKnown && !firstSync == !other.firstSync && !firstAsync == !other.firstAsync;
  agree(last, other.last, {});
  agree(lastRequest, other.lastRequest, ThingId(0));
}

void HostState::join(const HostState &other) {
  for (auto &[variable, value] : values)
    if (auto found = other.values.find(variable);
        found != other.values.end() && !(found->second == value))
      value = {};
  // What only one path has defined is out of scope on the other.
  values.insert(other.values.begin(), other.values.end());
  for (const auto &[id, engine] : other.engines)
    if (auto [mine, isNew] = engines.try_emplace(id, engine); !isNew)
      mine->second.join(engine);
  for (auto &[id, request] : requests)
    if (!other.requests.count(id))
      request.is |= Quest::Refused;
  for (const auto &[id, request] : other.requests)
    if (auto [mine, isNew] = requests.try_emplace(id, request); isNew)
      mine->second.is |= Quest::Refused;
    else
      mine->second.join(request);
}

void HostState::blur(ThingId id) {
  EngineState &engine = engines.find(id)->second;
  engine.linksElsewhere = true;
  engine.areWaysKnown = false;
  engine.last = {};
  for (auto &[remote, link] : engine.links)
    link.is = Tie::Any;
  for (auto &[region, state] : engine.regions)
    state.is = Hold::Any;
  for (auto &[request, state] : requests)
    if (state.engine == id)
      state.is = Quest::Any;
}

void HostState::blur() {
  for (auto &[id, engine] : engines) {
    engine.life = Life::Any;
    blur(id);
  }
}

} // namespace pto::flow_detail
