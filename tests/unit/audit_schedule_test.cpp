// Which steps on a signal word another schedule could turn round, with other consequences; and that
// what a word remembers does not grow with the run.

#include "unit/audit_words.h"

namespace pto::audit_detail {
namespace {

using enum NotifyOp;
using enum WaitCmp;

//===--- Against waits that have passed ------------------------------------------------===//

TEST_F(AuditWord, AnUpdateThatMightHaveBeenTheOneMatters) {
  AgentId a = agent(), b = agent(), waiter = agent();
  addAfterWork(a, 1);
  (void)wait(waiter, GE, 1);
  add(b, 1);
  ASSERT_EQ(dependences.size(), 1u);
  EXPECT_EQ(dependences[0].first, waiter);
  EXPECT_EQ(dependences[0].second, b);
  EXPECT_FALSE(dependences[0].isMixed);
}

TEST_F(AuditWord, ItDoesNotMatterIfNothingButSignalsIsLostByIt) {
  AgentId a = agent(), b = agent(), waiter = agent();
  add(a, 1); // Without any data before it.
  (void)wait(waiter, GE, 1);
  add(b, 1);
  EXPECT_TRUE(dependences.empty());
}

TEST_F(AuditWord, AnUpdateBehindTheWaitDoesNotMatter) {
  AgentId a = agent(), b = agent(), waiter = agent();
  addAfterWork(a, 1);
  (void)wait(waiter, GE, 1);
  tell(waiter, b);
  add(b, 1);
  EXPECT_TRUE(dependences.empty());
}

TEST_F(AuditWord, ALaterUpdateOfTheSameSenderDoesNotMatter) {
  AgentId a = agent(), waiter = agent();
  for (int32_t i = 1; i != 10; ++i) {
    addAfterWork(a, 1);
    EXPECT_TRUE(dependences.empty()) << "turn " << i;
    (void)wait(waiter, GE, i);
  }
}

TEST_F(AuditWord, AWaitForAllIsNotMovedByWhatComesBehindOneOfThem) {
  AgentId a = agent(), b = agent(), waiter = agent();
  addAfterWork(a, 1);
  addAfterWork(b, 1);
  (void)wait(waiter, GE, 2);
  add(a, 1);
  EXPECT_EQ(dependences.size(), 1u) << "a twice is 2 as well, and b would not be known";
}

TEST_F(AuditWord, WhatMakesTheConditionFalseMatters) {
  AgentId a = agent(), b = agent(), waiter = agent();
  add(a, 1);
  (void)wait(waiter, EQ, 1);
  add(b, 1);
  EXPECT_EQ(dependences.size(), 1u) << "EQ 1 may be passed over";
}

TEST_F(AuditWord, AResetBesideAWaitForACountMatters) {
  AgentId a = agent(), b = agent(), waiter = agent();
  add(a, 1);
  (void)wait(waiter, GE, 1);
  set(b, 0);
  bool isAgainstWait = false, isAgainstAdd = false;
  for (const Dependence &dependence : dependences) {
    isAgainstWait |= dependence.first == waiter && !dependence.isMixed;
    isAgainstAdd |= dependence.first == a && dependence.isMixed;
  }
  EXPECT_TRUE(isAgainstWait);
  EXPECT_TRUE(isAgainstAdd);
}

TEST_F(AuditWord, AnyUpdateMattersToATest) {
  AgentId a = agent(), waiter = agent();
  addAfterWork(a, 1);
  (void)look(waiter, GE, 1, true);
  add(a, 1);
  EXPECT_EQ(dependences.size(), 1u);
}

TEST_F(AuditWord, OfTheTestsOfAnAgentTheLastOneIsKept) {
  AgentId a = agent(), waiter = agent();
  for (int i = 0; i != 100; ++i)
    (void)look(waiter, GE, 1, true);
  add(a, 1);
  EXPECT_EQ(dependences.size(), 1u);
}

//===--- Against other updates --------------------------------------------------------------===//

TEST_F(AuditWord, AdditionsCommute) {
  AgentId a = agent(), b = agent();
  add(a, 1);
  add(b, 1);
  EXPECT_TRUE(dependences.empty());
}

TEST_F(AuditWord, UnorderedSetsMatter) {
  AgentId a = agent(), b = agent();
  set(a, 1);
  set(b, 1);
  ASSERT_EQ(dependences.size(), 1u);
  EXPECT_EQ(dependences[0].first, a);
  EXPECT_EQ(dependences[0].second, b);
  EXPECT_FALSE(dependences[0].isMixed);
}

TEST_F(AuditWord, OrderedSetsDoNot) {
  AgentId a = agent(), b = agent();
  set(a, 1);
  set(a, 2);
  EXPECT_TRUE(dependences.empty()) << "two of one core arrive in order";
  tell(a, b);
  set(b, 3);
  EXPECT_TRUE(dependences.empty());
}

TEST_F(AuditWord, ASetAndAnAdditionUnorderedAreMixed) {
  AgentId a = agent(), b = agent(), c = agent();
  set(a, 10);
  add(b, 1);
  ASSERT_EQ(dependences.size(), 1u);
  EXPECT_TRUE(dependences[0].isMixed);
  tell(a, c);
  add(c, 1);
  EXPECT_TRUE(dependences.empty()) << "it knows of the Set";
}

//===--- What is remembered -------------------------------------------------------------------===//

constexpr int32_t kLong = 10000;

TEST_F(AuditWord, RoundsWithAnAnswerLeaveNothingBehind) {
  AgentId a = agent(), waiter = agent();
  for (int32_t i = 1; i != kLong; ++i) {
    Epoch turn = addAfterWork(a, 1);
    ASSERT_TRUE(dependences.empty()) << "turn " << i;
    ASSERT_EQ(wait(waiter, GE, i).need, 1) << "turn " << i;
    ASSERT_TRUE(knows(waiter, turn));
    tell(waiter, a);
    ASSERT_LE(word.updates().size(), 64u);
  }
}

TEST_F(AuditWord, ManySendersToo) {
  std::vector<AgentId> senders;
  for (int i = 0; i != 20; ++i)
    senders.push_back(agent());
  AgentId waiter = agent();
  int32_t total = 0;
  for (int32_t round = 0; round != 200; ++round) {
    for (AgentId sender : senders) {
      addAfterWork(sender, 1);
      ASSERT_TRUE(dependences.empty()) << "round " << round;
    }
    total += 20;
    ASSERT_FALSE(wait(waiter, GE, total).isReused);
    for (AgentId sender : senders)
      tell(waiter, sender);
    ASSERT_LE(word.updates().size(), 64u);
  }
}

TEST_F(AuditWord, SetsWithAnAnswerAreFoldedToo) {
  AgentId a = agent(), waiter = agent();
  for (int32_t i = 1; i != kLong; ++i) {
    Epoch turn = setAfterWork(a, i);
    ASSERT_TRUE(dependences.empty()) << "turn " << i;
    ASSERT_FALSE(wait(waiter, EQ, i).isStale()) << "turn " << i;
    ASSERT_TRUE(knows(waiter, turn));
    tell(waiter, a);
    ASSERT_LE(word.updates().size(), 64u);
  }
}

/// Nobody looks at the word for long: its history is bounded, and a wait in the end misses nothing.
TEST_F(AuditWord, AWordThatNobodyWaitsForIsBoundedAndStillTellsAll) {
  AgentId a = agent(), b = agent(), waiter = agent();
  Epoch fromA = work(a);
  for (int32_t i = 0; i != kLong; ++i) {
    add(a, 1);
    ASSERT_LE(word.updates().size(), WordHistory::kMaxUpdates * 3 / 2);
  }
  Epoch fromB = work(b);
  for (int32_t i = 0; i != kLong; ++i)
    add(b, 1);
  ASSERT_LE(word.updates().size(), WordHistory::kMaxUpdates * 3 / 2);
  EXPECT_TRUE(word.isBlurred()) << "what was taken together is not proved";
  (void)wait(waiter, GE, 2 * kLong);
  EXPECT_TRUE(knows(waiter, fromA)) << "else a false alarm";
  EXPECT_TRUE(knows(waiter, fromB));
  ASSERT_TRUE(word.unseen() == std::nullopt);
}

TEST_F(AuditWord, AfterFoldingTheSameIsAcquired) {
  AgentId a = agent(), b = agent(), waiter = agent();
  for (int32_t i = 1; i <= 100; ++i) {
    add(a, 1);
    (void)wait(waiter, GE, i);
  }
  Epoch fromA = work(a), fromB = work(b);
  add(a, 1);
  add(b, 1);
  EXPECT_EQ(wait(waiter, GE, 102).need, 2);
  EXPECT_TRUE(knows(waiter, fromA));
  EXPECT_TRUE(knows(waiter, fromB));
  EXPECT_TRUE(wait(waiter, GE, 50).isReused) << "also of what was folded";
}

TEST_F(AuditWord, AFoldedSetStillMattersToWhoDoesNotKnowIt) {
  AgentId a = agent(), stranger = agent(), waiter = agent();
  for (int32_t i = 1; i <= 100; ++i) {
    set(a, i);
    (void)wait(waiter, EQ, i);
    tell(waiter, a);
  }
  ASSERT_LE(word.updates().size(), 64u);
  add(stranger, 1);
  bool isAgainstFolded = false;
  for (const Dependence &dependence : dependences)
    isAgainstFolded |= dependence.first == kNobody;
  EXPECT_TRUE(isAgainstFolded);
}

TEST_F(AuditWord, AWaitThatIsNoLongerKeptStillMattersToWhoDoesNotKnowIt) {
  AgentId a = agent(), stranger = agent(), waiter = agent();
  for (int32_t i = 1; i <= int32_t(WordHistory::kMaxPassages) + 10; ++i) {
    addAfterWork(a, 1);
    (void)wait(waiter, GE, i);
  }
  tell(waiter, a);
  add(a, 1);
  EXPECT_TRUE(dependences.empty());
  add(stranger, 1);
  EXPECT_FALSE(dependences.empty());
}

/// A stream without credits: the sender is never told of the waits, and need not be.
TEST_F(AuditWord, AStreamOfOneSenderNeedsNoAnswer) {
  AgentId a = agent(), waiter = agent();
  for (int32_t i = 1; i != 200; ++i) {
    addAfterWork(a, 1);
    ASSERT_TRUE(dependences.empty()) << "turn " << i;
    (void)wait(waiter, GE, i);
  }
  add(a, -1);
  EXPECT_FALSE(dependences.empty());
}

TEST_F(AuditWord, NorDoesAGrowingSet) {
  AgentId a = agent(), waiter = agent();
  for (int32_t i = 1; i != 200; ++i) {
    setAfterWork(a, i);
    ASSERT_TRUE(dependences.empty()) << "turn " << i;
    (void)wait(waiter, GE, i);
  }
  set(a, 1);
  EXPECT_FALSE(dependences.empty());
}

TEST_F(AuditWord, OfTwoSendersEachMattersToTheWaitsForTheOther) {
  AgentId a = agent(), b = agent(), waiter = agent();
  for (int32_t i = 1; i != 200; ++i) {
    work(i % 2 == 0 ? a : b);
    add(i % 2 == 0 ? a : b, 1);
    (void)wait(waiter, GE, i);
  }
  add(a, 1);
  EXPECT_FALSE(dependences.empty());
}

} // namespace
} // namespace pto::audit_detail
