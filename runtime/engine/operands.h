//===- operands.h - the operands of a post ----------------------*- C++ -*-===//
#ifndef PTO_ENGINE_OPERANDS_H
#define PTO_ENGINE_OPERANDS_H

#include "engine/state.h"
#include "port/request.h"

namespace pto {

/// By what they mean.
struct Operands {
  View dst, src;
  View signal;       ///< Space::None: none.
  int32_t peer = 0;  ///< The rank on the far side.
  int64_t bytes = 0; ///< Of the payload.
  bool notifies = false;
  bool isGet = false;
  bool prefetches = false;  ///< Into L2; dst is src.
  std::optional<AmoOp> amo; ///< What is done to the element at dst.
  NotifyOp op = NotifyOp::Set;
};

[[nodiscard]] Operands readOperands(const Request &request);
/// Of a post without a payload: an atomic operation on a signal word is an update of it.
[[nodiscard]] Operands readUpdate(const Request &request);
/// What holds of every post with a payload, whatever its engine.
[[nodiscard]] std::optional<Trap> validate(const CoreState &core, const Request &request,
                                           const Operands &ops);
/// Posts what has been validated; what the engine refuses is a failed event, or, where there is no
/// event that could say so, a trap.
[[nodiscard]] Completion postTo(EngineState &state, uint32_t core, const Request &request,
                                Operands &ops, uint32_t session, int64_t nowPs);

} // namespace pto

#endif
