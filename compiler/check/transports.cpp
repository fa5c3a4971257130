// Whether a target has what carries a call of SHMEM at all. Which rank it leads to is a matter of
// the run.

#include "check/targets.h"

#include "target/topology.h"

namespace pto::check_detail {

using namespace program;

/// A call that is dispatched asks `goes_by` first, and then posts: the question speaks for both.
static bool speaksForTheCall(const Expr &call, const RouteInfo &route) {
  switch (call.intrinsic) {
  case Intrinsic::RankBarrier:
    return false;
  case Intrinsic::GoesBy:
    return true;
  default:
    return route.order.size() == 1;
  }
}

/// A queue that moves nothing between ranks takes prefetches, and has a quiet that waits for them.
static bool isPrefetching(const Expr &call, const RouteInfo &route, Platform platform) {
  bool takesPart = call.intrinsic == Intrinsic::EnginePrefetch ||
                   (call.intrinsic == Intrinsic::EngineQuiet && route.order.size() == 1);
  return takesPart && route.all().contains(Transport::SDMA) && prefetchQueueOf(platform);
}

bool lacksTransport(const Expr &call, Platform platform) {
  int at = info(call.intrinsic).param("route");
  const Expr *given = at < 0 ? nullptr : call.ops[size_t(at)];
  if (!given)
    return false;
  const RouteInfo &route = info(Route(given->bits));
  return speaksForTheCall(call, route) && (route.all() & transportsOn(platform)).empty() &&
         !isPrefetching(call, route, platform);
}

void checkTransport(const Expr &call, Platform platform, Sink &sink) {
  if (!lacksTransport(call, platform))
    return;
  const Expr *given = call.ops[size_t(info(call.intrinsic).param("route"))];
  sink.report<Rule::TransportNotOnTarget>(call.range, info(Route(given->bits)).all().text(),
                                          info(platform).name, transportsOn(platform).text());
}

} // namespace pto::check_detail
