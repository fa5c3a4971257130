// The loops over rows, compiled once for each kind of vector; the first call chooses among them.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vectors.cpp"
#include "hwy/foreach_target.h" // Includes this file again for each target, so it comes first.

#include "base/check.h"
#include "simd/rows.h"

#include "hwy/highway.h"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Float = hn::ScalableTag<float>;
using Half = hn::Rebind<uint16_t, Float>; ///< As many elements of 16 bits.

/// A NaN that was computed is this one, whichever its operands had been.
template <class D, class V> HWY_INLINE V sameNan(D d, V v) {
  const auto nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), 0x7fc00000u));
  return hn::IfThenElse(hn::IsNaN(v), nan, v);
}

//===--- Element formats: how memory becomes a vector to compute with, and back --------------===//

/// A type that vectors compute with as it is.
template <typename T> struct Plain {
  using Element = T;
  using D = hn::ScalableTag<T>;
  static HWY_INLINE hn::Vec<D> load(const T *from) { return hn::LoadU(D(), from); }
  static HWY_INLINE void store(hn::Vec<D> v, T *to) {
    if constexpr (hwy::IsFloat<T>())
      v = sameNan(D(), v);
    hn::StoreU(v, D(), to);
  }
};

/// bf16: the upper half of an f32.
struct Brain {
  using Element = uint16_t;
  using D = Float;
  static HWY_INLINE hn::Vec<D> load(const uint16_t *from) {
    const hn::RebindToUnsigned<D> du;
    return hn::BitCast(D(), hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(Half(), from))));
  }
  static HWY_INLINE void store(hn::Vec<D> v, uint16_t *to) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, v);
    const auto isOdd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(isOdd, hn::Set(du, 0x7fffu))));
    const auto isNan = hn::RebindMask(du, hn::IsNaN(v));
    const auto out = hn::IfThenElse(isNan, hn::Set(du, 0x7fc0u), rounded);
    hn::StoreU(hn::DemoteTo(Half(), hn::BitCast(hn::RebindToSigned<D>(), out)), Half(), to);
  }
};

/// f16. Both ways lean on the f32 unit for subnormals: a product with a power of two is exact, and
/// a sum with a number whose unit is that of the result rounds at that unit.
struct Short {
  using Element = uint16_t;
  using D = Float;
  static HWY_INLINE hn::Vec<D> load(const uint16_t *from) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const auto wide = hn::PromoteTo(du, hn::LoadU(Half(), from));
    const auto magnitude = hn::And(wide, hn::Set(du, 0x7fffu));
    const auto sign = hn::ShiftLeft<16>(hn::Sub(wide, magnitude));
    const auto shifted = hn::ShiftLeft<13>(magnitude);
    const auto finite = hn::BitCast(du, hn::Mul(hn::BitCast(d, shifted), hn::Set(d, 0x1p112f)));
    const auto special = hn::Or(shifted, hn::Set(du, 0x7f800000u));
    const auto isSpecial =
        hn::RebindMask(du, hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, 0x7bff)));
    return hn::BitCast(d, hn::Or(sign, hn::IfThenElse(isSpecial, special, finite)));
  }
  static HWY_INLINE void store(hn::Vec<D> v, uint16_t *to) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(du, v);
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7fffffffu));
    const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
    // 2^(-14 - 10 + 23) = 0.5: the unit of f32 there is the least f16.
    const auto magic = hn::Set(d, 0.5f);
    const auto tiny =
        hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), magic)), hn::BitCast(du, magic));
    const auto isOdd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
    const auto bias = hn::Set(du, 0xfffu - (112u << 23));
    const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, bias), isOdd));
    const auto signedMagnitude = hn::BitCast(di, magnitude);
    const auto isTiny = hn::RebindMask(du, hn::Lt(signedMagnitude, hn::Set(di, 113 << 23)));
    const auto isHuge = hn::RebindMask(du, hn::Gt(signedMagnitude, hn::Set(di, 0x477fffff)));
    const auto isNan = hn::RebindMask(du, hn::Gt(signedMagnitude, hn::Set(di, 0x7f800000)));
    auto out = hn::IfThenElse(isTiny, tiny, normal);
    out = hn::IfThenElse(isHuge, hn::Set(du, 0x7c00u), out);
    out = hn::IfThenElse(isNan, hn::Set(du, 0x7e00u), hn::Or(out, sign));
    hn::StoreU(hn::DemoteTo(Half(), hn::BitCast(di, out)), Half(), to);
  }
};

