//===- rdma.cpp - one queue pair for each peer ------------------------------===//
//
// As URMA, but a transfer is one work request with its own limit, a notify can only Set, and an
// older event may be awaited after a newer one.
//
//===----------------------------------------------------------------------===//

#include "engine/parts.h"

#include "diag/sink.h"

#include <algorithm>

namespace pto {

std::optional<Trap> rdmaValidate(const CoreState &core, const Request &request, int32_t peer) {
  if (peer == core.rank)
    return makeTrap<Rule::PeerIsSelf>(name(DmaEngine::RDMA), core.rank);
  bool adds = notifies(request.opcode) && NotifyOp(request.values[1]) == NotifyOp::AtomicAdd;
  if (adds)
    return makeTrap<Rule::RdmaNoAtomicAdd>();
  return std::nullopt;
}

std::optional<std::string> rdmaRefuses(const Request &request, int64_t bytes) {
  if (bytes <= limit(Limit::RdmaMaxBytes))
    return std::nullopt;
  return fillSlots(info(Rule::TransferTooLarge).message,
                   {info(request.opcode).mnemonic.str(), std::to_string(bytes), "RDMA",
                    std::to_string(limit(Limit::RdmaMaxBytes))});
}

PostPlan rdmaPlan(CoreState &core, const Session &session, PeerQueue &queue, int64_t nowPs,
                  int64_t bytes) {
  PostPlan plan;
  plan.startPs = std::max(nowPs + core.jitter.spread(session.row->postPs + session.row->latencyPs),
                          queue.order.freePs);
  int64_t work = session.row->gapPs + transferPs(bytes, session.row->bytesPerUs);
  plan.endPs = plan.startPs + std::max<int64_t>(core.jitter.spread(work), 1);
  queue.order.freePs = plan.endPs;
  return plan;
}

} // namespace pto
