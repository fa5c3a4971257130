// What comes before what in a run: clocks, agents, and who last touched each byte.

#include "audit/shadow.h"

#include <gtest/gtest.h>

#include <random>

namespace pto::audit_detail {
namespace {

Clock clockOf(std::initializer_list<uint32_t> times) {
  Clock clock;
  AgentId agent = 0;
  for (uint32_t time : times)
    clock.set(agent++, time);
  return clock;
}

std::vector<uint32_t> timesOf(const Clock &clock) {
  std::vector<uint32_t> times;
  for (AgentId agent = 0; agent != clock.size(); ++agent)
    times.push_back(clock.of(agent));
  return times;
}

TEST(AuditClock, JoinKeepsTheLaterOfEachAndMeetTheEarlier) {
  Clock joined = clockOf({3, 1});
  joined.join(clockOf({2, 5, 7}));
  EXPECT_EQ(timesOf(joined), (std::vector<uint32_t>{3, 5, 7}));
  joined.meet(clockOf({9, 4}));
  EXPECT_EQ(timesOf(joined), (std::vector<uint32_t>{3, 4}));
  EXPECT_EQ(joined.of(2), 0u);
  EXPECT_EQ(joined.of(kNobody), 0u);
}

TEST(AuditClock, RaiseNeverGoesBack) {
  Clock clock = clockOf({3});
  clock.raise(0, 2);
  EXPECT_EQ(clock.of(0), 3u);
  clock.raise(4, 1);
  EXPECT_EQ(timesOf(clock), (std::vector<uint32_t>{3, 0, 0, 0, 1}));
}

TEST(AuditClock, CoversWhatHasNothingLater) {
  EXPECT_TRUE(clockOf({3, 1}).covers(clockOf({3})));
  EXPECT_TRUE(clockOf({3}).covers(clockOf({3, 0, 0})));
  EXPECT_FALSE(clockOf({3}).covers(clockOf({2, 1})));
  EXPECT_TRUE(Clock().covers(Clock()));
}

/// Three agents of one kind.
struct AuditAgents : ::testing::Test {
  Agents agents;
  AgentId a = agents.add(AgentKind::Scalar, 0, 0);
  AgentId b = agents.add(AgentKind::Scalar, 1, 0);
  AgentId c = agents.add(AgentKind::MTE3, 1, 0);

