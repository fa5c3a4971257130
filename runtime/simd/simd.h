//===- simd.h - arithmetic on tiles, bit by bit the same everywhere -*- C++ -*-===//
//
// Pure functions on bytes of UB (and of GM, for a store that adds). They run on the widest vectors
// that the machine has, chosen once at run time, and never show it: every result is rounded to the
// element type after each step, sums have one fixed order, and a NaN that is computed is always the
// same NaN. No multiplication is fused with an addition.
//
// f16 and bf16 are computed in f32 and rounded to nearest, ties to even. For a sum, difference,
// product, quotient and square root that is the correctly rounded result.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_SIMD_SIMD_H
#define PTO_SIMD_SIMD_H

#include "base/isa.h"
#include "base/scalar.h"
#include "base/tile_op.h"

#include <cstddef>

namespace pto {

/// The valid region of a tile: rows of `cols` elements side by side, `pitch` bytes apart.
struct Plane {
  uint8_t *data = nullptr;
  int64_t pitch = 0;
  int64_t rows = 0;
  int64_t cols = 0;
  [[nodiscard]] uint8_t *row(int64_t i) const { return data + i * pitch; }
};

/// One operation. Shapes are those that the form of `op` asks for (tile_op.def); a source is as
/// large as the destination unless the form says otherwise.
struct TileWork {
  TileOp op = TileOp::Tadd;
  ScalarType type = ScalarType::F32; ///< Of d, and of all others but where the form is Convert.
  ScalarType from = ScalarType::F32; ///< Convert: of a.
  Plane d, a, b;
  ScalarBits scalar = 0;
  RoundMode mode = RoundMode::CAST_NONE;
  bool wraps = false; ///< Convert: what does not fit keeps its low bits instead of saturating.
};
void computeTile(const TileWork &work);

/// d[i] = fn(a[i], b[i]) for the functions of two elements: Add Sub Mul Div Max Min. `d` may be `a`
/// or `b`.
void computeRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, const uint8_t *b,
                size_t count);

/// d[i] = a[i] in another type. To a float CAST_NONE rounds to nearest, ties to even; to an integer
/// toward zero. From f32 to f32 it rounds to a whole number. NaN becomes the integer 0.
struct Conversion {
  ScalarType to = ScalarType::F32;
  ScalarType from = ScalarType::F32;
  RoundMode mode = RoundMode::CAST_NONE;
  bool wraps = false;
};
void convertRow(const Conversion &how, uint8_t *d, const uint8_t *a, size_t count);

/// Sum, maximum or minimum of a row into one element. First the elements whose columns are equal
/// modulo 64 are joined in order, then the 64 results by halves: 0 with 32, 0 with 16, and so on.
void reduceRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count);

/// Writes one value `count` times.
void fillRow(ScalarType type, uint8_t *d, ScalarBits value, size_t count);

} // namespace pto

#endif
