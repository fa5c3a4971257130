// One operation on tiles, row by row.

#include "simd/rows.h"

#include "base/check.h"

#include <algorithm>
#include <cstring>

namespace pto {

static constexpr size_t kBlock = 256; ///< Elements of a scalar that is spread out.
static constexpr size_t kLanes = 64;  ///< Partial results of a row; what the header promises.
static constexpr size_t kWidest = 8;  ///< Bytes of the largest element.

/// A scalar as a short row, so that it can be an operand like any other.
struct Spread {
  Spread(ScalarType type, ScalarBits value) { fillRow(type, bytes, value, kBlock); }
  alignas(64) uint8_t bytes[kBlock * kWidest];
};

/// d = fn(a, scalar), block by block.
static void scalarRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a,
                      const Spread &scalar, size_t count) {
  size_t size = info(type).bytes();
  for (size_t i = 0; i < count; i += kBlock)
    computeRow(fn, type, d + i * size, a + i * size, scalar.bytes, std::min(kBlock, count - i));
}

/// d = d + a * scalar: a row of products, then a row of sums.
static void axpyRow(ScalarType type, uint8_t *d, const uint8_t *a, const Spread &scalar,
                    size_t count) {
  alignas(64) uint8_t products[kBlock * kWidest];
  size_t size = info(type).bytes();
  for (size_t i = 0; i < count; i += kBlock) {
    size_t part = std::min(kBlock, count - i);
    computeRow(TileFn::Mul, type, products, a + i * size, scalar.bytes, part);
    computeRow(TileFn::Add, type, d + i * size, d + i * size, products, part);
  }
}

/// The sign of floats is a bit; that of integers takes arithmetic.
static void signRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count) {
  size_t size = info(type).bytes();
  if (info(type).isFloat()) {
    for (size_t i = 0; i != count * size; ++i) {
      uint8_t sign = i % size + 1 == size ? 0x80 : 0; // Little-endian: the last byte has it.
      d[i] = fn == TileFn::Neg ? uint8_t(a[i] ^ sign) : uint8_t(a[i] & ~sign);
    }
    return;
  }
  Spread zero(type, 0);
  alignas(64) uint8_t negative[kBlock * kWidest];
  for (size_t i = 0; i < count; i += kBlock) {
    size_t part = std::min(kBlock, count - i);
    computeRow(TileFn::Sub, type, negative, zero.bytes, a + i * size, part);
    if (fn == TileFn::Abs && info(type).kind == ScalarKind::Signed)
      computeRow(TileFn::Max, type, d + i * size, negative, a + i * size, part);
    else
      std::memmove(d + i * size, fn == TileFn::Neg ? negative : a + i * size, part * size);
  }
}

/// exp and log: each element as an f32.
static void elementaryRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count) {
  alignas(64) uint8_t wide[kBlock * sizeof(float)];
  bool isWide = type == ScalarType::F32;
  size_t size = info(type).bytes();
  for (size_t i = 0; i < count; i += kBlock) {
    size_t part = std::min(kBlock, count - i);
    if (isWide)
      std::memcpy(wide, a + i * size, part * size);
    else
      widenRow(type, wide, a + i * size, part);
    for (size_t k = 0; k != part; ++k) {
      float x;
      std::memcpy(&x, wide + k * sizeof x, sizeof x);
      x = fn == TileFn::Exp ? exponential(x) : logarithm(x);
      std::memcpy(wide + k * sizeof x, &x, sizeof x);
    }
    if (isWide)
      std::memcpy(d + i * size, wide, part * size);
    else
      narrowRow(type, d + i * size, wide, part);
  }
}

static void unaryRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count) {
  switch (fn) {
  case TileFn::Copy:
    std::memmove(d, a, count * info(type).bytes());
    return;
  case TileFn::Abs:
  case TileFn::Neg:
    return signRow(fn, type, d, a, count);
  case TileFn::Relu:
    return scalarRow(TileFn::Max, type, d, a, Spread(type, 0), count);
  case TileFn::Exp:
  case TileFn::Log:
    return elementaryRow(fn, type, d, a, count);
  case TileFn::Sqrt:
  case TileFn::Rsqrt:
    return rootRow(fn, type, d, a, count);
  case TileFn::Recip: {
    Spread one(type, fromDouble(type, 1));
    for (size_t i = 0, size = info(type).bytes(); i < count; i += kBlock)
      computeRow(TileFn::Div, type, d + i * size, one.bytes, a + i * size,
                 std::min(kBlock, count - i));
    return;
  }
  default:
    PTO_UNREACHABLE("no function of one element");
  }
}

