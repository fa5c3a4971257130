//===- hixl_report.h - findings of calls of HIXL, made of all paths -*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_REPORT_H
#define PTO_FLOW_HIXL_REPORT_H

#include "diag/sink.h"
#include "flow/hixl_state.h"

#include <array>
#include <set>

namespace pto::flow_detail {

/// Where a host runs.
struct HostWorld {
  std::optional<int32_t> rank, ranks; ///< Absent: any.
  Platform platform = Platform::A3;
  bool isLost = false; ///< A fault takes the host away.
};

/// What one path says of a call.
struct Judgement {
  enum class Is : uint8_t {
    Fine,
    Neutral, ///< The path failed before, and is no witness for either.
    Wrong,
  };
  Is is = Is::Fine;
  HixlCase which = HixlCase::Fine;
  HixlEngine engine = HixlEngine::CommDomain;
  std::array<std::string, 3> words;
  const Expr *other = nullptr; ///< The call that made the state.
};
/// What the possibilities of a thing come to: one that is fine clears the call.
[[nodiscard]] inline Judgement::Is judge(Bits is, Bits wrong, Bits fine) {
  return is & fine    ? Judgement::Is::Fine
         : is & wrong ? Judgement::Is::Wrong
                      : Judgement::Is::Neutral;
}

class HixlReports {
public:
  HixlReports(const Sources &sources, Sink &sink) : sources_(sources), sink_(sink) {}

  /// While one lives nothing is said: the states are not all there yet.
  class Silence {
  public:
    explicit Silence(HixlReports &reports) : reports_(reports) { ++reports_.silences_; }
    ~Silence() { --reports_.silences_; }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

  private:
    HixlReports &reports_;
  };

  /// What this entry expects is left to its run.
  void begin(const program::Entry &entry) { entry_ = &entry; }
  void enter(const Expr &call) { callers_.push_back(&call); }
  void leave() { callers_.pop_back(); }

  /// Reports a call that is wrong on some path and fine on none. True: it is, and refused for it.
  bool judge(const Expr &call, llvm::ArrayRef<Judgement> paths);
  void fault(const Expr &call, const OptionFault &fault, const Expr *other = nullptr,
             llvm::StringRef role = "");
  /// At the end of the body, on all paths that lead there.
  void end(llvm::ArrayRef<const HostState *> paths, const HostWorld &world, SourceRange brace);

private:
  Finding *report(const HixlSaying &saying, SourceRange at, bool isOfOptions);

  const Sources &sources_;
  Sink &sink_;
  const program::Entry *entry_ = nullptr;
  unsigned silences_ = 0;
  llvm::SmallVector<const Expr *, 4> callers_;          ///< Of functions that are being followed.
  std::set<std::tuple<Rule, uint32_t, uint32_t>> said_; ///< One cause is told once.
};

} // namespace pto::flow_detail

#endif
