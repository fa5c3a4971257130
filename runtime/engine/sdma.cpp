//===- sdma.cpp - channel groups of the system DMA --------------------------===//
//
// A post is cut into descriptors of block_bytes that are dealt round-robin over the queues of the
// session's group, so blocks may move in any order; a notify and its payload take queue 0 alone.
// The channels work in post order: a post begins when the one before it has ended.
//
//===----------------------------------------------------------------------===//

#include "engine/parts.h"

#include "diag/sink.h"

#include <algorithm>

namespace pto {

static int64_t blocksOf(const Session &session, int64_t bytes) {
  return (bytes - 1) / session.blockBytes + 1;
}

std::optional<std::string> sdmaRefuses(const Session &session, const Request &request,
                                       int64_t bytes) {
  // A queue takes the data descriptors of a post and one flag.
  int64_t queues = notifies(request.opcode) ? 1 : session.queues;
  int64_t perQueue = limit(Limit::SdmaQueueDepth) - 1;
  if ((blocksOf(session, bytes) + queues - 1) / queues <= perQueue)
    return std::nullopt;
  return fillSlots(info(Rule::TransferTooLarge).message,
                   {info(request.opcode).mnemonic.str(), std::to_string(bytes), "SDMA",
                    std::to_string(perQueue * queues * session.blockBytes) + " (" +
                        std::to_string(perQueue) + " blocks of " +
                        std::to_string(session.blockBytes) + " on each of " +
                        std::to_string(queues) + " queues)"});
}

PostPlan sdmaPlan(CoreState &core, Session &session, int64_t nowPs, int64_t bytes, bool notifies) {
  int64_t queues = notifies ? 1 : std::min<int64_t>(session.queues, blocksOf(session, bytes));
  int64_t descriptors = (blocksOf(session, bytes) + queues - 1) / queues;
  PostPlan plan;
  plan.startPs = std::max(nowPs + core.jitter.spread(session.row->postPs + session.row->latencyPs),
                          session.order.freePs);
  int64_t work = descriptors * session.row->gapPs + transferPs(bytes, session.row->bytesPerUs);
  plan.endPs = plan.startPs + std::max<int64_t>(core.jitter.spread(work), 1);
  session.order.freePs = plan.endPs;
  return plan;
}

} // namespace pto
