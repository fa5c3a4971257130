#include "diag/rule.h"

#include "base/check.h"

#include "llvm/ADT/StringMap.h"

namespace pto {

static constexpr RuleInfo kRules[] = {
#define PTO_RULE(Id, Enum, Slug, Phase, Sev, Kind, Platforms, Message, Why, Mend, Source)          \
  {Id,                                                                                             \
   llvm::StringLiteral(Slug),                                                                      \
   RulePhase::Phase,                                                                               \
   Severity::Sev,                                                                                  \
   FindingKind::Kind,                                                                              \
   llvm::StringLiteral(Platforms),                                                                 \
   llvm::StringLiteral(Message),                                                                   \
   llvm::StringLiteral(Why),                                                                       \
   llvm::StringLiteral(Mend),                                                                      \
   llvm::StringLiteral(Source)},
#include "diag/rule.def"
};

/// Ids rise from row to row, so a reused or misplaced id does not compile.
static constexpr bool idsRise() {
  for (size_t i = 1; i < std::size(kRules); ++i)
    if (kRules[i].id <= kRules[i - 1].id)
      return false;
  return true;
}
static_assert(idsRise(), "rule.def: ids must rise");

/// A run has no switch for advice, so a rule of a run cannot be one.
static constexpr bool adviceIsDecidedBeforeRunning() {
  for (const RuleInfo &row : kRules)
    if (row.severity == Severity::Advice && row.phase == RulePhase::Run)
      return false;
  return true;
}
static_assert(adviceIsDecidedBeforeRunning(), "rule.def: no advice in phase Run");

llvm::ArrayRef<RuleInfo> rules() { return kRules; }

const RuleInfo &info(Rule rule) {
  PTO_CHECK(size_t(rule) < std::size(kRules), "rule out of its table");
  return kRules[size_t(rule)];
}

std::optional<Rule> ruleBySlug(llvm::StringRef slug) {
  for (size_t i = 0; i != std::size(kRules); ++i)
    if (kRules[i].slug == slug)
      return Rule(i);
  return std::nullopt;
}

llvm::StringRef name(Severity severity) {
  static constexpr llvm::StringLiteral kNames[] = {"note", "advice", "warning", "error"};
  return kNames[size_t(severity)];
}

llvm::StringRef name(FindingKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {"syntax", "type",  "shape",    "engine",
                                                   "usage",  "race",  "deadlock", "fault",
                                                   "leak",   "stale", "value",    "lint"};
  return kNames[size_t(kind)];
}

llvm::StringRef name(RulePhase phase) {
  static constexpr llvm::StringLiteral kNames[] = {"parse", "check", "run"};
  return kNames[size_t(phase)];
}

} // namespace pto
