//===- states.h - when a call is legal, and what turns ----------*- C++ -*-===//
#ifndef PTO_HIXL_STATES_H
#define PTO_HIXL_STATES_H

#include "base/isa.h"
#include "diag/rule.h"
#include "hixl/facts.h"
#include "hixl/tables.h"

#include <optional>
#include <string>

namespace pto {

enum class HixlCallKind : uint8_t {
#define PTO_HIXL_CALL(Enum, ...) Enum,
#include "hixl/call.def"
};
/// What a call can turn out to be.
enum class HixlCase : uint8_t {
#define PTO_HIXL_CASE(Enum, ...) Enum,
#include "hixl/call.def"
};
/// The state of an engine towards a remote; where a call names none, towards any.
enum class HixlLinkage : uint8_t { Down, Ready, Linked, Busy };
[[nodiscard]] llvm::StringRef name(HixlLinkage linkage);

/// An engine's answer in a case.
struct HixlReply {
  HixlStatus status = HixlStatus::Success;
  bool isLegal = false; ///< There is nothing to say about it on this engine.
};
struct HixlCaseInfo {
  llvm::StringLiteral account;
  Severity severity;
  HixlReply on[3]; ///< By engine.
  llvm::StringLiteral seen;
  llvm::StringLiteral mend;
  llvm::StringLiteral role;
};
struct HixlCallInfo {
  llvm::StringLiteral name;
  bool isTimed;
  HixlCase in[4]; ///< By linkage.
  llvm::StringLiteral text;
};

[[nodiscard]] llvm::ArrayRef<HixlCaseInfo> hixlCases();
[[nodiscard]] llvm::ArrayRef<HixlCallInfo> hixlCalls();
[[nodiscard]] const HixlCaseInfo &info(HixlCase which);
[[nodiscard]] const HixlCallInfo &info(HixlCallKind kind);

/// What a call that succeeds makes of its engine, or of the link to its remote.
enum class HixlAfter : uint8_t {
  Same,
  Ready,
  Finalized,
  Up,
  Down,
  Asked, ///< A worker will, later.
};
/// Which of the two kinds of connect a call belongs to.
enum class HixlWay : uint8_t { None, Sync, Async };
struct HixlEffect {
  HixlCallKind call;
  HixlAfter engine;
  HixlAfter link;
  HixlWay way;
};
[[nodiscard]] HixlEffect hixlEffect(HixlCallKind kind);

/// The call that a verb of the language makes; absent: it asks about what was answered before.
[[nodiscard]] std::optional<HixlCallKind> hixlCallOf(HixlVerb verb);
/// What a timeout that is not positive is of that call.
[[nodiscard]] HixlCase timeoutCase(HixlCallKind kind);

/// What a finding says of a case, in sentences.
struct HixlSaying {
  llvm::StringRef account;
  Severity severity = Severity::Error;
  std::string text;
  std::string mend;
  std::string role; ///< Of the other place.
};
/// Absent where the engine takes it for legal, or where it is said elsewhere. `words` fill the
/// slots of the row: three of them.
[[nodiscard]] std::optional<HixlSaying> sayingOf(HixlCase which, HixlEngine engine,
                                                 llvm::ArrayRef<std::string> words);
/// "2 links and 1 open request": what `finalize` takes down; empty for nothing.
[[nodiscard]] std::string hixlLeftBehind(size_t links, size_t requests, size_t regions);

/// What happens to an asynchronous connect.
enum class HixlTurn : uint8_t {
#define PTO_HIXL_TURN(Enum, ...) Enum,
#include "hixl/turn.def"
};
struct HixlTurnInfo {
  HixlConnectStatus to;
  std::optional<HixlConnectStatus> behind; ///< It does not show while the map says so.
  llvm::StringLiteral event;
};
/// What the map says of a remote after it.
[[nodiscard]] HixlConnectStatus turned(HixlConnectStatus from, HixlTurn turn);

/// Why a link is not there any more.
enum class HixlGone : uint8_t {
#define PTO_HIXL_GONE(Enum, ...) Enum,
#include "hixl/turn.def"
};
[[nodiscard]] llvm::StringRef textOf(HixlGone why);

/// Calls and states, cases with their answers, and how links and workers turn.
[[nodiscard]] llvm::ArrayRef<HixlTable> hixlStateTables();

} // namespace pto

#endif
