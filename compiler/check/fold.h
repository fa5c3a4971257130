//===- fold.h - operators on known scalars ----------------------*- C++ -*-===//
#ifndef PTO_CHECK_FOLD_H
#define PTO_CHECK_FOLD_H

#include "base/operator.h"
#include "base/scalar.h"

namespace pto::check_detail {

/// Exactly as the scalar unit computes it; `type` is that of the operands. Not for an integer
/// division by zero. The result still has to be brought to its type by `normalise`.
[[nodiscard]] ScalarBits foldBinary(BinaryOp op, ScalarType type, ScalarBits a, ScalarBits b);

} // namespace pto::check_detail

#endif
