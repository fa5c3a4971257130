// The world: time, launches, signals, hosts, findings.

#include "unit/module_run.h"

#include "llvm/Support/FileSystem.h"

namespace pto::testing {
namespace {

constexpr int64_t kElements = 1024;

/// Every rank puts its data to the next one with a notify, waits for its own, and checks the inbox.
struct PutProgram : Builder {
  uint32_t data = window("data", I32, {{0, kElements}});
  uint32_t inbox = window("inbox", I32, {{0, kElements}});
  uint32_t ready = signal("ready");

  PutProgram() {
    Code k = kernel("put");
    uint32_t next = k.neighbour();
    uint32_t s = k.session(DmaEngine::SDMA);
    k.op(Opcode::SessionRequire, {s});
    uint32_t e = k.putNotify(k.peer(k.object(inbox), next), k.object(data),
                             k.peer(k.object(ready), next), 1, NotifyOp::Set, s);
    k.op(Opcode::WaitRequire, {k.wait(e), e});
    k.twait(k.object(ready), 1, WaitCmp::EQ);
    uint32_t in = k.object(inbox);
    k.op(Opcode::Dcci, {in});
    k.print("first", k.load(k.element(in, k.number(0))));
    k.print("last", k.load(k.element(in, k.number(kElements - 1))));
    k.ret();
    Code h = host();
    uint32_t d = h.object(data), r = h.rank();
    h.loop(h.number(kElements), [&](uint32_t i) {
      uint32_t value = h.binary(Opcode::Add, h.binary(Opcode::Mul, r, h.number(10000)), i);
      h.op(Opcode::HostStore, {h.element(d, i), value});
    });
    h.op(Opcode::Step);
    h.launch(k);
    h.op(Opcode::Step);
    expectInbox(h);
    h.ret();
  }

