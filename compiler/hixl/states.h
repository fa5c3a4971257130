//===- states.h - when a call is legal, and what turns ----------*- C++ -*-===//
#ifndef PTO_HIXL_STATES_H
#define PTO_HIXL_STATES_H

#include "diag/rule.h"
#include "hixl/facts.h"
#include "hixl/tables.h"

#include <optional>

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
