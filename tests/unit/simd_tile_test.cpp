//===- simd_tile_test.cpp - whole tiles: forms, strides, rounding modes ----------===//
#include "simd/simd.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace pto {

namespace {
/// A tile of f32 whose rows are padded with a mark that nothing may touch.
struct TestTile {
  static constexpr float kMark = -77.0f;
  TestTile(int64_t rows, int64_t cols, int64_t pitch)
      : values(size_t(rows * pitch), kMark), rows(rows), cols(cols), pitch(pitch) {}
  [[nodiscard]] Plane plane() {
    return {reinterpret_cast<uint8_t *>(values.data()), pitch * 4, rows, cols};
  }
  float &at(int64_t i, int64_t j) { return values[size_t(i * pitch + j)]; }
  [[nodiscard]] bool paddingIsUntouched() {
    for (int64_t i = 0; i != rows; ++i)
      for (int64_t j = cols; j != pitch; ++j)
        if (at(i, j) != kMark)
          return false;
    return true;
  }
  std::vector<float> values;
  int64_t rows, cols, pitch;
};
} // namespace

static void fill(TestTile &tile, float first) {
  for (int64_t i = 0; i != tile.rows; ++i)
    for (int64_t j = 0; j != tile.cols; ++j)
      tile.at(i, j) = first + float(i * 100 + j) * 0.37f;
}

static void compute(TileOp op, TestTile &d, TestTile *a, TestTile *b = nullptr, float scalar = 0) {
  TileWork work;
  work.op = op;
  work.d = d.plane();
  work.a = a ? a->plane() : Plane();
  work.b = b ? b->plane() : Plane();
  work.scalar = fromDouble(ScalarType::F32, scalar);
  computeTile(work);
  EXPECT_TRUE(d.paddingIsUntouched());
}

TEST(SimdTile, WalksRowsOfDifferentPitch) {
  TestTile d(3, 37, 40), a(3, 37, 64), b(3, 37, 48);
  fill(a, 1);
  fill(b, -5);
  compute(TileOp::Tmul, d, &a, &b);
  for (int64_t i = 0; i != 3; ++i)
    for (int64_t j = 0; j != 37; ++j)
      ASSERT_EQ(d.at(i, j), a.at(i, j) * b.at(i, j));
  compute(TileOp::Taxpy, d, &a, nullptr, 0.1f);
  for (int64_t j = 0; j != 37; ++j) {
    volatile float product = a.at(1, j) * 0.1f, before = a.at(1, j) * b.at(1, j);
    ASSERT_EQ(d.at(1, j), before + product);
  }
}

TEST(SimdTile, ADestinationMayBeASource) {
  TestTile d(2, 19, 24);
  fill(d, 2);
  float before = d.at(1, 18);
  compute(TileOp::Tadd, d, &d, &d);
  EXPECT_EQ(d.at(1, 18), before + before);
  compute(TileOp::Tdivs, d, &d, nullptr, 2.0f);
  EXPECT_EQ(d.at(1, 18), before);
}

/// The order that simd.h promises, written down once more.
static float sumInOrder(const std::vector<float> &row) {
  std::vector<float> partial(row.begin(),
                             row.begin() + ptrdiff_t(std::min<size_t>(64, row.size())));
  for (size_t j = 64; j < row.size(); ++j)
    partial[j % 64] += row[j];
  for (size_t half = 32; half != 0; half /= 2)
    for (size_t j = 0; j != half; ++j)
      if (j + half < partial.size() && j + half < 2 * half)
        partial[j] += partial[j + half];
  return partial[0];
}

