//===- scalar_test.cpp - values of the element types ------------------------------===//
#include "base/scalar.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

namespace pto {

TEST(Scalar, IntegersWrapToTheirWidth) {
  EXPECT_EQ(int64_t(normalise(ScalarType::I8, 200)), -56);
  EXPECT_EQ(normalise(ScalarType::U8, 300), 44u);
  EXPECT_EQ(int64_t(convert(ScalarType::I32, ScalarType::I64, 0x1'8000'0000)), INT32_MIN);
}

TEST(Scalar, HalfRoundsToNearestTiesToEven) {
  // Between 2048 and 4096 an f16 holds even integers only.
  EXPECT_EQ(toDouble(ScalarType::F16, fromDouble(ScalarType::F16, 2049)), 2048);
  EXPECT_EQ(toDouble(ScalarType::F16, fromDouble(ScalarType::F16, 2051)), 2052);
  EXPECT_TRUE(std::isinf(toDouble(ScalarType::F16, fromDouble(ScalarType::F16, 65520))));
  EXPECT_EQ(toDouble(ScalarType::F16, fromDouble(ScalarType::F16, 65519)), 65504);
}

TEST(Scalar, BfloatKeepsEightBits) {
  EXPECT_EQ(toDouble(ScalarType::BF16, fromDouble(ScalarType::BF16, 257)), 256);
  EXPECT_EQ(toDouble(ScalarType::BF16, fromDouble(ScalarType::BF16, 259)), 260);
}

TEST(Scalar, RoundsOnceFromWhateverItCameFrom) {
  // 2^24 + 2^16 + 1 is above the middle of two bf16; an f32 between would make it the middle.
  EXPECT_EQ(toDouble(ScalarType::BF16, convert(ScalarType::BF16, ScalarType::I32, 0x1010001)),
            0x1020000);
  EXPECT_EQ(toDouble(ScalarType::BF16, fromDouble(ScalarType::BF16, 0x1010001)), 0x1020000);
  EXPECT_EQ(toDouble(ScalarType::F16, fromDouble(ScalarType::F16, 1 + 0x1p-11 + 0x1p-40)),
            1 + 0x1p-10);
}

TEST(Scalar, EveryHalfSurvivesMemory) {
  for (ScalarType type : {ScalarType::F16, ScalarType::BF16})
    for (uint32_t bits = 0; bits != 1u << 16; ++bits) {
      uint8_t from[2] = {uint8_t(bits), uint8_t(bits >> 8)}, to[2] = {};
      ScalarBits value = loadScalar(type, from);
      if (std::isnan(toDouble(type, value)))
        continue;
      storeScalar(type, to, value);
      ASSERT_EQ(to[0] | to[1] << 8, int(bits));
    }
}

TEST(Scalar, FloatsBecomeIntegersBySaturation) {
  EXPECT_EQ(int64_t(convert(ScalarType::I8, ScalarType::F32, fromDouble(ScalarType::F32, 1e9))),
            127);
  EXPECT_EQ(convert(ScalarType::U8, ScalarType::F32, fromDouble(ScalarType::F32, -3)), 0u);
  EXPECT_EQ(int64_t(fromDouble(ScalarType::I64, 1e30)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(fromDouble(ScalarType::U64, 1e30), ~0ull);
  EXPECT_EQ(fromDouble(ScalarType::I32, std::nan("")), 0u);
}

TEST(Scalar, PrintsAsPeopleWrite) {
  EXPECT_EQ(formatScalar(ScalarType::I32, ScalarBits(-3)), "-3");
  EXPECT_EQ(formatScalar(ScalarType::F32, fromDouble(ScalarType::F32, 1000)), "1000");
  EXPECT_EQ(formatScalar(ScalarType::F32, fromDouble(ScalarType::F32, 0.5)), "0.5");
  EXPECT_EQ(formatScalar(ScalarType::F32, fromDouble(ScalarType::F32, -0.1)), "-0.1");
  EXPECT_EQ(formatScalar(ScalarType::F32, fromDouble(ScalarType::F32, 1e30)), "1e+30");
  EXPECT_EQ(formatScalar(ScalarType::F32, fromDouble(ScalarType::F32, -HUGE_VAL)), "-inf");
  EXPECT_EQ(formatScalar(ScalarType::Bool, 1), "true");
}

} // namespace pto
