// What hosts ask of HIXL: a call with what was staged for it, and questions about the last answer.

#include "world/parts.h"

namespace pto {

Completion stageText(World &world, Agent &host, const Request &request, int64_t atPs) {
  constexpr size_t kMost = 1 << 16; // Hand-written bytecode could stage without end.
  if (!world.hixl || host.core.rank >= int32_t(world.hixl->hosts.size()))
    return Completion::done(atPs);
  std::vector<std::string> &texts = world.hixl->hosts[size_t(host.core.rank)].texts;
  if (host.isHost && texts.size() < kMost)
    texts.push_back(request.text);
  return Completion::done(atPs);
}

static bool isRange(const View &view) { return view.space == Space::Gm && isContiguous(view); }

static Trap gaps(const View &view) {
  return makeTrap<Rule::HixlRange>("a view of shape " + shapeText(view) +
                                   " has gaps between its elements");
}

Completion stagePair(World &world, Agent &host, const Request &request, int64_t atPs) {
  if (!host.isHost || !world.hixl)
    return Completion::done(atPs);
  constexpr size_t kMost = 1 << 20;
  const View &local = request.views[0], &remote = request.views[1];
  for (const View &view : {local, remote})
    if (!isRange(view))
      return Completion::trapped(gaps(view));
  if (bytes(local) != bytes(remote))
    return Completion::trapped(makeTrap<Rule::HixlRange>(
        "a pair has " + std::to_string(bytes(local)) + " bytes here and " +
        std::to_string(bytes(remote)) + " at the remote"));
  auto &pairs = world.hixl->hosts[size_t(host.core.rank)].pairs;
  if (pairs.size() < kMost)
    pairs.emplace_back(local, remote);
  return Completion::done(atPs);
}

HixlPlace hixlPlace(const World &world, const View &view) {
  bool isHost = world.module.objects[view.object].isHost;
  return {view.rank, isHost ? HixlMemType::Host : HixlMemType::Device, view.offset};
}

uint32_t hixlSite(HixlHosts &hixl, const Request &request, int32_t rank) {
  const CodePlace &place = request.place;
  auto key = std::tuple(rank, place.file, uint64_t(place.line) << 32 | place.column);
  auto [row, isNew] = hixl.siteNumbers.try_emplace(key, uint32_t(hixl.sites.size()));
  if (isNew)
    hixl.sites.push_back({place, request.call, rank});
  return row->second;
}

namespace {
/// Reads the operands of a call into what the model takes.
class CallReader {
public:
  CallReader(World &world, const Request &request, HixlHost &host, HixlCall &call)
      : world_(world), request_(request), host_(host), call_(call) {}

  void read(HixlVerb verb);

private:
  [[nodiscard]] std::string text(size_t i) const {
    return i < host_.texts.size() ? host_.texts[i] : "";
  }
  [[nodiscard]] int64_t number(unsigned i, int64_t other) const { // Behind verb and engine.
    return int64_t(request_.valueOr(2 + i, ScalarBits(other)));
  }
  void options();
  void region();
  void batch(bool isSync);
  void queries();

