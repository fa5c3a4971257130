// Atomic operations: how stores work, and values that are fetched.

#include "audit/parts.h"

namespace pto {

using namespace audit_detail;

/// The engines refuse what is still under way; a store that has ended by luck is found here.
void Audit::changesStores(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  uint32_t site = scalarSite(state, id, request);
  state.addStep(core, site);
  const Epoch &last = core.lastStore;
  if (last.agent == kNobody || state.agents.isBefore(last, state.agents[core.scalar].clock))
    return;
  const SiteInfo &store = state.sites[core.lastStoreSite];
  Trap trap = makeTrap<Rule::AtomicModeInFlight>("`" + info(store.opcode).mnemonic.str() + "`");
  trap.sites.push_back(siteOf(state, core.lastStoreSite, "it was issued here", -1));
  report(state, std::move(trap), siteOf(state, site, "", state.nowPs),
         placeKey(state, site) + "/" + placeKey(state, core.lastStoreSite));
}

void Audit::fetches(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  uint32_t site = scalarSite(state, id, request);
  const View &element = request.views[0];
  state.addStep(core, site);
  accessBytes(state, scalarOf(state, id, site), AccessKind::Fetch, element.rank,
              byteRange(element));
}

} // namespace pto