//===--- Loops
//---------------------------------------------------------------------------------===//

/// out[i] = op(a[i], b[i]). The rest that fills no vector goes through one that is padded with a
/// harmless value, so nothing beyond the row is touched.
template <class To, class From, class Op>
HWY_INLINE void loop(typename To::Element *out, const typename From::Element *a,
                     const typename From::Element *b, size_t count, Op op) {
  using E = typename From::Element;
  using R = typename To::Element;
  const size_t lanes = hn::Lanes(typename From::D());
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    To::store(op(From::load(a + i), From::load(b + i)), out + i);
  if (i == count)
    return;
  HWY_ALIGN E restA[hn::MaxLanes(typename From::D())] = {};
  HWY_ALIGN E restB[hn::MaxLanes(typename From::D())] = {};
  HWY_ALIGN R result[hn::MaxLanes(typename From::D())];
  std::memcpy(restA, a + i, (count - i) * sizeof(E));
  std::memcpy(restB, b + i, (count - i) * sizeof(E));
  To::store(op(From::load(restA), From::load(restB)), result);
  std::memcpy(out + i, result, (count - i) * sizeof(R));
}

template <class Format, class Op>
HWY_INLINE void binary(uint8_t *d, const uint8_t *a, const uint8_t *b, size_t count, Op op) {
  using E = typename Format::Element;
  loop<Format, Format>(reinterpret_cast<E *>(d), reinterpret_cast<const E *>(a),
                       reinterpret_cast<const E *>(b), count, op);
}

/// What vectors of integers do not have on every machine: the compiler's own loop.
template <typename T, class Op>
HWY_INLINE void scalars(uint8_t *d, const uint8_t *a, const uint8_t *b, size_t count, Op op) {
  for (size_t i = 0; i != count; ++i) {
    T x, y;
    std::memcpy(&x, a + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b + i * sizeof(T), sizeof(T));
    x = op(x, y);
    std::memcpy(d + i * sizeof(T), &x, sizeof(T));
  }
}

//===--- Functions of two elements
//---------------------------------------------------------------===//

/// Quotient toward zero; of 0 all bits set; the lowest integer by -1 wraps.
template <typename T> HWY_INLINE T quotient(T x, T y) {
  if (y == 0)
    return T(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (y == -1)
      return T(0 - std::make_unsigned_t<T>(x));
  return T(x / y);
}

template <typename T> HWY_INLINE T product(T x, T y) {
  return T(uint64_t(x) * uint64_t(y)); // The low bits are those of any wider product.
}

template <typename T>
void integerRow(TileFn fn, uint8_t *d, const uint8_t *a, const uint8_t *b, size_t count) {
  using F = Plain<T>;
  switch (fn) {
  case TileFn::Add:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Add(x, y); });
  case TileFn::Sub:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Sub(x, y); });
  case TileFn::Max:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Max(x, y); });
  case TileFn::Min:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Min(x, y); });
  case TileFn::Mul:
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4)
      return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Mul(x, y); });
    else
      return scalars<T>(d, a, b, count, product<T>);
  case TileFn::Div:
    return scalars<T>(d, a, b, count, quotient<T>);
  default:
    PTO_UNREACHABLE("no function of two elements");
  }
}

/// The extreme of two floats, by value; equal ones can only differ in the sign of zero, and a NaN
/// survives into `store`.
template <class V> HWY_INLINE V extreme(bool wantsMax, V x, V y) {
  const Float d;
  const hn::RebindToUnsigned<Float> du;
  const auto both = wantsMax ? hn::And(hn::BitCast(du, x), hn::BitCast(du, y))
                             : hn::Or(hn::BitCast(du, x), hn::BitCast(du, y));
  auto out = hn::BitCast(d, both);
  out = hn::IfThenElse(wantsMax ? hn::Gt(x, y) : hn::Lt(x, y), x, out);
  out = hn::IfThenElse(wantsMax ? hn::Gt(y, x) : hn::Lt(y, x), y, out);
  out = hn::IfThenElse(hn::IsNaN(x), x, out);
  return hn::IfThenElse(hn::IsNaN(y), y, out);
}

