//===- urma.cpp - one send queue for each peer ------------------------------===//
//
// Work requests to a peer are carried out in post order, those to different peers side by side.
// What is larger than a work request takes is split; the signal comes after the last part.
//
//===----------------------------------------------------------------------===//

#include "engine/parts.h"

#include <algorithm>

namespace pto {

std::optional<Trap> urmaValidate(const CoreState &core, int32_t peer) {
  if (peer != core.rank)
    return std::nullopt;
  return makeTrap<Rule::PeerIsSelf>(name(DmaEngine::URMA), core.rank);
}

PostPlan urmaPlan(CoreState &core, const Session &session, PeerQueue &queue, int64_t nowPs,
                  int64_t bytes) {
  int64_t parts = (bytes - 1) / limit(Limit::UrmaMaxWqeBytes) + 1;
  PostPlan plan;
  plan.startPs = std::max(nowPs + core.jitter.spread(session.row->postPs + session.row->latencyPs),
                          queue.order.freePs);
  int64_t work = parts * session.row->gapPs + transferPs(bytes, session.row->bytesPerUs);
  plan.endPs = plan.startPs + std::max<int64_t>(core.jitter.spread(work), 1);
  queue.order.freePs = plan.endPs;
  return plan;
}

} // namespace pto
