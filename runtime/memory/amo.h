//===- amo.h - what an atomic operation makes of an element -----*- C++ -*-===//
#ifndef PTO_MEMORY_AMO_H
#define PTO_MEMORY_AMO_H

#include "base/isa.h"
#include "base/scalar.h"

namespace pto {

/// What an element that holds `held` becomes. `cond` counts for CompareSwap alone.
[[nodiscard]] ScalarBits amoResult(AmoOp op, ScalarType type, ScalarBits held, ScalarBits value,
                                   ScalarBits cond);

} // namespace pto

#endif
