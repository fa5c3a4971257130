//===- affine_test.cpp - sums of symbols ---------------------------------------===//
#include "program/affine.h"

#include "gtest/gtest.h"

namespace pto::program {

TEST(Affine, EqualSumsAreEqualWhateverTheirOrder) {
  Symbols symbols;
  Affine x = Affine::symbol(symbols.get("x")), y = Affine::symbol(symbols.get("y"));
  EXPECT_EQ(*x.plus(y), *y.plus(x));
  EXPECT_EQ(x.plus(y)->key(), y.plus(x)->key());
  EXPECT_NE(x, y);
}

TEST(Affine, ASymbolThatCancelsIsGone) {
  Symbols symbols;
  Affine x = Affine::symbol(symbols.get("x"));
  std::optional<Affine> difference = x.plus(Affine(64))->minus(x);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->constant(), 64);
  EXPECT_FALSE(x.constant());
}

TEST(Affine, OneKeyIsOneSymbolAndFreshOnesDiffer) {
  Symbols symbols;
  SymbolId first = symbols.get("(rank + 1) % ranks");
  EXPECT_EQ(symbols.get("(rank + 1) % ranks"), first);
  SymbolId fresh = symbols.fresh(), other = symbols.fresh();
  EXPECT_NE(fresh, other);
  EXPECT_NE(fresh, first);
  EXPECT_NE(symbols.get("rank"), other);
}

TEST(Affine, LinearInOneSymbolOnly) {
  Symbols symbols;
  SymbolId ranks = symbols.get("ranks");
  Affine size = *Affine::symbol(ranks).times(3)->plus(Affine(2));
  EXPECT_EQ(size.linearIn(ranks), std::pair(int64_t(2), int64_t(3)));
  EXPECT_FALSE(size.linearIn(symbols.get("rank")));
  EXPECT_EQ(Affine(7).linearIn(ranks), std::pair(int64_t(7), int64_t(0)));
}

TEST(Affine, WhatWouldOverflowIsNotKnown) {
  Symbols symbols;
  Affine x = Affine::symbol(symbols.get("x"));
  EXPECT_FALSE(Affine(INT64_MAX).plus(Affine(1)));
  EXPECT_FALSE(x.times(INT64_MAX)->times(2));
  EXPECT_FALSE(Affine(0).minus(Affine(INT64_MIN)));
}

} // namespace pto::program
