//===- hixl_outcomes.h - makes the outcomes of one call -----------*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_OUTCOMES_H
#define PTO_FLOW_HIXL_OUTCOMES_H

#include "flow/hixl_act.h"

namespace pto::flow_detail {

/// Makes the outcomes of one call.
class HixlOutcomeMaker {
public:
  HixlOutcomeMaker(const HixlAct &act, ThingId made, bool isDropped)
      : act_(act), made_(made), isDropped_(isDropped) {}

#define PTO_HIXL_CALL(Enum, ...) void make##Enum();
#include "hixl/call.def"

  /// The call fails before its engine looks at it, or nobody can say how it ends.
  [[nodiscard]] bool endsEarly();
  HixlOutcomes take() { return std::move(outcomes_); }

private:
  struct Made {
    HostState &state;
    EngineState &engine;
    LinkState &link() { return engine.links[remote]; }
    RequestState &request(ThingId id) { return state.requests.find(id)->second; }
    std::string remote;
  };
  /// One more outcome, as the state was; `status` is that of the call.
  Made add(Value value, Value status);
  Made add(Value status) { return add(status, status); }
  void refuse(HixlStatus status);
  [[nodiscard]] bool isUnlinked() const;
  void connectItself(Made made) const;
  void cutRequests(HostState &state, bool isSure) const;
  void loseLinks(Made made) const;
  [[nodiscard]] std::vector<ThingId> liveRegions() const;
  void submitTask(bool connects);
  [[nodiscard]] Bits holdOf(const RegionState &region) const;
  [[nodiscard]] bool mayBeUsed(const RegionState &region) const;
  void queryOpen(ThingId id, const RequestState &request);

  const HixlAct &act_;
  ThingId made_;
  bool isDropped_;
  HixlOutcomes outcomes_;
};

} // namespace pto::flow_detail

#endif
