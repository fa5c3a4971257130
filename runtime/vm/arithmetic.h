//===- arithmetic.h - scalar operations on typed values ---------*- C++ -*-===//
//
// Two's complement that wraps; floats are computed as f32 and rounded to their type once an
// operation. No operation is undefined on any input: a division by zero is answered, not executed.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_VM_ARITHMETIC_H
#define PTO_VM_ARITHMETIC_H

#include "base/scalar.h"

namespace pto {

enum class Arithmetic : uint8_t { Add, Sub, Mul, Div, Rem, And, Or, Xor, ShiftLeft, ShiftRight };
enum class Comparison : uint8_t { Equal, NotEqual, Less, LessEqual };

/// Absent: an integer division by zero.
[[nodiscard]] std::optional<ScalarBits> compute(Arithmetic op, ScalarType type, ScalarBits a,
                                                ScalarBits b);
[[nodiscard]] bool compare(Comparison op, ScalarType type, ScalarBits a, ScalarBits b);
[[nodiscard]] ScalarBits negate(ScalarType type, ScalarBits a);
[[nodiscard]] ScalarBits invert(ScalarType type, ScalarBits a);
/// The step of hash(a, b, …): h starts at 0.
[[nodiscard]] uint32_t hashStep(uint32_t h, ScalarBits a);

} // namespace pto

#endif
