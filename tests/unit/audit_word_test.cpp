// What a wait on a signal word acquires: no more than every set of updates that could have let it
// pass has in common.

#include "unit/audit_words.h"

namespace pto::audit_detail {
namespace {

using enum NotifyOp;
using enum WaitCmp;

//===--- Counters ----------------------------------------------------------------===//

TEST_F(AuditWord, AWaitForAllAcquiresAllOfThem) {
  AgentId a = agent(), b = agent(), c = agent(), waiter = agent();
  Epoch fromA = work(a), fromB = work(b), fromC = work(c);
  add(c, 1);
  add(a, 1);
  add(b, 1);
  EXPECT_EQ(wait(waiter, GE, 3).need, 3);
  EXPECT_TRUE(knows(waiter, fromA));
  EXPECT_TRUE(knows(waiter, fromB));
  EXPECT_TRUE(knows(waiter, fromC));
}

TEST_F(AuditWord, AWaitForFewerAcquiresNoneOfThem) {
  AgentId a = agent(), b = agent(), c = agent(), waiter = agent();
  Epoch fromA = work(a), fromB = work(b), fromC = work(c);
  add(a, 1);
  add(b, 1);
  add(c, 1);
  (void)wait(waiter, GE, 2);
  EXPECT_FALSE(knows(waiter, fromA));
  EXPECT_FALSE(knows(waiter, fromB));
  EXPECT_FALSE(knows(waiter, fromC));
}

TEST_F(AuditWord, WhatAllSendersKnowIsAcquiredByAnyOfThem) {
  AgentId root = agent(), a = agent(), b = agent(), waiter = agent();
  Epoch before = work(root);
  tell(root, a);
  Epoch later = work(root);
  tell(root, b);
  add(a, 1);
  add(b, 1);
  (void)wait(waiter, GE, 1);
  EXPECT_TRUE(knows(waiter, before));
  EXPECT_FALSE(knows(waiter, later)) << "only b knew";
}

TEST_F(AuditWord, AnUpdateOnItsWayMightHaveComeFirst) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch fromA = addAfterWork(a, 1);
  uint64_t late = send(b, AtomicAdd, 1);
  EXPECT_EQ(wait(waiter, GE, 1).candidates.size(), 2u);
  EXPECT_FALSE(knows(waiter, fromA));
  land(late);
  (void)wait(waiter, GE, 2);
  EXPECT_TRUE(knows(waiter, fromA));
}

/// 2 + 1 + 1 for a wait of 3: without the 2 it is not enough.
TEST_F(AuditWord, AnUpdateThatNoSetCanDoWithoutIsAcquired) {
  AgentId two = agent(), b = agent(), c = agent(), waiter = agent();
  Epoch fromTwo = work(two), fromB = work(b), fromC = work(c);
  add(b, 1);
  add(c, 1);
  add(two, 2);
  (void)wait(waiter, GE, 3);
  EXPECT_TRUE(knows(waiter, fromTwo));
  EXPECT_FALSE(knows(waiter, fromB));
  EXPECT_FALSE(knows(waiter, fromC));
}

/// a sends twice, b once, and a wait for 2 needs one of a's at least: the first one.
TEST_F(AuditWord, OfASenderThatMustBeThereTheEarliestSufficientUpdate) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch first = addAfterWork(a, 1);
  Epoch second = addAfterWork(a, 1);
  Epoch fromB = addAfterWork(b, 1);
  (void)wait(waiter, GE, 2);
  EXPECT_TRUE(knows(waiter, first));
  EXPECT_FALSE(knows(waiter, second));
  EXPECT_FALSE(knows(waiter, fromB));
}

TEST_F(AuditWord, OfOneSenderAPrefix) {
  AgentId a = agent(), waiter = agent();
  std::vector<Epoch> turns;
  for (int i = 0; i != 5; ++i) {
    turns.push_back(addAfterWork(a, 1));
  }
  for (size_t wanted : {2u, 4u, 5u}) {
    (void)wait(waiter, GE, int32_t(wanted));
    for (size_t i = 0; i != 5; ++i)
      EXPECT_EQ(knows(waiter, turns[i]), i < wanted) << "turn " << i << " after GE " << wanted;
  }
}

