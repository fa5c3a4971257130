//===- hixl_pool_test.cpp - waterlines, counted in links ------------------------===//
#include "unit/hixl_summary.h"

#include "gtest/gtest.h"

namespace pto::test {

namespace {
struct PoolRow {
  std::optional<std::string> max;
  std::optional<std::string> high;
  std::optional<std::string> low;
  const char *comes; ///< "max high low", or the faults.
};
} // namespace

static std::string read(const PoolRow &row) {
  HixlFaults faults;
  std::optional<HixlPool> pool = readHixlPool({row.max, row.high, row.low}, faults);
  std::string text = pool ? std::to_string(pool->max) + " " + std::to_string(pool->high) + " " +
                                std::to_string(pool->low)
                          : "off";
  std::string said = summary(faults.rows());
  return said.empty() ? text : text + " " + said;
}

TEST(HixlPool, Formulas) {
  static constexpr std::nullopt_t kNone = std::nullopt;
  const PoolRow kRows[] = {
      // The worked example of the documents, and the cases of the formula.
      {"10", "0.3", "0.1", "10 3 1"},
      {"2", "0.9", "0.5", "off HX-OPT-20"},
      {"3", "0.67", "0.33", "3 2 1"},
      {kNone, "0.9", "0.5", "512 460 256"},
      {"512", "0.999", "0.001", "512 511 1"},
      {"10", "3e-1", "1E-1", "10 3 1"},
      {"10", ".3", "0.10", "10 3 1"},
      {"1", "0.9", "0.1", "off HX-OPT-20"},
      // The decimal decides; where a binary fraction falls short, that is told.
      {"100", "0.29", "0.1", "100 29 10 HX-OPT-20?"},
      {kNone, kNone, kNone, "off"},
  };
  for (const PoolRow &row : kRows)
    EXPECT_EQ(read(row), row.comes);
}

TEST(HixlPool, WhatIsRefused) { // T-84, HX-OPT-18 to HX-OPT-20
  static constexpr std::nullopt_t kNone = std::nullopt;
  const PoolRow kRows[] = {
      {"10", "0.1", "0.3", "off HX-OPT-20"},
      {"0", "0.3", "0.1", "off HX-OPT-19"},
      {"999", "0.3", "0.1", "off HX-OPT-19"},
      {"10", kNone, kNone, "off HX-OPT-19"},
      {"10", "0.3", kNone, "off HX-OPT-19"},
      {"10", "1.0", "0.1", "off HX-OPT-18"},
      {"10", "0.3", "0.0", "off HX-OPT-18"},
      {"10", "NaN", "0.1", "off HX-OPT-18"},
      {"10", "-0.3", "0.1", "off HX-OPT-18"},
      {"10", "0x1p-1", "0.1", "off HX-OPT-18"},
      {"10", "0.3 ", "0.1", "off HX-OPT-18"},
      {"10", "", "0.1", "off HX-OPT-18"},
      {"10", ".", "0.1", "off HX-OPT-18"},
      {"10", "0.3e", "0.1", "off HX-OPT-18"},
      {"10", "1e-999999999999", "0.1", "off HX-OPT-18"},
      {"NaN", "0.3", "0.1", "off HX-OPT-13"},
      {"10.5", "0.3", "0.1", "off HX-OPT-13"},
      {kNone, "0.3", kNone, "off HX-OPT-18?"},
      {kNone, kNone, "0.1", "off HX-OPT-18?"},
  };
  for (const PoolRow &row : kRows)
    EXPECT_EQ(read(row), row.comes);
}

TEST(HixlPool, Victims) {
  HixlPool pool{10, 3, 1};
  EXPECT_EQ(pool.victims(2), 0);
  EXPECT_EQ(pool.victims(3), 2);
  EXPECT_EQ(pool.victims(5), 4);
}

TEST(HixlPool, DecimalsAreExact) {
  EXPECT_EQ(HixlDecimal::parse("0.29")->floorOf(100), 29);
  EXPECT_LT(100 * HixlDecimal::parse("0.29")->inDoubles(), 29) << "doubles do not have it";
  EXPECT_EQ(HixlDecimal::parse("0.3")->floorOf(10), 3);
  EXPECT_EQ(HixlDecimal::parse("0.0001")->floorOf(512), 0);
  EXPECT_EQ(HixlDecimal::parse("0.99999999999999999999")->floorOf(512), 511);
  EXPECT_FALSE(HixlDecimal::parse("1")->isPart());
  EXPECT_FALSE(HixlDecimal::parse("0.000")->isPart());
  EXPECT_TRUE(HixlDecimal::parse("0.999")->isPart());
  EXPECT_FALSE(HixlDecimal::parse("10e-1")->isPart());
  EXPECT_TRUE(HixlDecimal::parse("5e-1")->isPart());
}

} // namespace pto::test