TEST(SimdTile, SumsRowsInTheOrderThatIsPromised) {
  for (int64_t cols : {1, 2, 31, 33, 63, 64, 65, 127, 200}) {
    TestTile d(2, 1, 8), a(2, cols, cols + 3);
    for (int64_t i = 0; i != 2; ++i)
      for (int64_t j = 0; j != cols; ++j)
        a.at(i, j) = std::ldexp(1.0f + float(j) / 7, int((j * 13 + i) % 20)) * (j % 3 ? 1 : -1);
    compute(TileOp::Trowsum, d, &a);
    for (int64_t i = 0; i != 2; ++i) {
      std::vector<float> row(&a.at(i, 0), &a.at(i, 0) + cols);
      EXPECT_EQ(d.at(i, 0), sumInOrder(row)) << cols;
    }
  }
}

TEST(SimdTile, ReducesAndExpands) {
  TestTile a(4, 70, 72), row(4, 1, 8), column(1, 70, 80), wide(4, 70, 70);
  fill(a, -30);
  compute(TileOp::Trowmax, row, &a);
  EXPECT_EQ(row.at(2, 0), a.at(2, 69));
  compute(TileOp::Trowexpand, wide, &row);
  EXPECT_EQ(wide.at(2, 5), a.at(2, 69));
  compute(TileOp::Tcolmin, column, &a);
  EXPECT_EQ(column.at(0, 9), a.at(0, 9));
  compute(TileOp::Tcolexpand, wide, &column);
  EXPECT_EQ(wide.at(3, 9), a.at(0, 9));
  compute(TileOp::Tcolsum, column, &a);
  EXPECT_EQ(column.at(0, 9), ((a.at(0, 9) + a.at(1, 9)) + a.at(2, 9)) + a.at(3, 9));
}

TEST(SimdTile, ElementaryFunctionsAreNearlyExact) {
  TestTile d(1, 200, 200), a(1, 200, 200);
  for (int64_t j = 0; j != 200; ++j)
    a.at(0, j) = float(j - 100) * 0.87f;
  compute(TileOp::Texp, d, &a);
  for (int64_t j = 0; j != 200; ++j)
    ASSERT_EQ(d.at(0, j), float(std::exp(double(a.at(0, j))))) << a.at(0, j);
  for (int64_t j = 0; j != 200; ++j)
    a.at(0, j) = std::ldexp(1.0f + float(j % 16) / 17, int(j - 140));
  compute(TileOp::Tlog, d, &a);
  for (int64_t j = 0; j != 200; ++j)
    ASSERT_EQ(d.at(0, j), float(std::log(double(a.at(0, j))))) << a.at(0, j);
}

TEST(SimdTile, ElementaryFunctionsAtTheirEdges) {
  TestTile d(1, 6, 8), a(1, 6, 8);
  float inf = std::numeric_limits<float>::infinity();
  float edges[] = {inf, -inf, 0.0f, -1.0f, 89.5f, -104.5f};
  std::copy(std::begin(edges), std::end(edges), a.values.begin());
  compute(TileOp::Texp, d, &a);
  EXPECT_EQ(d.at(0, 0), inf);
  EXPECT_EQ(d.at(0, 1), 0.0f);
  EXPECT_EQ(d.at(0, 2), 1.0f);
  EXPECT_EQ(d.at(0, 4), inf);
  EXPECT_EQ(d.at(0, 5), 0.0f);
  compute(TileOp::Tlog, d, &a);
  EXPECT_EQ(d.at(0, 0), inf);
  EXPECT_TRUE(std::isnan(d.at(0, 1)));
  EXPECT_EQ(d.at(0, 2), -inf);
  EXPECT_TRUE(std::isnan(d.at(0, 3)));
}

//===--- Conversions ----------------------------------------------------------------===//

static ScalarBits converted(ScalarType to, ScalarType from, double value, RoundMode mode,
                            bool wraps = false) {
  uint8_t in[8] = {}, out[8] = {};
  storeScalar(from, in, fromDouble(from, value));
  convertRow({to, from, mode, wraps}, out, in, 1);
  return loadScalar(to, out);
}

struct RoundRow {
  double value;
  int64_t rint, round, floor, ceil, trunc, odd;
};

