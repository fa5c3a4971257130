//===- hixl_run.h - scenarios on the hosts of a HIXL cluster --------*- C++ -*-===//
//
// A host does one call after the other. Engine n is on host n and listens as "10.0.0.n:26000".
// What a call answers is a word: "NOT_CONNECTED"; what is found is a word each: "HX-CON-06", with ?
// for a warning and ~ for an advice.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TESTS_HIXL_RUN_H
#define PTO_TESTS_HIXL_RUN_H

#include "hixl_model/cluster.h"

#include "gtest/gtest.h"

namespace pto::test {

using Options = std::vector<std::pair<std::string, std::string>>;

/// What selects an engine by its letter on A3.
inline Options optionsOf(char kind) {
  if (kind == 'S')
    return {{"LocalCommRes", R"({"version": "1.3"})"}};
  if (kind == 'F')
    return {{"EnableUseFabricMem", "1"}};
  return {{"BufferPool", "0:0"}};
}

inline constexpr int64_t kAll = int64_t(1) << 30;
inline constexpr int64_t kSlow = int64_t(1) << 28; ///< Bytes that take milliseconds.

class HixlRun {
public:
  explicit HixlRun(HixlClusterConfig config = {}) : cluster(config) {}

  static std::string nameOf(int32_t host) { return "10.0.0." + std::to_string(host) + ":26000"; }
  HixlCall of(uint32_t engine, HixlCallKind kind) {
    HixlCall call;
    call.kind = kind;
    call.engine = engine;
    return call;
  }

  /// Does a call to its end; its site is its number.
  HixlAnswer go(HixlCall call) {
    begin(call);
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
  /// Begins a call as another agent; its end is in `ended`.
  void begin(HixlCall call) {
    call.site = ++sites;
    call.agent = call.site;
    waitsFor = call.agent;
    ended = cluster.call(call, now);
    collect();
  }
  void pass(int64_t untilPs) {
    now = std::max(now, untilPs);
    cluster.advance(now);
    collect();
  }
  void passMs(int64_t ms) { pass(now + ms * 1000000000); }

  uint32_t add(int32_t host) { return cluster.addEngine(host); }
  std::string initialize(uint32_t engine, const std::string &name, const Options &options) {
    HixlCall call = of(engine, HixlCallKind::Initialize);
    call.remote = name;
    call.options = options;
    return text(go(call).status);
  }
  /// An engine that is ready, with 1 GiB in each memory.
  uint32_t ready(int32_t host, const Options &options, bool hasMemory = true) {
    uint32_t engine = add(host);
    EXPECT_EQ(initialize(engine, nameOf(host), options), "SUCCESS");
    if (hasMemory) {
      memory(engine, host, 0, kAll);
      memory(engine, host, 0, kAll, HixlMemType::Host);
    }
    return engine;
  }
  HixlAnswer memory(uint32_t engine, int32_t host, int64_t offset, int64_t bytes,
                    HixlMemType type = HixlMemType::Device) {
    HixlCall call = of(engine, HixlCallKind::RegisterMem);
    call.place = {host, type, offset};
    call.bytes = bytes;
    call.memType = type;
    return go(call);
  }
  std::string deregister(uint32_t engine, uint32_t handle) {
    HixlCall call = of(engine, HixlCallKind::DeregisterMem);
    call.handle = handle;
    return text(go(call).status);
  }
  std::string with(uint32_t engine, HixlCallKind kind, int32_t peer, int64_t timeoutMs = 1000) {
    HixlCall call = of(engine, kind);
    call.remote = nameOf(peer);
    call.timeoutMs = timeoutMs;
    return text(go(call).status);
  }
  std::string connect(uint32_t engine, int32_t peer, int64_t timeoutMs = 1000) {
    return with(engine, HixlCallKind::Connect, peer, timeoutMs);
  }
  std::string disconnect(uint32_t engine, int32_t peer) {
    return with(engine, HixlCallKind::Disconnect, peer);
  }
  std::string finalize(uint32_t engine) {
    return text(go(of(engine, HixlCallKind::Finalize)).status);
  }
  /// A batch of one range, between two device memories.
  HixlCall batch(uint32_t engine, int32_t peer, bool isSync, HixlOp op = HixlOp::Read,
                 int64_t local = 0, int64_t remote = 0, int64_t bytes = 64) {
    HixlCall call = of(engine, isSync ? HixlCallKind::TransferSync : HixlCallKind::TransferAsync);
    call.remote = nameOf(peer);
    call.op = op;
    call.ops = {{{0, HixlMemType::Device, local}, {peer, HixlMemType::Device, remote}, bytes}};
    return call;
  }
  std::string read(uint32_t engine, int32_t peer) {
    return text(go(batch(engine, peer, true)).status);
  }
  uint32_t start(uint32_t engine, int32_t peer, int64_t bytes = 64, HixlOp op = HixlOp::Read,
                 int64_t local = 0) {
    HixlAnswer answer = go(batch(engine, peer, false, op, local, local, bytes));
    EXPECT_EQ(text(answer.status), "SUCCESS");
    return answer.id;
  }
  /// "SUCCESS COMPLETED"
  std::string query(uint32_t engine, uint32_t request) {
    HixlCall call = of(engine, HixlCallKind::GetTransferStatus);
    call.request = request;
    HixlAnswer answer = go(call);
    return text(answer.status) + " " + text(answer.transfer);
  }
  std::string notify(uint32_t engine, int32_t peer, const std::string &name,
                     const std::string &message = "", int64_t timeoutMs = 1000) {
    HixlCall call = of(engine, HixlCallKind::SendNotify);
    call.remote = nameOf(peer);
    call.timeoutMs = timeoutMs;
    call.notice = {name, message};
    return text(go(call).status);
  }
  std::vector<HixlNotice> notifies(uint32_t engine, std::vector<HixlNotice> list = {}) {
    HixlCall call = of(engine, HixlCallKind::GetNotifies);
    call.list = std::move(list);
    return go(call).notices;
  }
  std::string asyncStatus(uint32_t engine, int32_t peer) {
    HixlCall call = of(engine, HixlCallKind::GetAsyncConnectStatus);
    call.remote = nameOf(peer);
    return hixlConnectStatuses()[size_t(go(call).connection)].name.str();
  }

  /// The findings since it was last asked for.
  std::string said() {
    std::string all;
    for (const HixlMisuse &misuse : std::exchange(misuses, {}))
      all += (all.empty() ? "" : " ") + misuse.account +
             (misuse.severity == Severity::Error     ? ""
              : misuse.severity == Severity::Warning ? "?"
                                                     : "~");
    return all;
  }
  static std::string text(HixlStatus status) { return info(status).name.str(); }
  static std::string text(HixlTransferStatus status) {
    return hixlTransferStatuses()[size_t(status)].name.str();
  }

  HixlCluster cluster;
  int64_t now = 0;
  uint32_t sites = 0;
  uint32_t waitsFor = 0;
  std::optional<HixlAnswer> ended;
  std::vector<HixlMisuse> misuses;
  std::vector<HixlCopy> copies;
  std::vector<HixlWake> wakes;

private:
  void collect() {
    HixlEffects effects = cluster.take();
    llvm::append_range(misuses, effects.misuses);
    llvm::append_range(copies, effects.copies);
    for (const HixlWake &wake : effects.wakes) {
      wakes.push_back(wake);
      if (wake.agent == waitsFor)
        ended = wake.answer;
    }
  }
};

} // namespace pto::test

#endif
