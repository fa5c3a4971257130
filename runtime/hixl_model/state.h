//===- state.h - the inside of a cluster ------------------------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_STATE_H
#define PTO_HIXL_MODEL_STATE_H

#include "hixl_model/cluster.h"
#include "hixl_model/data.h"

namespace pto::hixl {

class State : private Data {
public:
  explicit State(const HixlClusterConfig &config);

  uint32_t addEngine(int32_t host);
  Answer call(const HixlCall &call, int64_t nowPs);
  [[nodiscard]] std::optional<int64_t> nextPs() const;
  void advance(int64_t nowPs);
  [[nodiscard]] const Request *mover(const Box &box) const;
  void access(const Box &box, uint32_t site);
  void fault(const HixlFault &fault);
  void finish(int64_t nowPs);
  HixlEffects take() { return std::exchange(effects_, {}); }

private:
#define PTO_HIXL_CALL(Enum, ...) Answer do##Enum(Engine &engine, const HixlCall &call);
#include "hixl/call.def"

  // state.cpp: time, answers, findings
  DeedKey at(int64_t ps, Deed deed);
  DeedKey after(int64_t ps, Deed deed) { return at(now_ + ps, std::move(deed)); }
  static int64_t spread(Engine &engine, HixlCost cost) {
    return engine.jitter.spread(costPs(cost));
  }
  static HixlAnswer ends(HixlStatus status);
  uint32_t park(const HixlCall &call);
  void wake(uint32_t ticket, HixlAnswer answer);
  HixlStatus raise(HixlCase which, const Engine &engine, uint32_t site, const Words &words = {},
                   uint32_t other = 0);
  void raiseFault(const OptionFault &fault, uint32_t site, uint32_t other = 0,
                  llvm::StringRef role = "");
  void record(HixlMisuse misuse);
  std::string stateText(const Engine &engine, HixlStatus status) const;
  Answer facade(Engine &engine, const HixlCall &call);
  HixlLinkage linkageOf(const Engine &engine, const std::string &remote) const;
  Answer gate(Engine &engine, const HixlCall &call);
  HixlCase missing(const Engine &engine, const HixlCall &call, uint32_t &other, Words &words);

  // life.cpp
  Answer initializeFails(Engine &engine, const HixlCall &call, HixlStatus status);
  HixlStatus checkNeighbours(Engine &engine, uint32_t site);
  HixlDevice deviceOf(int32_t host) const;
  bool crossesServers(int32_t one, int32_t other) const;
  void sayLeftBehind(Engine &engine, uint32_t site);
  void sayPeers(Engine &engine, uint32_t site);
  void leave(Engine &engine, Life life, uint32_t site);

  // memory.cpp
  HixlStatus checkRegion(Engine &engine, const HixlCall &call);
  void checkTotals(Engine &engine, uint32_t site);
  uint32_t userOf(const Engine &engine, const Region &region) const;
  void checkOtherUsers(Engine &engine, const Region &region, uint32_t site);

  // connect.cpp
  void startConnect(Attempt attempt);
  void waitForPlace(const Attempt &attempt);
  void shakeHands(const Attempt &attempt);
  HixlStatus finishConnect(Engine &engine, const Attempt &attempt);
  HixlStatus checkAddresses(const Engine &engine, const Engine &peer, const Attempt &attempt,
                            const Link &link);
  HixlStatus checkPair(Engine &engine, Engine &peer, const Attempt &attempt);
  HixlStatus choosePath(Engine &engine, const Engine &peer, const Attempt &attempt, Link &link);
  HixlStatus nobody(Engine &engine, const Attempt &attempt);
  bool wasLost(const std::string &remote) const;
  Engine *listening(const std::string &remote);
  void endLink(Engine &engine, const std::string &remote, HixlGone why, uint32_t site);
  void closeRequests(Engine &engine, uint64_t serial, uint32_t site);
  bool isAlive(const Engine &engine, const Link &link) const;
  void forget(uint32_t peer, const std::string &client, uint64_t serial);
  void mixed(Engine &engine, const HixlCall &call, bool isAsync);

  // async_connect.cpp
  Answer submitTask(Engine &engine, const HixlCall &call, bool connects);
  void turn(Engine &engine, const std::string &remote, HixlTurn turn);
  void pump(uint32_t engine, uint32_t epoch);
  void runTask(Engine &engine, const Task &task);

  // transfer.cpp, batch.cpp, flight.cpp
  Answer transfer(Engine &engine, const HixlCall &call, bool isSync);
  Answer connectFirst(Engine &engine, const HixlCall &call, bool isSync);
  Request &post(Engine &engine, const Link &link, const HixlCall &call);
  Answer submit(Engine &engine, HixlCall call, bool isSync, uint32_t ticket);
  Answer refused(Engine &engine, const HixlCall &call, HixlStatus status, bool isSync);
  HixlStatus checkBatch(Engine &engine, const Link &link, const HixlCall &call, bool &relays);
  HixlStatus checkRange(Engine &engine, const Link &link, const HixlCall &call, bool isLocal,
                        const HixlOpDesc &op, bool &relays);
  HixlStatus checkPlaces(Engine &engine, const Link &link, const HixlCall &call, bool relays);
  HixlStatus checkSlots(Engine &engine, const Link &link, const HixlCall &call, bool isSync);
  void checkOverlaps(const Engine &engine, const HixlCall &call);
  void checkConflicts(const Engine &engine, const HixlCall &call);
  int64_t waitForRelay(Engine &engine, const Link &link, const HixlCall &call, int64_t takesPs);
  int64_t durationOf(Engine &engine, const Link &link, const HixlCall &call);
  void launch(Engine &engine, Link &link, Request &request, const HixlCall &call, bool relays);
  void arrive(uint32_t id);
  void failRequest(Request &request);
  void transferFailed(Engine &engine, const std::string &remote, HixlStatus status, uint32_t site,
                      uint32_t but);
  Link *linkOf(const Request &request);
  std::vector<Request *> openOn(const Engine &engine, uint64_t serial);
  Request &newRequest(Engine &engine, uint32_t site);
  void release(Request &request, HixlCase ended, uint32_t site, llvm::StringRef text = "");
  void timeOut(uint32_t id);
  void moved(Request &request, HixlMoveEnd end);
  void purge(Engine &engine, llvm::ArrayRef<Request *> others, HixlCase why, uint32_t site);

  // request.cpp
  void sweep();
  HixlTransferStatus poll(Request &request, HixlCase released, uint32_t site);

  // notify.cpp
  void checkEarly(Engine &engine, const HixlCall &call);
  HixlStatus deliver(Engine &engine, const HixlCall &call, uint32_t number);
  Engine *receiverOf(Engine &engine, const std::string &remote);

  // pool.cpp
  void evictFor(Engine &engine, uint32_t site);
  void evict(uint32_t engine, const std::string &name, bool isClient, uint32_t site);
  [[nodiscard]] size_t linksOf(const Engine &engine) const;
  bool isPinned(Engine &client, const std::string &remote, uint32_t site);

  // faults.cpp
  [[nodiscard]] bool isCut(int32_t one, int32_t other) const;
  void hit(const HixlFault &fault);
  void peerGone(Engine &peer);
  void watch(const Engine &client, const std::string &remote, const Link &link);
};

} // namespace pto::hixl

#endif