  Epoch work(AgentId id) {
    Epoch now = agents.touch(id);
    agents.noteData(now);
    return now;
  }
  bool knows(AgentId id, Epoch epoch) { return agents.isBefore(epoch, agents[id].clock); }
};

TEST_F(AuditAgents, NobodyKnowsOfAnotherAtFirst) {
  EXPECT_TRUE(knows(a, agents.touch(a)));
  EXPECT_FALSE(knows(a, agents.touch(b)));
}

TEST_F(AuditAgents, AccessesShareATimeUntilSomebodyHoldsIt) {
  Epoch first = agents.touch(a);
  EXPECT_EQ(agents.touch(a).time, first.time);
  ClockRef held = agents.release(a);
  EXPECT_EQ(agents.release(a), held) << "nothing has changed: one snapshot for all";
  Epoch later = agents.touch(a);
  EXPECT_GT(later.time, first.time);
  EXPECT_TRUE(agents.isBefore(first, *held));
  EXPECT_FALSE(agents.isBefore(later, *held)) << "it came after the release";
}

TEST_F(AuditAgents, TickTellsWhatFollowsApart) {
  Epoch first = agents.touch(a);
  agents.tick(a);
  EXPECT_GT(agents.touch(a).time, first.time);
}

TEST_F(AuditAgents, KnowledgeIsPassedOn) {
  Epoch first = work(a);
  agents.join(b, *agents.release(a));
  agents.join(c, *agents.release(b));
  EXPECT_TRUE(knows(c, first));
  Epoch second = work(a);
  EXPECT_FALSE(knows(b, second));
  agents.raise(b, a, second.time);
  EXPECT_TRUE(knows(b, second));
  EXPECT_FALSE(knows(c, second));
}

TEST_F(AuditAgents, AJoinOfNothingNewKeepsTheSnapshot) {
  agents.join(b, *agents.release(a));
  ClockRef held = agents.release(b);
  agents.join(b, *agents.release(a));
  EXPECT_EQ(agents.release(b), held);
  work(a);
  agents.join(b, *agents.release(a));
  EXPECT_NE(agents.release(b), held);
}

TEST_F(AuditAgents, TimesWithoutDataAreNotMissed) {
  work(a);
  ClockRef early = agents.release(a);
  (void)agents.touch(a); // A signal.
  ClockRef signalled = agents.release(a);
  EXPECT_TRUE(agents.coversData(*early, *signalled));
  EXPECT_FALSE(early->covers(*signalled));
  work(a);
  ClockRef late = agents.release(a);
  EXPECT_FALSE(agents.coversData(*early, *late));
  EXPECT_FALSE(agents.coversData(*signalled, *late));
  EXPECT_FALSE(agents.coversData(Clock(), *early));
  EXPECT_TRUE(agents.coversData(*late, *early));
}

TEST_F(AuditAgents, SignalsBeforeTheFirstDataAreNotMissedEither) {
  (void)agents.touch(a);
  ClockRef first = agents.release(a);
  (void)agents.touch(a);
  ClockRef second = agents.release(a);
  work(a);
  ClockRef late = agents.release(a);
  EXPECT_TRUE(agents.coversData(Clock(), *second));
  EXPECT_TRUE(agents.coversData(*first, *second));
  EXPECT_FALSE(agents.coversData(*first, *late));
}

TEST_F(AuditAgents, TimesThatAreNoLongerKeptCountAsData) {
  std::vector<ClockRef> held;
  for (int i = 0; i != 3000; ++i) {
    work(a);
    held.push_back(agents.release(a));
  }
  EXPECT_LE(agents[a].dataTimes.size(), 1024u);
  EXPECT_FALSE(agents.coversData(Clock(), *held[10])) << "all of it is forgotten";
  EXPECT_FALSE(agents.coversData(*held[10], *held[11]));
  EXPECT_FALSE(agents.coversData(*held[10], *held.back()));
  EXPECT_FALSE(agents.coversData(*held[2990], *held[2991]));
  (void)agents.touch(a);
  EXPECT_TRUE(agents.coversData(*held.back(), *agents.release(a)));
}

TEST_F(AuditAgents, WhereNothingIsUnderWayEverybodyKnowsAll) {
  Epoch before = work(a);
  agents.settle({});
  EXPECT_TRUE(knows(b, before));
  EXPECT_TRUE(agents.isBefore(before, Clock()));
  Epoch after = work(a);
  EXPECT_FALSE(knows(b, after));
  EXPECT_EQ(agents[b].clock.of(a), 0u) << "a settled clock holds its own time only";
}

TEST_F(AuditAgents, AnIdIsGivenAwayAgainAndItsOldTimesStayPast) {
  Epoch old = work(c);
  agents.settle({c});
  AgentId again = agents.add(AgentKind::V, 3, 1);
  EXPECT_EQ(again, c);
  EXPECT_EQ(agents[again].kind, AgentKind::V);
  EXPECT_EQ(agents[again].rank, 3);
  Epoch young = work(again);
  EXPECT_TRUE(knows(a, old));
  EXPECT_FALSE(knows(a, young));
  EXPECT_EQ(agents.add(AgentKind::V, 3, 1), 3u) << "no further id is free";
}

//===--- Bytes -----------------------------------------------------------------===//

using Cuts = std::vector<std::pair<int64_t, int64_t>>;

Access accessOf(AgentId agent, AccessKind kind, uint32_t time = 1) {
  Access access;
  access.agent = agent;
  access.kind = kind;
  access.time = time;
  return access;
}

/// Writes, and says which cells it met.
Cuts write(Shadow &shadow, ByteRange range, AgentId agent, uint32_t time = 1) {
  Cuts cuts;
  shadow.visit(range, [&](ByteRange bytes, Cell &cell) {
    cuts.emplace_back(bytes.begin, bytes.end);
    cell.write = accessOf(agent, AccessKind::Write, time);
    cell.others.clear();
    cell.isWritten = true;
  });
  return cuts;
}

AgentId writerOf(Shadow &shadow, int64_t at) {
  AgentId agent = kNobody;
  shadow.visit({at, at + 1}, [&](ByteRange, Cell &cell) { agent = cell.write.agent; });
  return agent;
}

TEST(AuditShadow, CutsCellsAtTheEndsOfARange) {
  Shadow shadow(100);
  EXPECT_EQ(shadow.cells(), 1u);
  EXPECT_EQ(write(shadow, {10, 20}, 1), (Cuts{{10, 20}}));
  EXPECT_EQ(shadow.cells(), 3u);
  EXPECT_EQ(write(shadow, {15, 30}, 2), (Cuts{{15, 20}, {20, 30}}));
  EXPECT_EQ(shadow.cells(), 4u) << "[0, 10) [10, 15) [15, 30) [30, 100)";
  EXPECT_EQ(writerOf(shadow, 9), kNobody);
  EXPECT_EQ(writerOf(shadow, 14), 1u);
  EXPECT_EQ(writerOf(shadow, 29), 2u);
  EXPECT_EQ(writerOf(shadow, 30), kNobody);
  EXPECT_EQ(shadow.cells(), 4u) << "looking leaves no cuts behind";
}

TEST(AuditShadow, JoinsWhatBecameEqual) {
  Shadow shadow(100);
  write(shadow, {40, 60}, 1);
  write(shadow, {0, 40}, 1);
  EXPECT_EQ(shadow.cells(), 2u);
  write(shadow, {60, 100}, 1);
  EXPECT_EQ(shadow.cells(), 1u);
  write(shadow, {60, 100}, 1, 2);
  EXPECT_EQ(shadow.cells(), 2u) << "another time is another history";
}

TEST(AuditShadow, OtherAccessesAndWhetherItWasWrittenSeparateCells) {
  Shadow shadow(100);
  shadow.initialise({0, 50});
  EXPECT_EQ(shadow.cells(), 2u);
  shadow.visit({0, 10},
               [](ByteRange, Cell &cell) { cell.others.push_back(accessOf(1, AccessKind::Read)); });
  EXPECT_EQ(shadow.cells(), 3u);
  shadow.visit({10, 50},
               [](ByteRange, Cell &cell) { cell.others.push_back(accessOf(1, AccessKind::Read)); });
  EXPECT_EQ(shadow.cells(), 2u);
}

TEST(AuditShadow, RangesAreHeldInsideOfTheMemory) {
  Shadow shadow(100);
  EXPECT_EQ(write(shadow, {-5, 10}, 1), (Cuts{{0, 10}}));
  EXPECT_EQ(write(shadow, {90, 120}, 1), (Cuts{{90, 100}}));
  EXPECT_EQ(write(shadow, {100, 120}, 1), Cuts());
  EXPECT_EQ(write(shadow, {20, 20}, 1), Cuts());
  Shadow none(0);
  EXPECT_EQ(write(none, {0, 1}, 1), Cuts());
}

TEST(AuditShadow, SequentialAccessNeedsFewCells) {
  Shadow shadow(1 << 20);
  size_t most = 0;
  for (int64_t at = 0; at != 1 << 20; at += 64) {
    write(shadow, {at, at + 64}, 1);
    most = std::max(most, shadow.cells());
  }
  EXPECT_LE(most, 2u);
  for (int64_t at = (1 << 20) - 64; at >= 0; at -= 64) {
    write(shadow, {at, at + 64}, 2);
    most = std::max(most, shadow.cells());
  }
  EXPECT_LE(most, 2u);
}

/// Against an array of one entry a byte.
TEST(AuditShadow, AgreesWithAMapOfBytes) {
  constexpr int64_t kBytes = 64;
  std::mt19937 random(7);
  Shadow shadow(kBytes);
  std::vector<AgentId> bytes(kBytes, kNobody);
  for (int step = 0; step != 2000; ++step) {
    auto begin = int64_t(random() % kBytes), end = int64_t(random() % (kBytes + 1));
    AgentId agent = random() % 3;
    write(shadow, {begin, end}, agent);
    for (int64_t at = begin; at < end; ++at)
      bytes[size_t(at)] = agent;
    std::vector<AgentId> seen;
    size_t changes = 1;
    shadow.visit({0, kBytes}, [&](ByteRange range, Cell &cell) {
      seen.insert(seen.end(), size_t(range.end - range.begin), cell.write.agent);
    });
    ASSERT_EQ(seen, bytes) << "step " << step;
    for (size_t at = 1; at != bytes.size(); ++at)
      changes += bytes[at] != bytes[at - 1];
    ASSERT_EQ(shadow.cells(), changes) << "step " << step;
  }
}

TEST(AuditShadow, WhichAccessesNeedAnOrder) {
  using enum AccessKind;
  constexpr AccessKind kAll[] = {Read, Write, Add, Update, Look};
  constexpr llvm::StringLiteral kConflicts[] = {
      ".xxx.", // A read beside a notify is a race: `load` is no wait.
      "xxxxx", "xx.xx", "xxx..", ".xx..",
  };
  for (size_t a = 0; a != 5; ++a)
    for (size_t b = 0; b != 5; ++b)
      EXPECT_EQ(conflict(kAll[a], kAll[b]), kConflicts[a][b] == 'x') << a << " " << b;
}

} // namespace
} // namespace pto::audit_detail
