// L2: what is here when, what leaves first, and what a write takes away.

#include "memory/l2.h"

#include <gtest/gtest.h>

namespace pto {
namespace {

constexpr int64_t kPart = L2::kGranuleBytes;

/// Granules [first, end).
ByteRange parts(int64_t first, int64_t end) { return {first * kPart, end * kPart}; }

TEST(L2, NothingIsHereBeforeAPrefetch) {
  L2 l2(64 * kPart);
  EXPECT_EQ(l2.use(parts(0, 8), 1000), 0);
  l2.drop(parts(0, 8), 1000);
  EXPECT_EQ(l2.use({}, 2000), 0);
}

TEST(L2, GranulesArriveOneAfterTheOther) {
  L2 l2(64 * kPart);
  l2.fetch(parts(4, 8), 1000, 1400);
  EXPECT_EQ(l2.use(parts(0, 16), 1099), 0);
  EXPECT_EQ(l2.use(parts(0, 16), 1100), kPart);
  EXPECT_EQ(l2.use(parts(4, 5), 1150), kPart) << "from the front";
  EXPECT_EQ(l2.use(parts(5, 8), 1150), 0);
  EXPECT_EQ(l2.use(parts(0, 16), 1399), 3 * kPart);
  EXPECT_EQ(l2.use(parts(0, 16), 1400), 4 * kPart);
}

TEST(L2, CountsTheBytesOfTheRangeAlone) {
  L2 l2(64 * kPart);
  l2.fetch(parts(1, 3), 0, 1);
  EXPECT_EQ(l2.use({kPart - 10, kPart + 20}, 1), 20);
  EXPECT_EQ(l2.use({2 * kPart + 5, 2 * kPart + 6}, 1), 1);
  EXPECT_EQ(l2.use({0, 10 * kPart}, 1), 2 * kPart);
}

TEST(L2, FetchesTheGranulesAtTheEndsWhole) {
  L2 l2(64 * kPart);
  l2.fetch({kPart + 100, kPart + 200}, 0, 1);
  EXPECT_EQ(l2.use(parts(0, 4), 1), kPart);
  l2.fetch({}, 0, 1);
  EXPECT_EQ(l2.use(parts(0, 4), 1), kPart);
}

TEST(L2, WhatWasUsedLeastRecentlyLeavesFirst) {
  L2 l2(4 * kPart);
  l2.fetch(parts(0, 4), 0, 4);
  EXPECT_EQ(l2.use(parts(0, 1), 4), kPart); // 1 is the oldest now.
  l2.fetch(parts(10, 12), 4, 6);
  EXPECT_EQ(l2.use(parts(1, 3), 6), 0);
  EXPECT_EQ(l2.use(parts(0, 1), 6), kPart);
  EXPECT_EQ(l2.use(parts(3, 4), 6), kPart);
  EXPECT_EQ(l2.use(parts(10, 12), 6), 2 * kPart);
}

TEST(L2, ARangeThatIsTooLargeLeavesItsEnd) {
  L2 l2(4 * kPart);
  l2.fetch(parts(0, 100), 0, 100);
  EXPECT_EQ(l2.use(parts(0, 100), 100), 4 * kPart);
  EXPECT_EQ(l2.use(parts(96, 100), 100), 4 * kPart);
}

TEST(L2, FetchedAgainIsUsedAgain) {
  L2 l2(2 * kPart);
  l2.fetch(parts(0, 2), 0, 2);
  l2.fetch(parts(0, 1), 2, 3);
  l2.fetch(parts(5, 6), 3, 4);
  EXPECT_EQ(l2.use(parts(0, 1), 4), kPart);
  EXPECT_EQ(l2.use(parts(1, 2), 4), 0);
}

TEST(L2, TwoFetchesArriveSideBySide) {
  L2 l2(64 * kPart);
  l2.fetch(parts(0, 4), 0, 400);
  l2.fetch(parts(10, 14), 100, 300);
  EXPECT_EQ(l2.use(parts(0, 8), 200), 2 * kPart);
  EXPECT_EQ(l2.use(parts(8, 16), 200), 2 * kPart);
}

TEST(L2, AWriteTakesAwayWhatIsHere) {
  L2 l2(64 * kPart);
  l2.fetch(parts(0, 4), 0, 400);
  l2.drop({kPart + 8, kPart + 12}, 400);
  EXPECT_EQ(l2.use(parts(0, 4), 400), 3 * kPart);
  EXPECT_EQ(l2.use(parts(1, 2), 400), 0);
  l2.fetch(parts(1, 2), 400, 500);
  EXPECT_EQ(l2.use(parts(0, 4), 500), 4 * kPart);
}

TEST(L2, WhatIsOnItsWayComesWithTheNewBytes) {
  L2 l2(64 * kPart);
  l2.fetch(parts(0, 4), 0, 400);
  l2.drop(parts(0, 4), 200);
  EXPECT_EQ(l2.use(parts(0, 4), 400), 2 * kPart);
  EXPECT_EQ(l2.use(parts(2, 4), 400), 2 * kPart);
}

TEST(L2, NoRoomIsNoCache) {
  L2 l2(kPart - 1);
  l2.fetch(parts(0, 4), 0, 4);
  EXPECT_EQ(l2.use(parts(0, 4), 4), 0);
}

} // namespace
} // namespace pto
