// Each host of each entry, rank by rank: what it makes of HIXL is followed before anything runs.

#include "flow/flow.h"
#include "flow/hixl_walk.h"
#include "hixl/incident.h"
#include "program/walk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace pto {

using namespace flow_detail;
using program::ExprKind;
using program::Function;

/// Whether a run that begins here comes to a call of HIXL.
static bool usesHixl(const Function *from) {
  llvm::SmallSetVector<const Function *, 8> reached;
  reached.insert(from);
  bool uses = false;
  for (size_t i = 0; i != reached.size() && !uses; ++i)
    program::walk(
        *reached[i],
        [&](const program::Expr &expr) {
          uses |= expr.kind == ExprKind::Intrinsic && expr.intrinsic == Intrinsic::HixlNewEngine;
          if (expr.kind == ExprKind::Call && expr.function)
            reached.insert(expr.function);
        },
        [](const program::Stmt &) {});
  return uses;
}

/// A rank that the setting `faults` takes away.
static bool isLost(const program::Entry &entry, int32_t rank) {
  return llvm::any_of(entry.faults, [&](const std::string &text) {
    ParsedIncident parsed = parseHixlIncident(text);
    return parsed.value && parsed.value->kind == HixlIncidentKind::Host &&
           parsed.value->from == rank;
  });
}

namespace {
class Hosts {
public:
  Hosts(program::Program &program, const HostOptions &options, HixlReports &reports)
      : program_(program), options_(options), reports_(reports) {}

  void follow(const program::Entry &entry);

private:
  void follow(const program::Entry &entry, HostWorld world);

  program::Program &program_;
  const HostOptions &options_;
  HixlReports &reports_;
};
} // namespace

void Hosts::follow(const program::Entry &entry, HostWorld world) {
  world.isLost = world.rank && ::pto::isLost(entry, *world.rank);
  if (HostWalk(program_, entry, world, reports_).run())
    return;
  std::string text =
      "the calls of HIXL in `" + entry.name + "`: there are too many ways through it";
  if (!llvm::is_contained(program_.unknowns, text))
    program_.unknowns.push_back(std::move(text));
}

void Hosts::follow(const program::Entry &entry) {
  constexpr int32_t kMostRanks = 16;
  llvm::Expected<Target> target = parseTarget(entry.target);
  HostWorld world;
  world.platform = options_.platform;
  if (target)
    world.platform = target->platform;
  else
    llvm::consumeError(target.takeError());
  int32_t ranks = options_.ranks.value_or(entry.ranks);
  reports_.begin(entry);
  if (ranks <= 0)
    return follow(entry, world);
  world.ranks = ranks;
  for (int32_t rank = 0; rank != std::min(ranks, kMostRanks); ++rank) {
    world.rank = rank;
    follow(entry, world);
  }
}

void followHosts(program::Program &program, const HostOptions &options, const Sources &sources,
                 Sink &sink) {
  HixlReports reports(sources, sink);
  Hosts hosts(program, options, reports);
  for (const program::Entry &entry : program.entries)
    if (entry.function && usesHixl(entry.function))
      hosts.follow(entry);
}

} // namespace pto
