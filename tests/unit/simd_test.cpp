//===- simd_test.cpp - tile arithmetic against slow and simple references --------===//
//
// Every test that computes runs once on each kind of vector that this machine has, so what is
// equal to the reference is equal everywhere.
//
//===----------------------------------------------------------------------===//
#include "simd/simd.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "gtest/gtest.h"

#include "hwy/highway.h"

#include <cstring>

namespace pto {

static constexpr ScalarType kFloats[] = {ScalarType::F16, ScalarType::BF16, ScalarType::F32};

/// Runs the check once for each target of Highway.
static void onEveryTarget(llvm::function_ref<void()> check) {
  for (int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    int64_t target = left & -left;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// Numbers without a pattern.
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull + 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

static const llvm::fltSemantics &semantics(ScalarType type) {
  return type == ScalarType::F16    ? llvm::APFloat::IEEEhalf()
         : type == ScalarType::BF16 ? llvm::APFloat::BFloat()
                                    : llvm::APFloat::IEEEsingle();
}

static llvm::APFloat floatOf(ScalarType type, uint64_t bits) {
  return llvm::APFloat(semantics(type), llvm::APInt(info(type).bits, bits));
}

/// The bits of a value; a NaN is the one that computations give.
static uint64_t bitsOf(const llvm::APFloat &value) {
  if (value.isNaN())
    return llvm::APFloat::getQNaN(value.getSemantics()).bitcastToAPInt().getZExtValue();
  return value.bitcastToAPInt().getZExtValue();
}

static uint64_t element(ScalarType type, const std::vector<uint8_t> &bytes, size_t i) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * info(type).bytes(), info(type).bytes());
  return bits;
}

static void setElement(ScalarType type, std::vector<uint8_t> &bytes, size_t i, uint64_t bits) {
  std::memcpy(bytes.data() + i * info(type).bytes(), &bits, info(type).bytes());
}

//===--- Floats of 16 bits ---------------------------------------------------------===//

TEST(Simd, WidensEveryF16AndBf16) {
  onEveryTarget([] {
    for (ScalarType from : {ScalarType::F16, ScalarType::BF16}) {
      std::vector<uint8_t> in(65536 * 2), out(65536 * 4);
      for (size_t i = 0; i != 65536; ++i)
        setElement(from, in, i, i);
      convertRow({ScalarType::F32, from, RoundMode::CAST_NONE, false}, out.data(), in.data(),
                 65536);
      for (size_t i = 0; i != 65536; ++i) {
        llvm::APFloat value = floatOf(from, i);
        bool lost = false;
        value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
        ASSERT_EQ(element(ScalarType::F32, out, i), bitsOf(value)) << info(from).name.str() << i;
      }
    }
  });
}

/// Every value of the type, the middle to its neighbour, and what lies beside them.
static std::vector<uint8_t> valuesToNarrow(ScalarType to) {
  std::vector<uint8_t> in(65536 * 4 * 4);
  unsigned drop = to == ScalarType::F16 ? 13 : 16;
  for (size_t i = 0; i != 65536; ++i) {
    llvm::APFloat value = floatOf(to, i);
    bool lost = false;
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    uint64_t middle = bits + (uint64_t(1) << (drop - 1));
    uint64_t near[] = {bits, middle, middle - 1, middle + 1};
    for (size_t k = 0; k != 4; ++k)
      setElement(ScalarType::F32, in, i * 4 + k, near[k]);
  }
  return in;
}

TEST(Simd, NarrowsToTheNearestAndTiesToEven) {
  onEveryTarget([] {
    for (ScalarType to : {ScalarType::F16, ScalarType::BF16}) {
      std::vector<uint8_t> in = valuesToNarrow(to), out(in.size() / 2);
      size_t count = in.size() / 4;
      convertRow({to, ScalarType::F32, RoundMode::CAST_RINT, false}, out.data(), in.data(), count);
      for (size_t i = 0; i != count; ++i) {
        llvm::APFloat value = floatOf(ScalarType::F32, element(ScalarType::F32, in, i));
        bool lost = false;
        value.convert(semantics(to), llvm::APFloat::rmNearestTiesToEven, &lost);
        ASSERT_EQ(element(to, out, i), bitsOf(value))
            << info(to).name.str() << " from " << std::hex << element(ScalarType::F32, in, i);
      }
    }
  });
}

//===--- Functions of two elements ----------------------------------------------------===//

static uint64_t floatReference(TileFn fn, ScalarType type, uint64_t x, uint64_t y) {
  llvm::APFloat a = floatOf(type, x), b = floatOf(type, y);
  switch (fn) {
  case TileFn::Add:
    a.add(b, llvm::APFloat::rmNearestTiesToEven);
    return bitsOf(a);
  case TileFn::Sub:
    a.subtract(b, llvm::APFloat::rmNearestTiesToEven);
    return bitsOf(a);
  case TileFn::Mul:
    a.multiply(b, llvm::APFloat::rmNearestTiesToEven);
    return bitsOf(a);
  case TileFn::Div:
    a.divide(b, llvm::APFloat::rmNearestTiesToEven);
    return bitsOf(a);
  case TileFn::Max:
    return bitsOf(llvm::maximum(a, b));
  default:
    return bitsOf(llvm::minimum(a, b));
  }
}

static constexpr TileFn kTwoElements[] = {TileFn::Add, TileFn::Sub, TileFn::Mul,
                                          TileFn::Div, TileFn::Max, TileFn::Min};

/// A value of the type: mostly ordinary ones, also zeros, infinities, NaNs, subnormals.
static uint64_t someFloat(ScalarType type, uint64_t seed) {
  unsigned bits = info(type).bits;
  uint64_t any = mix(seed) >> (64 - bits), one = bitsOf(llvm::APFloat(semantics(type), "1"));
  switch (mix(seed + 77) % 8) {
  case 0:
    return any & ((uint64_t(1) << (bits - 1)) | 0x3f); // About zero, of both signs.
  case 1:
    return bitsOf(llvm::APFloat::getInf(semantics(type), any & 1));
  case 2:
  case 3: // Near one, where sums cancel and quotients round.
    return (one + (any & 0x1ff) - 0x100) | (any & 0x200 ? uint64_t(1) << (bits - 1) : 0);
  default:
    return any;
  }
}

TEST(Simd, RoundsFloatsCorrectly) {
  constexpr size_t kCount = 4001;
  onEveryTarget([] {
    for (ScalarType type : kFloats)
      for (TileFn fn : kTwoElements) {
        size_t size = info(type).bytes();
        std::vector<uint8_t> a(kCount * size), b(kCount * size), d(kCount * size);
        for (size_t i = 0; i != kCount; ++i) {
          setElement(type, a, i, someFloat(type, i * 2));
          setElement(type, b, i, someFloat(type, i * 2 + 1));
        }
        computeRow(fn, type, d.data(), a.data(), b.data(), kCount);
        for (size_t i = 0; i != kCount; ++i)
          ASSERT_EQ(element(type, d, i),
                    floatReference(fn, type, element(type, a, i), element(type, b, i)))
              << info(type).name.str() << " function " << int(fn) << std::hex << " of "
              << element(type, a, i) << ", " << element(type, b, i);
      }
  });
}

static ScalarBits integerReference(TileFn fn, ScalarType type, ScalarBits x, ScalarBits y) {
  bool isSigned = info(type).kind == ScalarKind::Signed;
  bool isLess = isSigned ? int64_t(x) < int64_t(y) : x < y;
  switch (fn) {
  case TileFn::Add:
    return normalise(type, x + y);
  case TileFn::Sub:
    return normalise(type, x - y);
  case TileFn::Mul:
    return normalise(type, x * y);
  case TileFn::Max:
    return isLess ? y : x;
  case TileFn::Min:
    return isLess ? x : y;
  default:
    if (y == 0)
      return normalise(type, ~ScalarBits(0));
    if (isSigned && int64_t(y) == -1)
      return normalise(type, 0 - x);
    return normalise(type, isSigned ? ScalarBits(int64_t(x) / int64_t(y)) : x / y);
  }
}

TEST(Simd, WrapsIntegers) {
  onEveryTarget([] {
    for (unsigned t = 0; t != kScalarTypeCount; ++t) {
      ScalarType type = ScalarType(t);
      if (!info(type).isInteger())
        continue;
      for (TileFn fn : kTwoElements)
        for (size_t count : {1u, 3u, 16u, 77u}) { // With and without a rest.
          std::vector<uint8_t> a(count * 8), b(count * 8), d(count * 8);
          for (size_t i = 0; i != count; ++i) {
            setElement(type, a, i, i % 5 ? mix(i) : uint64_t(1) << (info(type).bits - 1));
            setElement(type, b, i, i % 3 ? mix(i + 9) : i % 2 ? ~uint64_t(0) : i % 4);
          }
          computeRow(fn, type, d.data(), a.data(), b.data(), count);
          for (size_t i = 0; i != count; ++i)
            ASSERT_EQ(normalise(type, element(type, d, i)),
                      integerReference(fn, type, normalise(type, element(type, a, i)),
                                       normalise(type, element(type, b, i))))
                << info(type).name.str() << " function " << int(fn) << " at " << i;
        }
    }
  });
}

TEST(Simd, ARowEndsWhereItEnds) {
  onEveryTarget([] {
    for (size_t count = 0; count != 70; ++count) {
      std::vector<float> a(80, 1.0f), b(80, 2.0f), d(80, -1.0f);
      computeRow(TileFn::Add, ScalarType::F32, reinterpret_cast<uint8_t *>(d.data() + 1),
                 reinterpret_cast<uint8_t *>(a.data() + 3),
                 reinterpret_cast<uint8_t *>(b.data() + 2), count);
      for (size_t i = 0; i != d.size(); ++i)
        ASSERT_EQ(d[i], i >= 1 && i < 1 + count ? 3.0f : -1.0f) << count << " at " << i;
    }
  });
}

} // namespace pto
