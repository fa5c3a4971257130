//===- states.h - when a call is legal, by call.def -------------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_STATES_H
#define PTO_HIXL_MODEL_STATES_H

#include "hixl_model/call.h"

namespace llvm {
class raw_ostream;
}

namespace pto {

/// What a call can turn out to be.
enum class HixlCase : uint8_t {
#define PTO_HIXL_CASE(Enum, ...) Enum,
#include "hixl_model/call.def"
};
/// The state of an engine towards a remote; where a call names none, towards any.
enum class HixlLinkage : uint8_t { Down, Ready, Linked, Busy };

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

/// The table of calls and states, and all cases with their answers.
void writeHixlStates(llvm::raw_ostream &out);

} // namespace pto

#endif
