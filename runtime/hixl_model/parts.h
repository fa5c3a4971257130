//===- parts.h - what engines own -------------------------------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_PARTS_H
#define PTO_HIXL_MODEL_PARTS_H

#include "hixl/identifier.h"
#include "hixl/options.h"
#include "hixl/states.h"
#include "hixl_model/link.h"
#include "hixl_model/rate.h"
#include "port/jitter.h"

#include <array>
#include <functional>
#include <map>
#include <set>

namespace pto::hixl {

inline constexpr int64_t kPsPerMs = 1000000000;

/// When a deed is done, and its number.
using DeedKey = std::pair<int64_t, uint64_t>;

enum class Progress : uint8_t {
  Running,
  Stuck,   ///< The device failed and nobody finds out, or it never ends.
  Arrived, ///< Its bytes have moved.
  Failed,
};
struct Request {
  uint32_t id = 0;
  uint32_t engine = 0;
  std::string remote;
  uint64_t serial = 0; ///< Of its link.
  uint32_t site = 0;
  uint32_t ticket = 0; ///< Of the call that waits for it; 0: it is asynchronous.
  HixlOp op = HixlOp::Read;
  std::vector<HixlOpDesc> ops;
  Boxes boxes; ///< Around the ranges of `ops`.
  uint64_t userData = 0;
  Progress progress = Progress::Running;
  int64_t beganPs = -1;            ///< While it is under way.
  HixlCase ended = HixlCase::Fine; ///< What a query meets; Fine: it is not released.
  uint32_t endSite = 0;
  std::string endText; ///< What was answered.
  uint32_t queries = 0;
  DeedKey deadline{-1, 0}; ///< Of a synchronous one.

  [[nodiscard]] bool isOpen() const { return ended == HixlCase::Fine; }
  /// Whether its bytes may still be moving.
  [[nodiscard]] bool moves() const { return isOpen() && progress == Progress::Running; }
};

/// A row of the status map of asynchronous connects.
struct AsyncEntry {
  HixlConnectStatus status = HixlConnectStatus::NotConnect;
  uint32_t site = 0;
  bool isObserved = false; ///< The program has seen CONNECTED.
};
struct Task {
  std::string remote;
  bool connects = true;
  int64_t timeoutMs = 0;
  uint32_t site = 0;
};

/// A buffer of a relay, and who has it until then.
struct RelayBuffer {
  int64_t freePs = 0;
  uint32_t site = 0;
};

enum class Life : uint8_t { Never, Refused, Ready, Finalized, Lost };
struct Engine {
  uint32_t id = 0;
  int32_t host = 0;
  Life life = Life::Never;
  HixlStatus refusedBy = HixlStatus::Success;
  uint32_t site = 0;  ///< Of what made its life so.
  Jitter jitter;      ///< Its own, so that no engine shifts the luck of another.
  uint32_t epoch = 0; ///< Counts its lives, so that what was begun in another one is cut.
  HixlConfig config;
  HixlIdentifier name;
  HixlEndpoints endpoints;
  Regions regions;
  std::map<std::string, Link> links;
  std::map<std::string, Incoming> incoming; ///< By the client's name.
  std::map<std::string, Gone> gone;
  std::deque<HixlNotice> inbox;     ///< Of S and F.
  std::vector<RelayBuffer> buffers; ///< Of a relay that receives.
  std::map<std::string, AsyncEntry> async;
  std::deque<Task> tasks;
  std::set<std::string> running; ///< Remotes that a worker is with.
  uint32_t firstSync = 0;        ///< Sites of the two kinds of connect.
  uint32_t firstAsync = 0;
  uint32_t closing = 0; ///< Ticket of a finalize that waits for the workers.

  [[nodiscard]] HixlEngine kind() const { return config.engine; }
  [[nodiscard]] bool isReady() const { return life == Life::Ready; }
  [[nodiscard]] bool connectsByItself() const { return config.autoConnect || config.pool; }
};

using Answer = std::optional<HixlAnswer>;
using Words = std::array<std::string, 3>;
using Deed = std::function<void()>;
/// What is done with the end of a connect.
using Then = std::function<void(HixlStatus)>;

/// A connect under way.
struct Attempt {
  uint32_t engine = 0;
  uint32_t epoch = 0;
  std::string remote;
  int64_t timeoutMs = 0;
  int64_t deadlinePs = 0;
  uint32_t site = 0;
  bool isImplicit = false;
  Then then;
};

} // namespace pto::hixl

#endif
