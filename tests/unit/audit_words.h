//===- audit_words.h - one signal word and who uses it, for tests -*- C++ -*-===//
#ifndef PTO_TESTS_UNIT_AUDIT_WORDS_H
#define PTO_TESTS_UNIT_AUDIT_WORDS_H

#include "audit/word.h"

#include <gtest/gtest.h>

namespace pto::audit_detail {

/// Agents that work, send updates to one word, and wait for it. Their sites are their ids.
struct AuditWord : ::testing::Test {
  Agents agents;
  WordHistory word;
  int32_t value = 0; ///< What the word holds.
  uint64_t operations = 0;
  std::vector<Dependence> dependences; ///< Of the last update that was sent.

  AgentId agent() { return agents.add(AgentKind::Scalar, 0, 0); }

  /// Touches data that others may want to know of.
  Epoch work(AgentId id) {
    Epoch now = agents.touch(id);
    agents.noteData(now);
    return now;
  }
  [[nodiscard]] bool knows(AgentId id, Epoch epoch) const {
    return agents.isBefore(epoch, agents[id].clock);
  }
  void tell(AgentId from, AgentId to) { agents.join(to, *agents.release(from)); }

  /// An update leaves; the answer names it to `land`.
  uint64_t send(AgentId from, NotifyOp op, int32_t by) {
    Update update;
    update.epoch = agents.touch(from);
    update.clock = update.full = agents.release(from);
    update.op = op;
    update.value = by;
    update.site = from;
    update.operation = ++operations;
    dependences.clear();
    word.send(agents, std::move(update), dependences);
    return operations;
  }
  void land(uint64_t operation) {
    for (const Update &update : word.updates()) {
      if (update.operation != operation)
        continue;
      int32_t before = value;
      value = update.op == NotifyOp::Set ? update.value : before + update.value;
      ASSERT_NE(word.land(agents, operation, before, value, int64_t(operation)), nullptr);
      return;
    }
    FAIL() << "no update " << operation;
  }
  /// The history of a word that holds something from the start.
  void beginAt(int32_t initial) {
    word = WordHistory(initial);
    value = initial;
  }
  /// Data, and then an update that tells of it; gives the time of the data.
  Epoch addAfterWork(AgentId from, int32_t by) {
    Epoch turn = work(from);
    add(from, by);
    return turn;
  }
  Epoch setAfterWork(AgentId from, int32_t to) {
    Epoch turn = work(from);
    set(from, to);
    return turn;
  }
  void set(AgentId from, int32_t to) { land(send(from, NotifyOp::Set, to)); }
  void add(AgentId from, int32_t by) { land(send(from, NotifyOp::AtomicAdd, by)); }

  /// A wait that passes.
  Passage wait(AgentId id, WaitCmp cmp, int32_t wanted) {
    EXPECT_TRUE(holds(cmp, value, wanted)) << "the word holds " << value;
    return look(id, cmp, wanted, false);
  }
  Passage look(AgentId id, WaitCmp cmp, int32_t wanted, bool isTest) {
    Epoch now = agents.touch(id);
    Clock full = agents[id].clock;
    Passage passage = word.pass(agents, now, {cmp, wanted}, full);
    passage.site = id;
    passage.isTest = isTest;
    agents.join(id, passage.acquired);
    word.keep(agents, passage);
    word.markSeen();
    return passage;
  }
};

} // namespace pto::audit_detail

#endif
