//===- atomics.cpp - operands of atomic operations ------------------------------------===//

#include "check/body.h"

#include "target/types.h"

namespace pto::check_detail {

/// Which operations have which form; what element types they take is the target's matter.
void Body::checkAmo(const Expr *call) {
  if (call->intrinsic != Intrinsic::Amo)
    return;
  auto op = AmoOp(call->ops[2]->bits);
  if (!onlyFetches(op))
    return;
  Finding &finding = sink_.report<Rule::WrongArguments>(
      call->ops[2]->range,
      "`amo` returns nothing, and " + name(op).str() + " is about what it returns");
  finding.details.push_back("`amo_fetch` brings the old value back");
}

} // namespace pto::check_detail