TEST_F(AuditWord, GtIsOneMoreThanGe) {
  AgentId a = agent(), waiter = agent();
  Epoch first = addAfterWork(a, 1);
  Epoch second = addAfterWork(a, 1);
  EXPECT_EQ(wait(waiter, GT, 0).need, 1);
  EXPECT_TRUE(knows(waiter, first));
  EXPECT_FALSE(knows(waiter, second));
  EXPECT_EQ(wait(waiter, GT, 1).need, 1) << "one is known by now";
  EXPECT_TRUE(knows(waiter, second));
}

TEST_F(AuditWord, ACountThatGoesDown) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch fromA = work(a), fromB = work(b);
  add(a, -2);
  add(b, 1);
  EXPECT_EQ(wait(waiter, LT, 0).need, 1);
  EXPECT_TRUE(knows(waiter, fromA));
  EXPECT_FALSE(knows(waiter, fromB)) << "an addition is no help on the way down";
}

TEST_F(AuditWord, AnyUpdateMakesItDifferent) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch fromA = work(a), fromB = work(b);
  add(a, 7);
  add(b, -3);
  (void)wait(waiter, NE, 0);
  EXPECT_FALSE(knows(waiter, fromA));
  EXPECT_FALSE(knows(waiter, fromB));
}

TEST_F(AuditWord, ACountThatBeginsAtASet) {
  AgentId owner = agent(), a = agent(), waiter = agent();
  Epoch start = setAfterWork(owner, 10);
  tell(owner, a);
  Epoch fromA = addAfterWork(a, 1);
  EXPECT_EQ(wait(waiter, GE, 11).need, 1);
  EXPECT_TRUE(knows(waiter, start));
  EXPECT_TRUE(knows(waiter, fromA));
}

TEST_F(AuditWord, ASetThatIsEnoughWithoutTheAdditionsBehindIt) {
  AgentId owner = agent(), a = agent(), waiter = agent();
  Epoch start = setAfterWork(owner, 10);
  tell(owner, a);
  Epoch fromA = addAfterWork(a, 1);
  Passage passage = wait(waiter, GE, 10);
  EXPECT_FALSE(passage.isStale());
  EXPECT_FALSE(passage.isReused);
  EXPECT_TRUE(knows(waiter, start));
  EXPECT_FALSE(knows(waiter, fromA));
  EXPECT_TRUE(wait(waiter, GE, 10).isReused);
}

TEST_F(AuditWord, ASetBesideAnInitialValueThatIsEnoughIsNotAcquired) {
  beginAt(5);
  AgentId owner = agent(), a = agent(), waiter = agent();
  Epoch start = setAfterWork(owner, 10);
  tell(owner, a);
  add(a, 1);
  (void)wait(waiter, GE, 5);
  EXPECT_FALSE(knows(waiter, start));
}

//===--- Passing on what was known ----------------------------------------------------===//

TEST_F(AuditWord, AnInitialValueIsNoReuse) {
  beginAt(5);
  Passage passage = wait(agent(), GE, 3);
  EXPECT_TRUE(passage.isStale());
  EXPECT_FALSE(passage.isReused);
}

TEST_F(AuditWord, ACountThatWasWaitedForBeforeIsReused) {
  AgentId a = agent(), waiter = agent();
  add(a, 1);
  EXPECT_FALSE(wait(waiter, GE, 1).isReused);
  Epoch again = addAfterWork(a, 1);
  EXPECT_TRUE(wait(waiter, GE, 1).isReused) << "the 1 of the first round is enough";
  EXPECT_FALSE(knows(waiter, again));
  EXPECT_FALSE(wait(waiter, GE, 2).isReused) << "the second addition is news";
  EXPECT_TRUE(knows(waiter, again));
}

TEST_F(AuditWord, ACountThatWasTakenAwayIsNotReused) {
  AgentId a = agent(), waiter = agent();
  add(a, 1);
  (void)wait(waiter, GE, 1);
  add(waiter, -1);
  Epoch again = addAfterWork(a, 1);
  Passage passage = wait(waiter, GE, 1);
  EXPECT_EQ(passage.need, 1);
  EXPECT_FALSE(passage.isReused);
  EXPECT_TRUE(knows(waiter, again));
}