template <class F>
void floatRow(TileFn fn, uint8_t *d, const uint8_t *a, const uint8_t *b, size_t count) {
  switch (fn) {
  case TileFn::Add:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Add(x, y); });
  case TileFn::Sub:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Sub(x, y); });
  case TileFn::Mul:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Mul(x, y); });
  case TileFn::Div:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return hn::Div(x, y); });
  case TileFn::Max:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return extreme(true, x, y); });
  case TileFn::Min:
    return binary<F>(d, a, b, count, [](auto x, auto y) { return extreme(false, x, y); });
  default:
    PTO_UNREACHABLE("no function of two elements");
  }
}

void binaryRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, const uint8_t *b,
               size_t count) {
  using Row = void (*)(TileFn, uint8_t *, const uint8_t *, const uint8_t *, size_t);
  static constexpr Row kRows[] = {
      integerRow<uint8_t>,  integerRow<int8_t>,  integerRow<int16_t>,  integerRow<int32_t>,
      integerRow<int64_t>,  integerRow<uint8_t>, integerRow<uint16_t>, integerRow<uint32_t>,
      integerRow<uint64_t>, floatRow<Short>,     floatRow<Brain>,      floatRow<Plain<float>>};
  static_assert(sizeof(kRows) / sizeof(kRows[0]) == kScalarTypeCount, "one row a scalar type");
  kRows[size_t(type)](fn, d, a, b, count);
}

//===--- Roots and formats
//-----------------------------------------------------------------------===//

template <class F> void roots(TileFn fn, uint8_t *d, const uint8_t *a, size_t count) {
  if (fn == TileFn::Sqrt)
    return binary<F>(d, a, a, count, [](auto x, auto) { return hn::Sqrt(x); });
  binary<F>(d, a, a, count,
            [](auto x, auto) { return hn::Div(hn::Set(Float(), 1.0f), hn::Sqrt(x)); });
}

void rootRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count) {
  if (type == ScalarType::F32)
    return roots<Plain<float>>(fn, d, a, count);
  return type == ScalarType::F16 ? roots<Short>(fn, d, a, count) : roots<Brain>(fn, d, a, count);
}

template <class To, class From> void reformat(uint8_t *d, const uint8_t *a, size_t count) {
  const auto *from = reinterpret_cast<const typename From::Element *>(a);
  loop<To, From>(reinterpret_cast<typename To::Element *>(d), from, from, count,
                 [](auto x, auto) { return x; });
}

void widenRow(ScalarType from, uint8_t *d, const uint8_t *a, size_t count) {
  return from == ScalarType::F16 ? reformat<Plain<float>, Short>(d, a, count)
                                 : reformat<Plain<float>, Brain>(d, a, count);
}

void narrowRow(ScalarType to, uint8_t *d, const uint8_t *a, size_t count) {
  return to == ScalarType::F16 ? reformat<Short, Plain<float>>(d, a, count)
                               : reformat<Brain, Plain<float>>(d, a, count);
}

} // namespace HWY_NAMESPACE
} // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {

HWY_EXPORT(binaryRow);
HWY_EXPORT(rootRow);
HWY_EXPORT(widenRow);
HWY_EXPORT(narrowRow);

void computeRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, const uint8_t *b,
                size_t count) {
  HWY_DYNAMIC_DISPATCH(binaryRow)(fn, type, d, a, b, count);
}
void rootRow(TileFn fn, ScalarType type, uint8_t *d, const uint8_t *a, size_t count) {
  HWY_DYNAMIC_DISPATCH(rootRow)(fn, type, d, a, count);
}
void widenRow(ScalarType from, uint8_t *d, const uint8_t *a, size_t count) {
  HWY_DYNAMIC_DISPATCH(widenRow)(from, d, a, count);
}
void narrowRow(ScalarType to, uint8_t *d, const uint8_t *a, size_t count) {
  HWY_DYNAMIC_DISPATCH(narrowRow)(to, d, a, count);
}

} // namespace pto
#endif
