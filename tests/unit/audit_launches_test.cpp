// What the audit remembers of launches: no more of a thousand than of the last ones.

#include "audit/audit.h"

#include <gtest/gtest.h>

namespace pto {
namespace {

constexpr uint32_t kLaunches = 1000;

/// An audit of a program without windows on two ranks.
struct AuditLaunches : ::testing::Test {
  Module module;
  Layout layout = llvm::cantFail(layOut(module, 2, info(Platform::A3), 1u << 20));
  Gm gm = llvm::cantFail(Gm::map(layout, 2));
  Audit audit{AuditContext{module, layout, gm, 2, nullptr}};
  uint32_t launches = 0, cores = 0;

  /// A launch of one block, which posts to queues of its own and waits for it, or does not.
  void launch(int32_t rank, int32_t stream, unsigned posts = 0, bool waits = true) {
    uint32_t id = launches++, core = cores++;
    audit.launchBegins(id, rank, stream, 0);
    audit.launchStarts(id);
    audit.blockBegins(core, id, rank, 0);
    for (unsigned i = 0; i != posts; ++i) {
      follow(DeedKind::Post, core, i);
      if (waits)
        follow(DeedKind::Cover, core, i);
      follow(DeedKind::Complete, core, i);
    }
    audit.blockEnds(core);
    audit.launchEnds(id);
  }

private:
  void follow(DeedKind kind, uint32_t core, uint32_t domain) {
    Deed deed;
    deed.kind = kind;
    deed.core = core;
    deed.domain = domain;
    deed.queue = uint64_t(core) << 32 | domain;
    deed.sequence = 1;
    deed.writer.opcode = Opcode::TputAsync;
    audit.follow(deed);
  }
};

TEST_F(AuditLaunches, OfOneStreamGoOnWithTheSameAgents) {
  launch(0, 0, 2);
  size_t one = audit.agents();
  for (uint32_t i = 0; i != kLaunches; ++i)
    launch(0, 0, 2);
  EXPECT_EQ(audit.agents(), one);
}

TEST_F(AuditLaunches, OfTwoStreamsAndRanksAreApart) {
  launch(0, 0);
  size_t one = audit.agents();
  launch(0, 1);
  launch(1, 0);
  size_t three = audit.agents();
  EXPECT_EQ(three - 2, 3 * (one - 2)) << "besides the two hosts";
  for (int32_t i = 0; i != 10; ++i) {
    launch(0, i % 2);
    launch(1, 0);
  }
  EXPECT_EQ(audit.agents(), three);
}

/// What nobody awaited goes on beside the next launch, so it must not be taken for a part of it.
TEST_F(AuditLaunches, ATransferThatGoesOnKeepsItsAgent) {
  launch(0, 0, 1, false);
  size_t one = audit.agents();
  launch(0, 0, 1, false);
  EXPECT_EQ(audit.agents(), one + 1);
  audit.hostSyncs(0);
  audit.hostSyncs(1);
  audit.hostsMeet();
  launch(0, 0, 1, false);
  EXPECT_LE(audit.agents(), one + 1) << "where the hosts have met all is known";
}

} // namespace
} // namespace pto