TEST_F(AuditWord, ASetThatWasWaitedForBeforeIsReused) {
  AgentId a = agent(), waiter = agent();
  set(a, 1);
  EXPECT_FALSE(wait(waiter, EQ, 1).isReused);
  Epoch again = setAfterWork(a, 1);
  EXPECT_TRUE(wait(waiter, EQ, 1).isReused);
  EXPECT_FALSE(knows(waiter, again));
}

//===--- Sets ------------------------------------------------------------------------===//

TEST_F(AuditWord, OfSetsTheEarliestThatSatisfies) {
  AgentId a = agent(), waiter = agent();
  Epoch first = setAfterWork(a, 1);
  Epoch second = setAfterWork(a, 2);
  Epoch third = setAfterWork(a, 3);
  (void)wait(waiter, GE, 2);
  EXPECT_TRUE(knows(waiter, first));
  EXPECT_TRUE(knows(waiter, second));
  EXPECT_FALSE(knows(waiter, third)) << "2 was enough";
  (void)wait(waiter, EQ, 3);
  EXPECT_TRUE(knows(waiter, third));
}

TEST_F(AuditWord, OfSetsOfTwoSendersNeither) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch fromA = work(a), fromB = work(b);
  set(a, 1);
  set(b, 1);
  (void)wait(waiter, EQ, 1);
  EXPECT_FALSE(knows(waiter, fromA));
  EXPECT_FALSE(knows(waiter, fromB));
}

TEST_F(AuditWord, ASetThatTheWaiterKnowsToBeTakenBackIsPast) {
  AgentId a = agent(), waiter = agent();
  set(a, 1);
  (void)wait(waiter, EQ, 1);
  set(waiter, 0);
  tell(waiter, a);
  Epoch again = setAfterWork(a, 1);
  Passage passage = wait(waiter, EQ, 1);
  EXPECT_FALSE(passage.isReused);
  EXPECT_EQ(passage.candidates.size(), 1u);
  EXPECT_TRUE(knows(waiter, again));
}

TEST_F(AuditWord, TheInitialValueIsPastToo) {
  beginAt(1);
  AgentId a = agent(), waiter = agent();
  set(waiter, 0);
  tell(waiter, a);
  Epoch round = setAfterWork(a, 1);
  EXPECT_FALSE(wait(waiter, EQ, 1).isStale());
  EXPECT_TRUE(knows(waiter, round));
}

TEST_F(AuditWord, ASetOnItsWayIsACandidate) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch fromA = setAfterWork(a, 1);
  (void)send(b, Set, 1);
  (void)wait(waiter, EQ, 1);
  EXPECT_FALSE(knows(waiter, fromA));
}

//===--- Waits that came at the right moment -----------------------------------------------===//

TEST_F(AuditWord, AWaitThatALaterUpdateWouldHaveHeldForGoodIsMissed) {
  AgentId a = agent(), waiter = agent();
  add(a, 1);
  (void)wait(waiter, EQ, 1);
  EXPECT_FALSE(word.passages().back().missed);
  add(a, 1);
  ASSERT_TRUE(word.passages().back().missed);
  EXPECT_EQ(word.passages().back().missed->site, a);
  add(a, -1);
  EXPECT_FALSE(word.passages().back().missed) << "it would have passed again in the end";
}

TEST_F(AuditWord, AnUpdateBehindTheWaitIsNoLuck) {
  AgentId a = agent(), waiter = agent();
  add(a, 1);
  (void)wait(waiter, EQ, 1);
  tell(waiter, a);
  add(a, 1);
  EXPECT_FALSE(word.passages().back().missed);
}

