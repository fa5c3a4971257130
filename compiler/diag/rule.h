//===- rule.h - the rules, derived from rule.def ----------------*- C++ -*-===//
#ifndef PTO_DIAG_RULE_H
#define PTO_DIAG_RULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace pto {

enum class Rule : uint16_t {
#define PTO_RULE(Id, Enum, Slug, Phase, Severity, Kind, Platforms, Message, Why, Mend, Source) Enum,
#include "diag/rule.def"
};

enum class RulePhase : uint8_t { Parse, Check, Run };
enum class Severity : uint8_t { Note, Advice, Warning, Error };
enum class FindingKind : uint8_t {
  Syntax,
  Type,
  Shape,
  Engine,
  Usage, // Decided before running.
  Race,
  Deadlock,
  Fault,
  Leak,
  Stale,
  Value, // Seen in a run.
  Lint,
};

/// One row of rule.def.
struct RuleInfo {
  uint16_t id;
  llvm::StringLiteral slug;
  RulePhase phase;
  Severity severity;
  FindingKind kind;
  llvm::StringLiteral platforms;
  llvm::StringLiteral message; ///< With slots {0}, {1}, …
  llvm::StringLiteral why;
  llvm::StringLiteral mend;
  llvm::StringLiteral source;
};

[[nodiscard]] llvm::ArrayRef<RuleInfo> rules();
[[nodiscard]] const RuleInfo &info(Rule rule);
[[nodiscard]] std::optional<Rule> ruleBySlug(llvm::StringRef slug);
[[nodiscard]] llvm::StringRef name(Severity severity); ///< "note", "advice", …
[[nodiscard]] llvm::StringRef name(FindingKind kind);  ///< "syntax", …, as the JSON schema has it
[[nodiscard]] llvm::StringRef name(RulePhase phase);

namespace detail {
/// How many arguments a message needs: one more than its highest slot.
constexpr unsigned countSlots(std::string_view message) {
  unsigned count = 0;
  for (size_t i = 0; i + 2 < message.size() + 1; ++i)
    if (message[i] == '{' && i + 2 < message.size() && message[i + 2] == '}' &&
        message[i + 1] >= '0' && message[i + 1] <= '9')
      count = std::max(count, unsigned(message[i + 1] - '0') + 1);
  return count;
}
/// Slots of message and mend together, by rule; both are filled from one argument list.
inline constexpr unsigned kSlots[] = {
#define PTO_RULE(Id, Enum, Slug, Phase, Severity, Kind, Platforms, Message, Why, Mend, Source)     \
  std::max(countSlots(Message), countSlots(Mend)),
#include "diag/rule.def"
};
} // namespace detail

[[nodiscard]] constexpr unsigned slotCount(Rule rule) { return detail::kSlots[unsigned(rule)]; }

} // namespace pto

#endif