void fillRow(ScalarType type, uint8_t *d, ScalarBits value, size_t count) {
  size_t size = info(type).bytes();
  if (count == 0)
    return;
  storeScalar(type, d, value);
  for (size_t done = 1; done < count; done *= 2) // Each copy doubles what is there.
    std::memcpy(d + done * size, d, std::min(done, count - done) * size);
}

/// The element as it is, a NaN with its own bits.
static void repeatRow(size_t size, uint8_t *d, const uint8_t *element, size_t count) {
  uint8_t first[kWidest];
  std::memcpy(first, element, size);
  for (size_t i = 0; i != count; ++i)
    std::memcpy(d + i * size, first, size);
}

void reduceRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count) {
  size_t size = info(type).bytes(), lanes = std::min(kLanes, count);
  if (count == 0)
    return;
  alignas(64) uint8_t partial[kLanes * kWidest];
  std::memcpy(partial, a, lanes * size);
  for (size_t i = lanes; i < count; i += kLanes)
    computeRow(fn, type, partial, partial, a + i * size, std::min(kLanes, count - i));
  for (size_t half = kLanes / 2; half != 0; half /= 2)
    if (lanes > half) {
      computeRow(fn, type, partial, partial, partial + half * size, lanes - half);
      lanes = half;
    }
  std::memcpy(d, partial, size);
}

void convertRow(const Conversion &how, uint8_t *d, const uint8_t *a, size_t count) {
  auto is16 = [](ScalarType type) { return type == ScalarType::F16 || type == ScalarType::BF16; };
  bool isNearest = how.mode == RoundMode::CAST_NONE || how.mode == RoundMode::CAST_RINT;
  if (how.to == ScalarType::F32 && is16(how.from))
    return widenRow(how.from, d, a, count);
  if (how.from == ScalarType::F32 && is16(how.to) && isNearest)
    return narrowRow(how.to, d, a, count);
  size_t from = info(how.from).bytes(), to = info(how.to).bytes();
  for (size_t i = 0; i != count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, a + i * from, from); // Little-endian hosts only, as the target is.
    bits = convertElement(how, bits);
    std::memcpy(d + i * to, &bits, to);
  }
}

/// Column by column: a row is joined to what the rows before it gave.
static void reduceColumns(const TileWork &work) {
  size_t count = size_t(work.d.cols), bytes = count * info(work.type).bytes();
  if (work.a.rows == 0)
    return;
  std::memmove(work.d.row(0), work.a.row(0), bytes);
  for (int64_t i = 1; i < work.a.rows; ++i)
    computeRow(info(work.op).fn, work.type, work.d.row(0), work.d.row(0), work.a.row(i), count);
}

/// The forms that give one row of the destination at a time.
static void computeRowOf(const TileWork &work, const Spread &scalar, int64_t i) {
  const TileOpInfo &op = info(work.op);
  size_t count = size_t(work.d.cols);
  uint8_t *d = work.d.row(i);
  switch (op.form) {
  case TileForm::Binary:
    return computeRow(op.fn, work.type, d, work.a.row(i), work.b.row(i), count);
  case TileForm::Scalar:
    return scalarRow(op.fn, work.type, d, work.a.row(i), scalar, count);
  case TileForm::Axpy:
    return axpyRow(work.type, d, work.a.row(i), scalar, count);
  case TileForm::Fill:
    return fillRow(work.type, d, work.scalar, count);
  case TileForm::Unary:
    return unaryRow(op.fn, work.type, d, work.a.row(i), count);
  case TileForm::Convert:
    return convertRow({work.type, work.from, work.mode, work.wraps}, d, work.a.row(i), count);
  case TileForm::RowReduce:
    return reduceRow(op.fn, work.type, d, work.a.row(i), size_t(work.a.cols));
  case TileForm::RowExpand:
    return repeatRow(info(work.type).bytes(), d, work.a.row(i), count);
  case TileForm::ColExpand:
    std::memmove(d, work.a.row(0), count * info(work.type).bytes());
    return;
  case TileForm::ColReduce:
    break;
  }
  PTO_UNREACHABLE("form of a tile operation");
}

void computeTile(const TileWork &work) {
  if (work.d.rows <= 0 || work.d.cols <= 0)
    return;
  if (info(work.op).form == TileForm::ColReduce)
    return reduceColumns(work);
  Spread scalar(work.type, work.scalar);
  for (int64_t i = 0; i != work.d.rows; ++i)
    computeRowOf(work, scalar, i);
}

} // namespace pto
