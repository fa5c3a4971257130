// e^x and ln x. The library of the system may round differently from one version to the next, so
// both are series of fixed length in double, whose error is far below half a unit of an f32: after
// rounding the result is that of exact arithmetic but for about one argument in 10^8.

#include "simd/rows.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

namespace pto {

// ln 2 in two parts; the first has 32 bits, so that a small integer times it is exact.
static constexpr double kLn2High = 0x1.62e42feep-1;
static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
static constexpr double kLog2e = 0x1.71547652b82fep+0;

/// 2^k for k in the range of normal doubles.
static double powerOfTwo(int k) { return llvm::bit_cast<double>(uint64_t(k + 1023) << 52); }

float exponential(float x) {
  if (std::isnan(x))
    return std::numeric_limits<float>::quiet_NaN();
  if (x > 89.0f)
    return std::numeric_limits<float>::infinity();
  if (x < -104.0f)
    return 0.0f;
  double wide = x;
  int k = int(wide * kLog2e + (x < 0 ? -0.5 : 0.5)); // The nearest integer.
  double r = (wide - k * kLn2High) - k * kLn2Low;    // Within ln 2 / 2 of 0.
  constexpr int kTerms = 14;
  double sum = 1.0;
  for (int n = kTerms; n != 0; --n) // 1 + r/1 (1 + r/2 (1 + r/3 (…)))
    sum = 1.0 + r / n * sum;
  return float(sum * powerOfTwo(k));
}

float logarithm(float x) {
  if (std::isnan(x) || x < 0)
    return std::numeric_limits<float>::quiet_NaN();
  if (x == 0)
    return -std::numeric_limits<float>::infinity();
  if (std::isinf(x))
    return x;
  // x = m * 2^k with m within sqrt(2) of 1; a subnormal f32 is a normal double.
  uint64_t bits = llvm::bit_cast<uint64_t>(double(x));
  int k = int(bits >> 52) - 1023;
  double m = llvm::bit_cast<double>((bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1023) << 52);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++k;
  }
  double s = (m - 1.0) / (m + 1.0), square = s * s; // ln m = 2 (s + s^3/3 + s^5/5 + …)
  constexpr int kLast = 25;
  double sum = 0;
  for (int n = kLast; n > 1; n -= 2)
    sum = (sum + 1.0 / n) * square;
  double series = 2.0 * (s + s * sum);
  return float(k * kLn2High + (series + k * kLn2Low));
}

} // namespace pto