  World &world_;
  const Request &request_;
  HixlHost &host_;
  HixlCall &call_;
};
} // namespace

void CallReader::options() {
  call_.remote = world_.hixl->objects[call_.engine].name;
  for (size_t i = 0; i + 1 < host_.texts.size(); i += 2)
    call_.options.emplace_back(host_.texts[i], host_.texts[i + 1]);
}

void CallReader::region() {
  const View &view = request_.views[0];
  if (view.space == Space::Gm)
    call_.place = hixlPlace(world_, view);
  call_.bytes = bytes(view);
  call_.memType =
      number(0, 0) == int64_t(HixlMemType::Host) ? HixlMemType::Host : HixlMemType::Device;
}

void CallReader::batch(bool isSync) {
  call_.remote = text(0);
  call_.op = number(0, 0) == int64_t(HixlOp::Write) ? HixlOp::Write : HixlOp::Read;
  if (isSync)
    call_.timeoutMs = number(1, call_.timeoutMs);
  else
    call_.userData = uint64_t(number(1, 0));
  for (const auto &[local, remote] : host_.pairs)
    call_.ops.push_back({hixlPlace(world_, local), hixlPlace(world_, remote), bytes(local)});
}

void CallReader::queries() {
  int64_t most = number(0, -1);
  if (most >= 0)
    call_.maxQueries = uint32_t(most);
  call_.skipsWaiting = number(1, 0) != 0;
}

void CallReader::read(HixlVerb verb) {
  switch (verb) {
  case HixlVerb::Initialize:
    return options();
  case HixlVerb::RegisterMem:
    return region();
  case HixlVerb::DeregisterMem:
    call_.handle = uint32_t(number(0, 0));
    return;
  case HixlVerb::TransferSync:
  case HixlVerb::TransferAsync:
    return batch(verb == HixlVerb::TransferSync);
  case HixlVerb::TransferStatus:
    call_.request = uint32_t(number(0, 0));
    return;
  case HixlVerb::TransferStatuses:
    return queries();
  case HixlVerb::SendNotify:
    call_.notice = {text(1), text(2)};
    [[fallthrough]];
  default: // A remote, and how long it may take.
    call_.remote = text(0);
    call_.timeoutMs = number(0, call_.timeoutMs);
    return;
  }
}

/// Makes the call; blocks the host where the answer comes later.
static Completion perform(World &world, Agent &agent, const Request &request, HixlCall call,
                          const HixlCaller &caller, int64_t atPs) {
  HixlHosts &hixl = *world.hixl;
  HixlHost &host = hixl.hosts[size_t(caller.rank)];
  CallReader(world, request, host, call).read(caller.verb);
  host.texts.clear();
  host.pairs.clear();
  if (caller.verb == HixlVerb::Finalize)
    sayUnseen(world, caller.engine, call.site);
  world.nowPs = std::max(world.nowPs, atPs);
  agent.park = Park::Hixl;
  host.waiting = caller;
  host.waiting.site = call.site;
  host.waiting.beganPs = atPs;
  if (world.trace.isOn())
    host.waiting.what = hixlCallText(call);
  std::optional<HixlAnswer> answer = hixl.cluster.call(call, world.nowPs);
  if (answer)
    agent.park = Park::None;
  followHixl(world);
  if (!answer)
    return Completion::blocked();
  traceHixlCall(world, host.waiting, *answer, atPs + answer->tookPs);
  return Completion::done(atPs + answer->tookPs, settleHixl(world, host.waiting, *answer));
}

/// The number of the engine that the call is made on; absent where the host has none of it.
static std::optional<uint32_t> engineOf(const HixlHosts &hixl, const Request &request,
                                        int32_t rank) {
  uint64_t engine = request.valueOr(1, 0);
  bool isOwn = engine < hixl.objects.size() && hixl.objects[size_t(engine)].rank == rank;
  return engine != 0 && isOwn ? std::optional(uint32_t(engine)) : std::nullopt;
}

/// The model takes every call on an engine; a question about the library is asked of one that
/// nobody initialises.
static uint32_t askerOf(HixlHosts &hixl, HixlHost &host, int32_t rank) {
  if (host.asker == 0) {
    host.asker = hixl.cluster.addEngine(rank);
    hixl.objects.resize(std::max<size_t>(hixl.objects.size(), host.asker + 1));
  }
  return host.asker;
}

static Completion newEngine(HixlHosts &hixl, HixlHost &host, int32_t rank, int64_t atPs) {
  constexpr size_t kMost = 1 << 16;
  if (hixl.objects.size() > kMost)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("a run has no room for more engines"));
  uint32_t engine = hixl.cluster.addEngine(rank);
  hixl.objects.resize(std::max<size_t>(hixl.objects.size(), engine + 1));
  hixl.objects[engine].rank = rank;
  hixl.objects[engine].name = host.texts.empty() ? "" : host.texts[0];
  host.texts.clear();
  return Completion::done(atPs, engine);
}

Completion callHixl(World &world, Agent &agent, const Request &request, int64_t atPs) {
  if (!agent.isHost || !world.hixl)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("only a host calls HIXL"));
  HixlHosts &hixl = *world.hixl;
  HixlCaller caller;
  caller.rank = agent.core.rank;
  caller.verb = HixlVerb(request.values[0]);
  HixlHost &host = hixl.hosts[size_t(caller.rank)];
  if (caller.verb == HixlVerb::Engine)
    return newEngine(hixl, host, caller.rank, atPs);
  bool needsEngine = caller.verb != HixlVerb::GetCapability && caller.verb != HixlVerb::Status;
  std::optional<uint32_t> engine;
  if (caller.verb != HixlVerb::GetCapability)
    engine = engineOf(hixl, request, caller.rank);
  if (needsEngine && !engine)
    return Completion::trapped(makeTrap<Rule::OutOfWindow>("this host has no such engine"));
  caller.engine = engine.value_or(0);
  const HixlObject &object = hixl.objects[caller.engine];
  if (caller.verb == HixlVerb::Status)
    return Completion::done(atPs, ScalarBits(engine ? object.status : host.status));
  std::optional<HixlCallKind> kind = hixlCallOf(caller.verb);
  if (!kind) {
    ScalarBits value = recallHixl(hixl, caller, request.valueOr(2, 0));
    host.texts.clear();
    return Completion::done(atPs, value);
  }
  bool registers = *kind == HixlCallKind::RegisterMem;
  if (registers && request.views[0].space != Space::None && !isRange(request.views[0]))
    return Completion::trapped(gaps(request.views[0]));
  HixlCall call;
  call.kind = *kind;
  call.engine = caller.engine;
  call.site = hixlSite(hixl, request, caller.rank);
  call.agent = agent.id;
  if (*kind == HixlCallKind::GetCapability) {
    call.engine = askerOf(hixl, host, caller.rank);
    call.feature = int64_t(request.valueOr(1, 0));
  }
  return perform(world, agent, request, std::move(call), caller, atPs);
}

} // namespace pto