  void expectInbox(Code &h, int add = 0) {
    uint32_t in = h.object(inbox), from = h.neighbour(3);
    h.op(Opcode::Sync);
    h.op(Opcode::Step);
    h.op(Opcode::ExpectBegin, {text("inbox[i] == (rank + 3) % 4 * 10000 + i"), 0});
    h.loop(h.number(kElements), [&](uint32_t i) {
      uint32_t wanted = h.binary(Opcode::Add, h.binary(Opcode::Mul, from, h.number(10000)), i);
      if (add)
        wanted = h.binary(Opcode::Add, wanted, h.binary(Opcode::Div, i, h.number(add)));
      uint32_t got = h.reg(I32);
      h.op(Opcode::HostLoad, {got, h.element(in, i)});
      h.op(Opcode::ExpectElement, {got, wanted, uint32_t(ExpectOp::Equal), kNoOperand, i,
                                   kNoOperand, kNoOperand, kNoOperand, kNoOperand});
    });
    h.op(Opcode::ExpectEnd);
  }
};

RunOptions ranks(int32_t count, uint64_t seed = 0) {
  RunOptions options;
  options.audits = false; // It has tests of its own.
  options.ranks = count;
  options.seed = seed;
  return options;
}

TEST(World, PayloadArrivesBeforeItsSignal) {
  PutProgram program;
  for (uint64_t seed = 0; seed != 20; ++seed) {
    Ran ran = runModule(program, ranks(4, seed));
    EXPECT_EQ(ran.text(), "") << "seed " << seed;
    EXPECT_NE(ran.printed.find("[rank 1 block 0] first 0\n"), std::string::npos);
    EXPECT_NE(ran.printed.find("[rank 0 block 0] last 31023\n"), std::string::npos) << ran.printed;
  }
}

TEST(World, SameSeedSameBytesOtherSeedOtherBytes) {
  PutProgram program;
  RunOptions options = ranks(4, 7);
  options.keepTrace = true;
  Ran first = runModule(program, options), again = runModule(program, options);
  options.seed = 8;
  Ran other = runModule(program, options);
  EXPECT_GT(first.trace.size(), 1000u);
  EXPECT_EQ(first.trace, again.trace);
  EXPECT_EQ(first.printed, again.printed);
  EXPECT_NE(first.trace, other.trace);
}

TEST(World, ReadersThatDoNotWaitSeeOldBytes) {
  // The kernel posts, prints at once what the destination holds, waits, and prints again.
  Builder b;
  uint32_t data = b.window("data", I32, {{0, kElements}}),
           inbox = b.window("inbox", I32, {{0, kElements}});
  b.module.objects[data].hasInit = true;
  b.module.objects[data].init = 5;
  Code k = b.kernel("put");
  uint32_t s = k.session(DmaEngine::SDMA);
  uint32_t in = k.object(inbox), last = k.element(in, k.number(kElements - 1));
  uint32_t e = k.put(k.peer(in, k.rank()), k.object(data), s);
  k.print("early", k.load(last));
  k.wait(e);
  k.print("stale", k.load(last)); // The line is still in the cache.
  k.op(Opcode::Dcci, {last});
  k.print("late", k.load(last));
  k.ret();
  Code h = b.host();
  h.launch(k);
  h.ret();
  Ran ran = runModule(b, ranks(1));
  EXPECT_EQ(ran.text(), "");
  EXPECT_EQ(ran.printed,
            "[rank 0 block 0] early 0\n[rank 0 block 0] stale 0\n[rank 0 block 0] late 5\n");
}

TEST(World, MissesOfAllRanksAreOneFinding) {
  PutProgram program;
  program.module.functions.pop_back();
  program.module.entries.clear();
  Code h = program.host();
  h.launch({program, 0});
  h.op(Opcode::Step);
  program.expectInbox(h, 1000); // data was never filled, so nearly all differ
  h.ret();
  Ran ran = runModule(program, ranks(4));
  ASSERT_EQ(ran.slugs(), "expectation-failed");
  EXPECT_EQ(
      ran.findings[0].message,
      "`inbox[i] == (rank + 3) % 4 * 10000 + i` failed: 4095 of 4096 elements on ranks 0, 1, 2, 3");
  ASSERT_EQ(ran.findings[0].details.size(), 10u);
  EXPECT_EQ(ran.findings[0].details[0], "rank  index  got  wanted");
  EXPECT_EQ(ran.findings[0].details[1], "   0      0    0   30000");
  EXPECT_EQ(ran.findings[0].details[9], "… and 4087 more");
}

/// Ranks that wait for each other before they notify.
struct DeadlockProgram : Builder {
  DeadlockProgram() {
    uint32_t ready = signal("ready");
    Code k = kernel("exchange");
    uint32_t mine = k.object(ready), other = k.peer(mine, k.neighbour());
    k.twait(mine, 1, WaitCmp::EQ);
    k.notify(other, 1, NotifyOp::Set);
    k.ret();
    Code h = host();
    h.launch(k);
    h.op(Opcode::Sync);
    h.ret();
  }
};

TEST(World, DeadlockReportSaysWhoAndWhy) {
  DeadlockProgram program;
  Ran ran = runModule(program, ranks(2));
  EXPECT_EQ(
      ran.text(),
      "deadlock: nobody can move any more: rank 0 block 0 and rank 1 block 0 wait for each other\n"
      "  at line 9 rank 0 block 0 waits here: `ready` on rank 0 holds 0, wanted EQ 1\n"
      "  at line 9 rank 1 block 0 waits here: `ready` on rank 1 holds 0, wanted EQ 1\n"
      "  | rank 0 block 0 waits at test.pto:9:3 in twait: `ready` on rank 0 holds 0, wanted EQ 1\n"
      "  |   nobody ever wrote it\n"
      "  |   who could still write it:\n"
      "  |     rank 1 block 0: tnotify at test.pto:11:3 — executed 0 times; blocked at "
      "test.pto:9:3 in twait\n"
      "  | rank 1 block 0 waits at test.pto:9:3 in twait: `ready` on rank 1 holds 0, wanted EQ 1\n"
      "  |   nobody ever wrote it\n"
      "  |   who could still write it:\n"
      "  |     rank 0 block 0: tnotify at test.pto:11:3 — executed 0 times; blocked at "
      "test.pto:9:3 in twait\n"
      "  | the hosts of ranks 0, 1 wait for these kernels\n");
}

TEST(World, OvershotCounterIsNamed) {
  Builder b;
  uint32_t count = b.signal("count");
  Code k = b.kernel("add");
  k.notify(k.peer(k.object(count), k.number(0)), 1, NotifyOp::AtomicAdd);
  k.ret();
  Code w = b.kernel("wait");
  w.twait(w.object(count), 2, WaitCmp::EQ);
  w.ret();
  Code h = b.host();
  h.launch(k);
  h.op(Opcode::HostBarrier);
  h.launch(w);
  h.ret();
  Ran ran = runModule(b, ranks(3));
  EXPECT_NE(ran.text().find("`count` on rank 0 holds 3, wanted EQ 2\n"), std::string::npos)
      << ran.text();
  EXPECT_NE(ran.text().find("overshot: it is only added to, so EQ 2 can no longer hold"),
            std::string::npos)
      << ran.text();
  EXPECT_NE(ran.text().find("executed 1 time, last added 1 here; the kernel has finished"),
            std::string::npos)
      << ran.text();
}

TEST(World, PollersThatNobodyWillWakeAreADeadlock) {
  Builder b;
  uint32_t flag = b.signal("flag");
  Code k = b.kernel("poll");
  uint32_t word = k.object(flag), one = k.number(1), seen = k.reg(Bool);
  uint32_t top = k.op(Opcode::Ttest, {seen, word, one, uint32_t(WaitCmp::EQ)});
  k.op(Opcode::JumpUnless, {seen, top});
  k.ret();
  Code h = b.host();
  h.launch(k);
  h.ret();
  Ran ran = runModule(b, ranks(2));
  EXPECT_EQ(ran.slugs(), "deadlock");
  EXPECT_NE(
      ran.text().find(
          "rank 1 block 0 polls at test.pto:3:3 in ttest: `flag` on rank 1 holds 0, wanted EQ 1"),
      std::string::npos)
      << ran.text();
}

TEST(World, BoundedPollingIsNoDeadlock) {
  Builder b;
  uint32_t flag = b.signal("flag");
  Code k = b.kernel("poll");
  uint32_t word = k.object(flag), one = k.number(1), seen = k.reg(Bool);
  k.loop(k.number(5000),
         [&](uint32_t) { k.op(Opcode::Ttest, {seen, word, one, uint32_t(WaitCmp::EQ)}); });
  k.ret();
  Code h = b.host();
  h.launch(k);
  h.ret();
  EXPECT_EQ(runModule(b, ranks(2)).text(), "");
}

TEST(World, StreamsRunSideBySideAndInOrder) {
  // On one stream the waiter holds up the notifier behind it; on two streams they meet.
  for (uint32_t stream : {0u, 1u}) {
    Builder b;
    uint32_t flag = b.signal("flag");
    Code w = b.kernel("wait");
    w.twait(w.object(flag), 1, WaitCmp::EQ);
    w.ret();
    Code n = b.kernel("notify");
    n.notify(n.object(flag), 1, NotifyOp::Set);
    n.ret();
    Code h = b.host();
    h.launch(w);
    h.launch(n, kNoOperand, h.number(stream));
    h.ret();
    Ran ran = runModule(b, ranks(1));
    EXPECT_EQ(ran.slugs(), stream ? "" : "deadlock") << ran.text();
    if (!stream) {
      EXPECT_NE(ran.text().find("rank 0 block 0: tnotify at test.pto:7:3 — executed 0 times; its "
                                "launch waits behind another on stream 0"),
                std::string::npos)
          << ran.text();
    }
  }
}

TEST(World, BlocksBeyondTheCoresWaitForOne) {
  // Each block adds one. The waiting kernel of 49 blocks needs all of them to have begun: a3 has 48
  // cores.
  for (bool waits : {false, true}) {
    Builder b;
    uint32_t count = b.signal("count");
    Code k = b.kernel("wave");
    uint32_t word = k.object(count);
    k.notify(word, 1, NotifyOp::AtomicAdd);
    if (waits)
      k.twait(word, 49, WaitCmp::GE);
    k.ret();
    Code h = b.host();
    h.launch(k, h.number(49));
    h.op(Opcode::Sync);
    uint32_t total = h.reg(I32);
    h.op(Opcode::HostLoad, {total, h.object(count)});
    h.print("total", total);
    h.ret();
    Ran ran = runModule(b, ranks(1));
    EXPECT_EQ(ran.slugs(), waits ? "deadlock" : "");
    EXPECT_EQ(ran.printed, waits ? "" : "[rank 0] total 49\n");
    if (waits) {
      EXPECT_NE(ran.text().find("rank 0: 1 of 49 blocks of `wave` never got a core; a3 has 48, and "
                                "a block that waits keeps its core"),
                std::string::npos)
          << ran.text();
    }
  }
}

TEST(World, BarrierNamesWhoIsMissing) {
  Builder b;
  Code h = b.host();
  uint32_t isLast = h.reg(Bool);
  h.op(Opcode::Equal, {isLast, h.rank(), h.number(2)});
  uint32_t skip = h.op(Opcode::JumpIf, {isLast, 0});
  h.op(Opcode::HostBarrier);
  h.patch(skip, 1, h.here());
  h.ret();
  EXPECT_EQ(runModule(b, ranks(3)).text(),
            "barrier-mismatch: ranks 0, 1 wait in a barrier that rank 2 has finished without\n"
            "  at line 5 rank 0 block -1\n");
}

TEST(World, EndlessLoopMeetsTheStepLimit) {
  Builder b;
  Code k = b.kernel("spin");
  k.op(Opcode::Jump, {0});
  k.ret();
  Code h = b.host();
  h.launch(k);
  h.ret();
  RunOptions options = ranks(2);
  options.maxSteps = 1'000'000;
  Ran ran = runModule(b, options);
  EXPECT_EQ(ran.text(), "step-limit: 1000000 instructions without an end\n  at line 1 rank " +
                            std::to_string(ran.findings[0].sites[0].rank) + " block 0\n");
}

TEST(World, StoresThatStayInTheCacheAreReported) {
  Builder b;
  uint32_t data = b.window("data", I32, {{0, 8}});
  Code k = b.kernel("store");
  uint32_t v = k.number(7);
  k.op(Opcode::Store, {k.element(k.object(data), k.number(3)), v});
  k.ret();
  Code h = b.host();
  h.launch(k);
  h.ret();
  Ran ran = runModule(b, ranks(2));
  ASSERT_EQ(ran.slugs(), "store-not-flushed");
  EXPECT_EQ(ran.findings[0].message,
            "the kernel ended with a stored value that never left the data cache: `data[3]`");
  EXPECT_EQ(ran.findings[0].sites.size(), 2u); // One finding for both ranks.
  b.module.entries[0].expectedViolations = {Rule::StoreNotFlushed, Rule::Deadlock};
  EXPECT_EQ(runModule(b, ranks(2)).slugs(), "violation-expected");
}

TEST(World, FilesFillAndTakeObjects) {
  llvm::SmallString<64> dir;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("pto", dir));
  Builder b;
  uint32_t data = b.window("data", I32, {{0, 3}, {1, 0}});
  Code h = b.host();
  uint32_t d = h.object(data), row = h.element(d, h.number(1)), v = h.rank();
  h.op(Opcode::HostStore, {h.element(row, v), h.number(42)});
  h.op(Opcode::FileSave, {data, b.text("out{rank}.npy")});
  h.op(Opcode::HostStore, {h.element(row, v), h.number(0)});
  h.op(Opcode::FileFill, {data, b.text("out{rank}.npy")});
  uint32_t got = h.reg(I32);
  h.op(Opcode::HostLoad, {got, h.element(row, v)});
  h.print("got", got);
  h.ret();
  RunOptions options = ranks(2);
  options.directory = dir.str().str();
  options.outputs = {{"data", "last{rank}.npy"}};
  Ran ran = runModule(b, options);
  EXPECT_EQ(ran.text(), "");
  EXPECT_NE(ran.printed.find("[rank 1] got 42\n"), std::string::npos);
  options.ranks = 3; // Now the shape is [3, 3].
  options.inputs = {{"data", "last0.npy"}};
  EXPECT_NE(runModule(b, options).error.find("its shape is (3, 2), and the object's is (3, 3)"),
            std::string::npos);
  llvm::sys::fs::remove_directories(dir);
}

TEST(World, TooMuchMemoryIsRefusedInOneSentence) {
  Builder b;
  b.window("huge", F32, {{int64_t(1) << 30, 0}});
  b.host().ret();
  EXPECT_EQ(runModule(b, ranks(4)).error, "the windows need 17179869440 bytes on each of 4 ranks; "
                                          "the limit for all ranks together is 8589934592 "
                                          "bytes (`huge`, the largest object, has 17179869184)");
}

TEST(World, ManyRanksStartQuickly) {
  PutProgram program;
  program.module.functions[1].code = {{Opcode::Return}};
  program.module.functions[1].places = {{}};
  RunOptions options = ranks(16384);
  EXPECT_EQ(runModule(program, options).text(), "");
}
} // namespace
} // namespace pto::testing