/// What is no longer kept must not be lost: the update that would have held it comes first, and
/// then more waits than are kept.
TEST_F(AuditWord, AMissedWaitThatIsNoLongerKeptIsRememberedStill) {
  AgentId a = agent(), waiter = agent(), other = agent();
  add(a, 1);
  (void)wait(waiter, EQ, 1);
  add(a, 1);
  for (size_t i = 0; i != WordHistory::kMaxPassages; ++i)
    (void)wait(other, GE, 1);
  ASSERT_TRUE(std::none_of(word.passages().begin(), word.passages().end(),
                           [&](const Passage &passage) { return passage.site == waiter; }));
  ASSERT_EQ(word.missedPassages().size(), 1u);
  EXPECT_EQ(word.missedPassages()[0].site, waiter);
  EXPECT_EQ(word.missedPassages()[0].missed->site, a);
  EXPECT_EQ(word.missedPassages()[0].missed->value, 2);
  tell(waiter, a);
  add(a, -1);
  EXPECT_EQ(word.missedPassages().size(), 1u) << "that update waited for it";
  add(agent(), 3);
  add(agent(), -3);
  EXPECT_EQ(word.missedPassages().size(), 0u) << "it would have passed again in the end";
}

TEST_F(AuditWord, OfEachPlaceOneMissedWaitIsRemembered) {
  AgentId a = agent(), waiter = agent();
  for (int32_t i = 1; i != 1000; ++i) {
    add(a, 1);
    (void)wait(waiter, EQ, i);
  }
  EXPECT_EQ(word.missedPassages().size(), 1u);
}

//===--- The list of updates -------------------------------------------------------------===//

TEST_F(AuditWord, UpdatesStandInTheOrderOfLanding) {
  AgentId a = agent(), b = agent();
  uint64_t first = send(a, AtomicAdd, 1), second = send(b, AtomicAdd, 2);
  land(second);
  EXPECT_EQ(word.landedBefore(word.updates()[0]), nullptr);
  EXPECT_LT(word.updates()[1].landedPs, 0);
  land(first);
  EXPECT_EQ(word.updates()[0].operation, second);
  EXPECT_EQ(word.updates()[1].operation, first);
  EXPECT_EQ(word.landedBefore(word.updates()[1]), word.updates().data());
  EXPECT_EQ(word.updates()[1].before, 2);
  EXPECT_EQ(word.updates()[1].after, 3);
  EXPECT_EQ(word.land(agents, 99, 0, 0, 0), nullptr);
  EXPECT_EQ(word.land(agents, first, 0, 0, 0), nullptr) << "it has landed";
}

TEST_F(AuditWord, OnlyWhatHasLandedIsSeen) {
  AgentId a = agent();
  add(a, 1);
  uint64_t late = send(a, AtomicAdd, 1);
  word.markSeen();
  EXPECT_TRUE(word.updates()[0].isSeen);
  EXPECT_FALSE(word.updates()[1].isSeen);
  land(late);
  EXPECT_FALSE(word.updates()[1].isSeen);
}

TEST_F(AuditWord, WhatAWaiterSendsItselfNeedsNobodyToLook) {
  AgentId a = agent(), waiter = agent();
  add(a, 1);
  (void)wait(waiter, GE, 1);
  add(waiter, -1);
  EXPECT_TRUE(word.updates().back().isSeen);
  add(a, 1);
  EXPECT_FALSE(word.updates().back().isSeen);
}

TEST_F(AuditWord, UnknownIsWhatTheAgentWasNotToldOf) {
  AgentId a = agent(), b = agent();
  EXPECT_EQ(word.unknownTo(agents, b), nullptr);
  add(a, 1);
  ASSERT_NE(word.unknownTo(agents, b), nullptr);
  EXPECT_EQ(word.unknownTo(agents, b)->site, a);
  EXPECT_EQ(word.unknownTo(agents, a), nullptr);
  tell(a, b);
  EXPECT_EQ(word.unknownTo(agents, b), nullptr);
}

TEST_F(AuditWord, AHostsWriteBeginsAnew) {
  AgentId a = agent(), waiter = agent();
  add(a, 1);
  uint64_t late = send(a, AtomicAdd, 1);
  word.restart(0);
  value = 0;
  ASSERT_EQ(word.updates().size(), 1u) << "what is on its way still comes";
  Epoch before = work(waiter);
  land(late);
  EXPECT_EQ(wait(waiter, GE, 1).need, 1);
  EXPECT_TRUE(knows(waiter, before));
}

} // namespace
} // namespace pto::audit_detail