TEST(SimdTile, RoundsToIntegersInEachMode) {
  static constexpr RoundRow kRows[] = {
      {2.5, 2, 3, 2, 3, 2, 3},
      {3.5, 4, 4, 3, 4, 3, 3},
      {-2.5, -2, -3, -3, -2, -2, -3},
      {-0.25, 0, 0, -1, 0, 0, -1},
      {7, 7, 7, 7, 7, 7, 7},
      {1e10, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}};
  for (const RoundRow &row : kRows) {
    auto of = [&](RoundMode mode) {
      return int64_t(converted(ScalarType::I32, ScalarType::F32, row.value, mode));
    };
    EXPECT_EQ(of(RoundMode::CAST_NONE), row.trunc) << row.value;
    EXPECT_EQ(of(RoundMode::CAST_RINT), row.rint) << row.value;
    EXPECT_EQ(of(RoundMode::CAST_ROUND), row.round) << row.value;
    EXPECT_EQ(of(RoundMode::CAST_FLOOR), row.floor) << row.value;
    EXPECT_EQ(of(RoundMode::CAST_CEIL), row.ceil) << row.value;
    EXPECT_EQ(of(RoundMode::CAST_TRUNC), row.trunc) << row.value;
    EXPECT_EQ(of(RoundMode::CAST_ODD), row.odd) << row.value;
  }
}

TEST(SimdTile, RoundsToFloatsInEachMode) {
  // Between 2048 and 4096 an f16 holds even integers only.
  auto of = [](double value, RoundMode mode) {
    return toDouble(ScalarType::F16, converted(ScalarType::F16, ScalarType::F32, value, mode));
  };
  EXPECT_EQ(of(2049, RoundMode::CAST_NONE), 2048);
  EXPECT_EQ(of(2049, RoundMode::CAST_ROUND), 2050);
  EXPECT_EQ(of(-2049, RoundMode::CAST_FLOOR), -2050);
  EXPECT_EQ(of(-2049, RoundMode::CAST_CEIL), -2048);
  EXPECT_EQ(of(2051, RoundMode::CAST_TRUNC), 2050);
  EXPECT_EQ(of(2049, RoundMode::CAST_ODD), 2050); // 1025 * 2, an odd number of units
  EXPECT_EQ(of(1e6, RoundMode::CAST_TRUNC), 65504);
  EXPECT_TRUE(std::isinf(of(1e6, RoundMode::CAST_RINT)));
  EXPECT_EQ(of(0x1p-25, RoundMode::CAST_RINT), 0);
  EXPECT_EQ(of(0x1p-25, RoundMode::CAST_CEIL), 0x1p-24);
}

TEST(SimdTile, NarrowingSaturatesOrWraps) {
  using enum ScalarType;
  EXPECT_EQ(converted(U8, I32, 300, RoundMode::CAST_NONE), 255u);
  EXPECT_EQ(converted(U8, I32, -3, RoundMode::CAST_NONE), 0u);
  EXPECT_EQ(int64_t(converted(I16, I32, 70000, RoundMode::CAST_NONE, true)), 4464);
  EXPECT_EQ(int64_t(converted(I16, F32, 70000, RoundMode::CAST_NONE, true)), 4464);
  EXPECT_EQ(int64_t(converted(I16, F32, 70000, RoundMode::CAST_NONE)), 32767);
  EXPECT_EQ(int64_t(converted(I8, F16, -300, RoundMode::CAST_NONE, true)), -44);
  EXPECT_EQ(converted(I32, F32, std::nan(""), RoundMode::CAST_RINT), 0u);
  EXPECT_EQ(toDouble(F32, converted(F32, F32, -2.5, RoundMode::CAST_FLOOR)), -3);
  EXPECT_EQ(toDouble(F32, converted(F32, I64, double(1ll << 40), RoundMode::CAST_NONE)), 0x1p40);
}

} // namespace pto
