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

inline constexpr int64_t kAll = int64_t(1) << 30;
inline constexpr int64_t kSlow = int64_t(1) << 28; ///< Bytes that take milliseconds.
inline constexpr int64_t kMs = 1000000000;

using Options = std::vector<std::pair<std::string, std::string>>;

/// What selects an engine by its letter on A3; M without its relay, R with it.
Options optionsOf(char kind);
/// The same and one more.
Options optionsWith(char kind, const char *key, const std::string &value);
/// With AutoConnect.
Options automatic(char kind);
/// S with a list of endpoints.
Options listed(const std::string &endpoints, const std::string &pod = "pod");
HixlClusterConfig on(Platform platform);

class HixlRun {
public:
  explicit HixlRun(HixlClusterConfig config = {}) : cluster(config) {}

  static std::string nameOf(int32_t host) { return "10.0.0." + std::to_string(host) + ":26000"; }
  static std::string text(HixlStatus status) { return info(status).name.str(); }
  static std::string text(HixlTransferStatus status) {
    return hixlTransferStatuses()[size_t(status)].name.str();
  }
  static HixlCall of(uint32_t engine, HixlCallKind kind);

  /// Does a call to its end; its site is its number.
  HixlAnswer go(HixlCall call);
  /// Begins a call as another agent; its end is in `ended`.
  void begin(HixlCall call);
  void pass(int64_t untilPs);
  void passMs(int64_t ms) { pass(now + ms * kMs); }
  void finish();

  uint32_t add(int32_t host) { return cluster.addEngine(host); }
  std::string initialize(uint32_t engine, const std::string &name, const Options &options);
  /// An engine that is ready, with 1 GiB in each memory.
  uint32_t ready(int32_t host, const Options &options, bool hasMemory = true);
  HixlAnswer memory(uint32_t engine, int32_t host, int64_t offset, int64_t bytes,
                    HixlMemType type = HixlMemType::Device);
  std::string deregister(uint32_t engine, uint32_t handle);
  std::string with(uint32_t engine, HixlCallKind kind, int32_t peer, int64_t timeoutMs = 1000);
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
                 int64_t local = 0, int64_t remote = 0, int64_t bytes = 64);
  std::string read(uint32_t engine, int32_t peer) {
    return text(go(batch(engine, peer, true)).status);
  }
  uint32_t start(uint32_t engine, int32_t peer, int64_t bytes = 64, HixlOp op = HixlOp::Read,
                 int64_t local = 0);
  /// "SUCCESS COMPLETED"
  std::string query(uint32_t engine, uint32_t request);
  std::string notify(uint32_t engine, int32_t peer, const std::string &name,
                     const std::string &message = "", int64_t timeoutMs = 1000);
  std::vector<HixlNotice> notifies(uint32_t engine, std::vector<HixlNotice> list = {});
  std::string asyncStatus(uint32_t engine, int32_t peer);
  void breaks(HixlFaultKind kind, int32_t host) { cluster.fault({kind, host, 0, now, 0}); }

  /// The findings since it was last asked for.
  std::string said();

  HixlCluster cluster;
  int64_t now = 0;
  uint32_t sites = 0;
  uint32_t waitsFor = 0;
  std::optional<HixlAnswer> ended;
  std::vector<HixlMisuse> misuses;
  std::vector<HixlCopy> copies;
  std::vector<HixlWake> wakes;

private:
  void collect();
};

/// A server on host 1 and a client on host 2, each with memory.
struct HixlPair : HixlRun {
  explicit HixlPair(const Options &options, HixlClusterConfig config = {});
  uint32_t server;
  uint32_t client;
};
/// The client has a link to the server.
struct HixlLinked : HixlPair {
  explicit HixlLinked(const Options &options);
  explicit HixlLinked(char kind) : HixlLinked(optionsOf(kind)) {}
};

} // namespace pto::test

#endif
