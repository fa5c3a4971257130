#include "unit/hixl_run.h"

namespace pto::test {

Options optionsOf(char kind) {
  if (kind == 'S')
    return {{"LocalCommRes", R"({"version": "1.3"})"}};
  if (kind == 'F')
    return {{"EnableUseFabricMem", "1"}};
  return {{"BufferPool", kind == 'R' ? "4:8" : "0:0"}};
}

Options optionsWith(char kind, const char *key, const std::string &value) {
  Options options = optionsOf(kind);
  options.push_back({key, value});
  return options;
}

Options automatic(char kind) { return optionsWith(kind, "AutoConnect", "1"); }

Options listed(const std::string &endpoints, const std::string &pod) {
  return {{"LocalCommRes", R"({"version": "1.3", "net_instance_id": ")" + pod +
                               R"(", "endpoint_list": [)" + endpoints + "]}"}};
}

HixlClusterConfig on(Platform platform) {
  HixlClusterConfig config;
  config.platform = platform;
  return config;
}

HixlCall HixlRun::of(uint32_t engine, HixlCallKind kind) {
  HixlCall call;
  call.kind = kind;
  call.engine = engine;
  return call;
}

HixlAnswer HixlRun::go(HixlCall call) {
  begin(std::move(call));
  while (!ended) {
    std::optional<int64_t> next = cluster.nextPs();
    if (!next) {
      ADD_FAILURE() << "a call never ends";
      return {};
    }
    pass(*next);
  }
  now += ended->tookPs;
  return *ended;
}

void HixlRun::begin(HixlCall call) {
  call.site = ++sites;
  call.agent = call.site;
  waitsFor = call.agent;
  ended = cluster.call(call, now);
  collect();
}

void HixlRun::pass(int64_t untilPs) {
  now = std::max(now, untilPs);
  cluster.advance(now);
  collect();
}

void HixlRun::finish() {
  cluster.finish(now);
  collect();
}

std::string HixlRun::initialize(uint32_t engine, const std::string &name, const Options &options) {
  HixlCall call = of(engine, HixlCallKind::Initialize);
  call.remote = name;
  call.options = options;
  return text(go(call).status);
}

uint32_t HixlRun::ready(int32_t host, const Options &options, bool hasMemory) {
  uint32_t engine = add(host);
  EXPECT_EQ(initialize(engine, nameOf(host), options), "SUCCESS");
  if (hasMemory) {
    memory(engine, host, 0, kAll);
    memory(engine, host, 0, kAll, HixlMemType::Host);
  }
  return engine;
}

HixlAnswer HixlRun::memory(uint32_t engine, int32_t host, int64_t offset, int64_t bytes,
                           HixlMemType type) {
  HixlCall call = of(engine, HixlCallKind::RegisterMem);
  call.place = {host, type, offset};
  call.bytes = bytes;
  call.memType = type;
  return go(call);
}

std::string HixlRun::deregister(uint32_t engine, uint32_t handle) {
  HixlCall call = of(engine, HixlCallKind::DeregisterMem);
  call.handle = handle;
  return text(go(call).status);
}

std::string HixlRun::with(uint32_t engine, HixlCallKind kind, int32_t peer, int64_t timeoutMs) {
  HixlCall call = of(engine, kind);
  call.remote = nameOf(peer);
  call.timeoutMs = timeoutMs;
  return text(go(call).status);
}

HixlCall HixlRun::batch(uint32_t engine, int32_t peer, bool isSync, HixlOp op, int64_t local,
                        int64_t remote, int64_t bytes) {
  HixlCall call = of(engine, isSync ? HixlCallKind::TransferSync : HixlCallKind::TransferAsync);
  call.remote = nameOf(peer);
  call.op = op;
  call.ops = {{{0, HixlMemType::Device, local}, {peer, HixlMemType::Device, remote}, bytes}};
  return call;
}

uint32_t HixlRun::start(uint32_t engine, int32_t peer, int64_t bytes, HixlOp op, int64_t local) {
  HixlAnswer answer = go(batch(engine, peer, false, op, local, local, bytes));
  EXPECT_EQ(text(answer.status), "SUCCESS");
  return answer.id;
}

std::string HixlRun::query(uint32_t engine, uint32_t request) {
  HixlCall call = of(engine, HixlCallKind::GetTransferStatus);
  call.request = request;
  HixlAnswer answer = go(call);
  return text(answer.status) + " " + text(answer.transfer);
}

std::string HixlRun::notify(uint32_t engine, int32_t peer, const std::string &name,
                            const std::string &message, int64_t timeoutMs) {
  HixlCall call = of(engine, HixlCallKind::SendNotify);
  call.remote = nameOf(peer);
  call.timeoutMs = timeoutMs;
  call.notice = {name, message};
  return text(go(call).status);
}

std::vector<HixlNotice> HixlRun::notifies(uint32_t engine, std::vector<HixlNotice> list) {
  HixlCall call = of(engine, HixlCallKind::GetNotifies);
  call.list = std::move(list);
  return go(call).notices;
}

std::string HixlRun::asyncStatus(uint32_t engine, int32_t peer) {
  HixlCall call = of(engine, HixlCallKind::GetAsyncConnectStatus);
  call.remote = nameOf(peer);
  return hixlConnectStatuses()[size_t(go(call).connection)].name.str();
}

std::string HixlRun::said() {
  std::string all;
  for (const HixlMisuse &misuse : std::exchange(misuses, {}))
    all += (all.empty() ? "" : " ") + misuse.account +
           (misuse.severity == Severity::Error     ? ""
            : misuse.severity == Severity::Warning ? "?"
                                                   : "~");
  return all;
}

void HixlRun::collect() {
  HixlEffects effects = cluster.take();
  llvm::append_range(misuses, effects.misuses);
  llvm::append_range(copies, effects.copies);
  for (const HixlWake &wake : effects.wakes) {
    wakes.push_back(wake);
    if (wake.agent == waitsFor)
      ended = wake.answer;
  }
}

HixlPair::HixlPair(const Options &options, HixlClusterConfig config) : HixlRun(config) {
  server = ready(1, options);
  client = ready(2, options);
}

HixlLinked::HixlLinked(const Options &options) : HixlPair(options) {
  EXPECT_EQ(connect(client, 1), "SUCCESS");
}

} // namespace pto::test
