//===- audit.h - whether anything of a run went wrong silently --*- C++ -*-===//
//
// The audit follows a run and judges it by what is ordered before what, not by the values that came
// out. The world tells it what hosts and cores do; what engines do it reads from their log. Its
// memory grows with the windows and with what is under way, not with the length of the run.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AUDIT_AUDIT_H
#define PTO_AUDIT_AUDIT_H

#include "memory/gm.h"
#include "port/deed.h"
#include "port/request.h"

#include <memory>

namespace pto {

struct AuditLimits;

struct AuditContext {
  const Module &module;
  const Layout &layout;
  const Gm &gm;
  int32_t ranks = 1;
  /// Of an earlier pass over the same run; null: this is the first.
  const AuditLimits *limits = nullptr;
};

/// What the audit says, for the world to report.
struct AuditFinding {
  Trap trap;
  TrapSite site;
};

/// Two steps of the run that could have come in the other order, with other consequences.
struct OpenPair {
  std::string text;
};

/// Whether what was seen holds for every schedule with these inputs, ranks and blocks.
struct Proof {
  std::vector<OpenPair> pairs; ///< The first of those that prevent it; none: proved.
  uint64_t more = 0;           ///< Further ones.
  [[nodiscard]] bool holds() const { return pairs.empty(); }
};

namespace audit_detail {
struct State;
}

class Audit {
public:
  explicit Audit(const AuditContext &context);
  ~Audit();
  Audit(const Audit &) = delete;
  Audit &operator=(const Audit &) = delete;

  void setTime(int64_t nowPs);

  // Hosts and launches.
  /// The host queued a kernel, which is one of the functions of the module.
  void launchBegins(uint32_t launch, int32_t rank, int32_t stream, uint32_t kernel);
  void launchStarts(uint32_t launch); ///< It is the first of its stream.
  void launchEnds(uint32_t launch);
  void hostSyncs(int32_t rank); ///< With all launches of its rank.
  void hostsMeet();             ///< All that have not finished. `isQuiet`: nothing is under way.
  void hostReads(int32_t rank, const Request &request);
  void hostWrites(int32_t rank, const Request &request);
  void fileFills(int32_t rank, uint32_t object);

  // Cores.
  void blockBegins(uint32_t core, uint32_t launch, int32_t rank, int32_t block);
  void blockEnds(uint32_t core);
  /// All know what each knew. By ROCE, `tellsOwnersOnly`, what its queues wrote is sure to be seen
  /// by the rank whose memory it is, and by no other.
  void blocksMeet(llvm::ArrayRef<uint32_t> cores, bool tellsOwnersOnly = false);
  void loads(uint32_t core, const Request &request);
  void stores(uint32_t core, const Request &request);
  /// The lines of a view leave the core's cache; no view: all lines.
  void flushes(uint32_t core, const Request &request, const View *view);
  void fences(uint32_t core, const Request &request); ///< dsb
  void drains(uint32_t core, const Request &request); ///< pipe_barrier
  void joinsTokens(uint32_t core, const Request &request);
  void changesStores(uint32_t core, const Request &request); ///< set_atomic
  void fetches(uint32_t core, const Request &request);       ///< amo_fetch, of what is no signal

  // Signals.
  void sends(uint32_t core, const SignalUpdate &update);
  void lands(const SignalUpdate &update, int32_t before, int32_t after);
  void passes(uint32_t core, const Request &request); ///< A twait, or a ttest that is true.
  void tests(uint32_t core, const Request &request, bool result);
  void pollsEvent(uint32_t core, const Request &request); ///< A `test` that is false.

  // Engines.
  void follow(llvm::ArrayRef<Deed> deeds);

  /// The run has ended by itself; `isClean`: nothing else was found.
  void finish();
  [[nodiscard]] std::vector<AuditFinding> takeFindings();
  [[nodiscard]] Proof proof() const;
  /// How many entries a clock has at most: hosts, pipes and ordering domains.
  [[nodiscard]] size_t agents() const;
  /// What the waits of this pass could acquire in every schedule, where that is less than they did.
  /// A second pass over the same run that takes them into account speaks for more schedules.
  [[nodiscard]] std::shared_ptr<const AuditLimits> limits() const;
  /// "`ready` of rank 1 was Set to 1 by ... and overwritten": for reports of hangs.
  [[nodiscard]] std::vector<std::string> storyOf(int32_t rank, int64_t offset) const;

private:
  std::unique_ptr<audit_detail::State> state_;
};

} // namespace pto

#endif
