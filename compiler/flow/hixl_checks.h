//===- hixl_checks.h - what the checks of calls share --------------*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_CHECKS_H
#define PTO_FLOW_HIXL_CHECKS_H

#include "flow/hixl_act.h"

namespace pto::flow_detail {

/// The call's name is the first word of what is said.
[[nodiscard]] inline Judgement wrong(const HixlAct &act, HixlCase which, llvm::StringRef more = "",
                                     llvm::StringRef again = "", const Expr *other = nullptr) {
  return {Judgement::Is::Wrong,
          which,
          act.engineKind().value_or(HixlEngine::CommDomain),
          {act.name(), more.str(), again.str()},
          other};
}
/// As the possibilities of a thing have it.
[[nodiscard]] inline Judgement judged(Judgement::Is is, Judgement whenWrong) {
  whenWrong.is = is;
  return whenWrong;
}
} // namespace pto::flow_detail

#endif
