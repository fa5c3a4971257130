//===- rows.h - what the files of this room do for each other --*- C++ -*-===//
#ifndef PTO_SIMD_ROWS_H
#define PTO_SIMD_ROWS_H

#include "simd/simd.h"

namespace pto {

/// The square root, or its inverse, of a float type: vectors.cpp.
void rootRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count);
/// Between f32 and a 16-bit float, rounded to nearest, ties to even: vectors.cpp.
void widenRow(ScalarType from, uint8_t *d, const uint8_t *a, size_t count);
void narrowRow(ScalarType to, uint8_t *d, const uint8_t *a, size_t count);

/// One element of any pair of types in any mode, on the types' own bits: round.cpp.
[[nodiscard]] uint64_t convertElement(const Conversion &how, uint64_t bits);

/// e^x and ln x, in double, with nothing but sums, products and quotients: elementary.cpp.
[[nodiscard]] float exponential(float x);
[[nodiscard]] float logarithm(float x);

} // namespace pto

#endif
