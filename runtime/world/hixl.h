//===- hixl.h - HIXL as the hosts of a run use it ---------------*- C++ -*-===//
//
// What a host has staged for its next call, what its engines last said, and the places of calls, by
// which the model speaks of them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_WORLD_HIXL_H
#define PTO_WORLD_HIXL_H

#include "bytecode/module.h"
#include "hixl_model/cluster.h"
#include "memory/view.h"
#include "port/request.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <map>

namespace pto {

struct World;

/// Who made a call, and what it asked.
struct HixlCaller {
  int32_t rank = 0;
  HixlVerb verb = HixlVerb::Engine;
  uint32_t engine = 0;
  uint32_t site = 0;
  int64_t beganPs = 0;
  std::string what; ///< Of a trace: "connect to 10.0.0.1:26000".
};

/// What the last query of all requests has brought, and what the program has looked at.
struct HixlReported {
  std::vector<HixlRequestAnswer> entries;
  llvm::SmallVector<bool> isSeen;
  uint32_t site = 0;
};
/// The same of the notifies that it took last.
struct HixlTaken {
  std::vector<HixlNotice> notices;
  llvm::SmallVector<bool> isHeard;
  uint32_t site = 0;
};

/// An engine object of a program. Its name is given when it is made, and used by `initialize`.
struct HixlObject {
  int32_t rank = -1;
  std::string name;
  HixlStatus status = HixlStatus::Success; ///< Of the last call.
  HixlReported reported;
  HixlTaken taken;
};

struct HixlHost {
  std::vector<std::string> texts;
  std::vector<std::pair<View, View>> pairs;
  HixlStatus status = HixlStatus::Success; ///< Of the last call without an engine.
  uint32_t asker = 0;                      ///< The engine that is asked about the library; 0: none.
  HixlCaller waiting;                      ///< Where a call blocks it.
};

struct HixlSite {
  CodePlace place;
  CodePlace call;
  int32_t rank = -1;
};

struct HixlHosts {
  explicit HixlHosts(const HixlClusterConfig &config)
      : cluster(config), hosts(size_t(config.hosts)) {}

  HixlCluster cluster;
  std::vector<HixlHost> hosts;            ///< By rank.
  std::vector<HixlObject> objects = {{}}; ///< By the engine's number; 0 is none.
  std::vector<HixlSite> sites = {{}};     ///< 0 is none.
  std::map<std::tuple<int32_t, uint32_t, uint64_t>, uint32_t> siteNumbers;
  std::optional<int64_t> duePs;                  ///< What is on the agenda.
  std::vector<std::pair<int64_t, int32_t>> lost; ///< Hosts that will be, and when.
  HixlEngines engines;                           ///< Kinds that were initialised.
};

// HIXL: hixl.cpp.
/// Sets it up, if the module makes calls of it.
[[nodiscard]] llvm::Error startHixl(World &world);
/// Does what is due, and enters what comes next.
void advanceHixl(World &world);
/// After a call: takes out what it has done.
void followHixl(World &world);
/// The hosts have ended: says what they left behind.
void finishHixl(World &world);
/// The kinds of engines that the program used, by name.
[[nodiscard]] std::vector<llvm::StringRef> hixlEnginesOf(const HixlHosts &hixl);
/// What a call asks for, in words, and what came of it: hixl_trace.cpp.
[[nodiscard]] std::string hixlCallText(const HixlCall &call);
void traceHixlCall(World &world, const HixlCaller &caller, const HixlAnswer &answer, int64_t endPs);
void traceHixl(World &world, const HixlEffects &effects);
void reportMisuse(World &world, const HixlMisuse &misuse);
/// A call is named by its place and host, so that a loop is one cause.
[[nodiscard]] uint32_t hixlSite(HixlHosts &hixl, const Request &request, int32_t rank);
[[nodiscard]] HixlPlace hixlPlace(const World &world, const View &view);
/// What the program gets for the answer to a call, and for a question about it: hixl_answers.cpp.
[[nodiscard]] ScalarBits settleHixl(World &world, const HixlCaller &caller,
                                    const HixlAnswer &answer);
[[nodiscard]] ScalarBits recallHixl(HixlHosts &hixl, const HixlCaller &caller, uint64_t index);
/// Before a report goes: whether a failure in it was looked at.
void sayUnseen(World &world, uint32_t engine, uint32_t site);
/// A host reads or writes memory itself, which a transfer may be moving.
void checkHixlAccess(World &world, const Request &request, int32_t rank, bool writes);

} // namespace pto

#endif
