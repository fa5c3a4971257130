//===- hixl_act.h - one call of HIXL, as one path makes it ---------*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_ACT_H
#define PTO_FLOW_HIXL_ACT_H

#include "flow/hixl_report.h"
#include "flow/hixl_values.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pto::flow_detail {

/// The operands of a call by the names that its row gives them.
struct HixlAct {
  const Expr &expr;
  HixlCallKind kind;
  const HostWorld &world;
  const HostValues &values;
  const HostState &state;
  ThingId id = 0; ///< Of its engine.
  const EngineState *engine = nullptr;
  std::optional<std::string> remote; ///< Where it is known.
  std::string remoteText;            ///< For messages: as it is written, where it is not.
  llvm::ArrayRef<Value> operands;

  [[nodiscard]] const Expr *written(llvm::StringRef param) const;
  [[nodiscard]] Value value(llvm::StringRef param) const;
  [[nodiscard]] std::string name() const { return info(kind).name.str(); }
  /// Of an initialized engine; its kind where that is known.
  [[nodiscard]] std::optional<HixlEngine> engineKind() const;
  [[nodiscard]] bool connectsByItself() const {
    return !engine->facts || engine->facts->connectsByItself();
  }
  [[nodiscard]] LinkState link() const { return remote ? engine->link(*remote) : anyLink(); }
  /// The local, or the remote views of a batch, in order.
  [[nodiscard]] std::vector<const Expr *> views(bool isLocal) const;
  [[nodiscard]] std::optional<HixlOp> op() const;
  /// The batch is written with `for`; how many pairs it makes, if that is known.
  [[nodiscard]] std::optional<int64_t> turns() const;
  [[nodiscard]] std::vector<Touched> touches() const;

private:
  [[nodiscard]] LinkState anyLink() const;
};

/// What a call is judged by: all that are of its kind, in the order of the library.
void judgeCall(const Expr &expr, llvm::ArrayRef<HixlAct> paths, HixlReports &reports);

/// A check of one path, for calls of some kinds.
struct HixlCheck {
  uint32_t calls;                         ///< A bit for each kind.
  Judgement (*judge)(const HixlAct &act); ///< Null: each request of the engine is judged.
  Judgement (*judgeRequest)(const HixlAct &act, const RequestState &request) = nullptr;
};
template <typename... Kinds> constexpr uint32_t callsOf(Kinds... kinds) {
  return (0u | ... | (1u << unsigned(kinds)));
}
[[nodiscard]] llvm::ArrayRef<HixlCheck> hixlStateChecks();   // hixl_checks.cpp
[[nodiscard]] llvm::ArrayRef<HixlCheck> hixlLinkChecks();    // hixl_links.cpp
[[nodiscard]] llvm::ArrayRef<HixlCheck> hixlRequestChecks(); // hixl_requests.cpp
[[nodiscard]] llvm::ArrayRef<HixlCheck> hixlRangeChecks();   // hixl_ranges.cpp

/// What a call of one path comes to: hands each outcome over with the value of the call.
struct HixlOutcome {
  HostState state;
  Value value;
};
using HixlOutcomes = llvm::SmallVector<HixlOutcome, 3>;
/// `made` names what the call makes; `isDropped`: nobody looks at its value.
[[nodiscard]] HixlOutcomes outcomesOf(const HixlAct &act, ThingId made, bool isDropped);

} // namespace pto::flow_detail

#endif
