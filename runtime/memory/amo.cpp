#include "memory/amo.h"

#include "base/check.h"
#include "simd/simd.h"

namespace pto {

/// As the storing unit adds: integers wrap, floats are rounded once.
static ScalarBits sumOf(ScalarType type, ScalarBits one, ScalarBits other) {
  uint8_t into[8] = {}, added[8] = {};
  storeScalar(type, into, one);
  storeScalar(type, added, other);
  computeRow(TileFn::Add, type, into, into, added, 1);
  return loadScalar(type, into);
}

ScalarBits amoResult(AmoOp op, ScalarType type, ScalarBits held, ScalarBits value,
                     ScalarBits cond) {
  switch (op) {
  case AmoOp::Add:
  case AmoOp::Inc:
    return sumOf(type, held, value);
  case AmoOp::Fetch:
    return held;
  case AmoOp::Set:
  case AmoOp::Swap:
    return value;
  case AmoOp::CompareSwap:
    return held == cond ? value : held;
  case AmoOp::And:
    return held & value;
  case AmoOp::Or:
    return held | value;
  case AmoOp::Xor:
    return held ^ value;
  }
  PTO_UNREACHABLE("atomic operation");
}

} // namespace pto
