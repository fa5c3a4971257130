// The engines: what completes when, what is refused, what a wait covers.

#include "unit/module_run.h"

namespace pto::testing {
namespace {

constexpr uint32_t kWords = 4096;

/// A program with two windows and one kernel that a test writes.
struct EngineProgram : Builder {
  uint32_t src = window("src", I32, {{0, kWords}});
  uint32_t dst = window("dst", I32, {{0, kWords}});
  uint32_t ready = signal("ready");
  Code k = kernel("k");

  EngineProgram() {
    module.objects[src].hasInit = true;
    module.objects[src].init = 3;
  }
  Ran runOn(const char *target, int32_t ranks = 2, uint64_t seed = 0) {
    if (module.entries.empty()) {
      k.ret();
      Code h = host();
      h.launch(k);
      h.ret();
    }
    RunOptions options;
    options.audits = false; // It has tests of its own, and these are about what moves when.
    options.ranks = ranks;
    options.target = targetNamed(target);
    options.seed = seed;
    options.keepTrace = true;
    return runModule(*this, options);
  }
  uint32_t next(uint32_t object) { return k.peer(k.object(object), k.neighbour()); }
  uint32_t slice(uint32_t of, uint32_t low, uint32_t high) {
    uint32_t v = k.view();
    k.op(Opcode::Slice, {v, of, 0, k.number(low), k.number(high), kNoOperand});
    return v;
  }
};

constexpr const char *kAll = "ascend950,nic=hns1825";

int64_t timeOf(const Ran &ran, EventKind kind, unsigned which, int32_t rank = 0) {
  for (const Event &event : ran.events)
    if (event.kind == kind && event.rank == rank && which-- == 0)
      return event.timePs;
  return -1;
}

TEST(Engine, PayloadThenSignalThenEvent) {
  struct Row {
    DmaEngine engine;
    const char *target;
  };
  for (Row row : {Row{DmaEngine::SDMA, "a3"}, Row{DmaEngine::URMA, kAll},
                  Row{DmaEngine::RDMA, kAll}, Row{DmaEngine::SDMA, "a5"}}) {
    EngineProgram p;
    uint32_t s = p.k.session(row.engine);
    p.k.op(Opcode::SessionRequire, {s});
    uint32_t e =
        p.k.putNotify(p.next(p.dst), p.k.object(p.src), p.next(p.ready), 1, NotifyOp::Set, s);
    p.k.op(Opcode::WaitRequire, {p.k.wait(e), e});
    for (uint64_t seed = 0; seed != 20; ++seed) {
      Ran ran = p.runOn(row.target, 2, seed);
      ASSERT_EQ(ran.text(), "") << row.target;
      int64_t last = 0;
      unsigned moves = 0;
      for (const Event &event : ran.events)
        if (event.kind == EventKind::Moved && event.rank == 0) {
          last = std::max(last, event.timePs);
          ++moves;
        }
      EXPECT_EQ(moves, 1u); // Held together until the signal.
      EXPECT_LT(last, timeOf(ran, EventKind::Signal, 0));
      EXPECT_LT(timeOf(ran, EventKind::Signal, 0), timeOf(ran, EventKind::Complete, 0));
    }
  }
}

TEST(Engine, SessionsThatCannotBeBuiltSayWhy) {
  struct Row {
    DmaEngine engine;
    const char *target;
    uint32_t queues, group;
    const char *why;
  };
  for (Row row : {Row{DmaEngine::URMA, "a3", 1, 0,
                      "the URMA session cannot be built: URMA is not on a3: it has SDMA"},
                  Row{DmaEngine::SDMA, "a3", 49, 0,
                      "the SDMA session cannot be built: queues is 49; a rank has 1 to 48"},
                  Row{DmaEngine::SDMA, "a3", 4, 12,
                      "the SDMA session cannot be built: channel group 12 does not exist: with "
                      "`queues = 4` there are 0 to 11"}}) {
    EngineProgram p;
    uint32_t s = p.k.session(row.engine, kNoOperand, p.k.number(row.queues), p.k.number(row.group));
    p.k.op(Opcode::SessionRequire, {s});
    Ran ran = p.runOn(row.target, 1);
    ASSERT_EQ(ran.slugs(), "session-failed");
    EXPECT_EQ(ran.findings[0].message, row.why);
  }
}

TEST(Engine, ChannelGroupsHaveOneOwner) {
  EngineProgram p;
  uint32_t group = p.k.number(3);
  p.k.session(DmaEngine::SDMA, kNoOperand, kNoOperand, group);
  p.k.twait(p.k.object(p.ready), 0, WaitCmp::EQ);
  p.k.loop(p.k.number(100000), [](uint32_t) {});
  p.k.ret();
  Code h = p.host();
  h.launch(p.k, h.number(2));
  h.ret();
  EXPECT_EQ(p.runOn("a3", 1).slugs(), "channel-group-shared");
}

TEST(Engine, The65thPostWaitsForTheFirst) {
  EngineProgram p;
  uint32_t s = p.k.session(DmaEngine::SDMA);
  uint32_t to = p.next(p.dst), from = p.k.object(p.src);
  uint32_t last = 0;
  p.k.loop(p.k.number(65), [&](uint32_t) { last = p.k.put(to, from, s); });
  p.k.wait(last);
  Ran ran = p.runOn("a3", 2);
  EXPECT_EQ(ran.text(), "");
  unsigned issuedBefore = 0;
  int64_t first = timeOf(ran, EventKind::Complete, 0);
  for (const Event &event : ran.events)
    issuedBefore += event.kind == EventKind::Issue && event.rank == 0 && event.startPs <= first;
  EXPECT_LE(issuedBefore, 64u);
  EXPECT_GE(timeOf(ran, EventKind::Issue, 64), first);
}

TEST(Engine, AWaitCoversEarlierPostsOfItsDomainOnly) {
  // SDMA: the session. URMA: the peer; the post to rank 2 is left alone and leaks.
  for (bool isUrma : {false, true}) {
    EngineProgram p;
    uint32_t s = p.k.session(isUrma ? DmaEngine::URMA : DmaEngine::SDMA);
    uint32_t from = p.k.object(p.src), whole = p.k.object(p.dst);
    uint32_t skip = p.k.reg(Bool);
    p.k.op(Opcode::NotEqual, {skip, p.k.rank(), p.k.number(0)});
    uint32_t jump = p.k.op(Opcode::JumpIf, {skip, 0});
    uint32_t one = p.k.peer(whole, p.k.number(1)), two = p.k.peer(whole, p.k.number(2));
    p.k.put(one, from, s);
    p.k.put(two, from, s);
    p.k.wait(p.k.put(p.slice(one, 0, 1), p.slice(from, 0, 1), s));
    p.k.patch(jump, 1, p.k.here());
    bool leaked = false;
    for (uint64_t seed = 0; seed != 10 && !leaked; ++seed) {
      Ran ran = p.runOn(isUrma ? "ascend950" : "a3", 3, seed);
      leaked = ran.slugs() == "transfer-leaked";
      if (leaked) {
        EXPECT_EQ(ran.findings[0].message, "the kernel ended, and nobody had waited for the "
                                           "`tput_async` of 16384 bytes to rank 2 (URMA)");
      } else {
        EXPECT_EQ(ran.text(), "");
      }
    }
    EXPECT_EQ(leaked, isUrma);
  }
}

TEST(Engine, PeersOfUrmaAreIndependent) {
  // A large post to rank 1 does not hold up a small one to rank 2.
  EngineProgram p;
  uint32_t s = p.k.session(DmaEngine::URMA);
  uint32_t from = p.k.object(p.src), whole = p.k.object(p.dst), skip = p.k.reg(Bool);
  p.k.op(Opcode::NotEqual, {skip, p.k.rank(), p.k.number(0)});
  uint32_t jump = p.k.op(Opcode::JumpIf, {skip, 0});
  uint32_t one = p.k.peer(whole, p.k.number(1)), two = p.k.peer(whole, p.k.number(2));
  uint32_t event = 0;
  p.k.loop(p.k.number(20), [&](uint32_t) { event = p.k.put(one, from, s); });
  uint32_t small = p.k.put(p.slice(two, 0, 1), p.slice(from, 0, 1), s);
  p.k.wait(small);
  p.k.wait(event);
  p.k.patch(jump, 1, p.k.here());
  Ran ran = p.runOn("ascend950", 3);
  EXPECT_EQ(ran.text(), "");
  int64_t lastOfOne = 0, ofTwo = 0;
  for (const Event &each : ran.events)
    if (each.kind == EventKind::Complete)
      (each.index == 1 ? lastOfOne : ofTwo) = each.timePs;
  EXPECT_GT(ofTwo, 0);
  EXPECT_LT(ofTwo, lastOfOne);
}

TEST(Engine, UrmaTrapsOnAnOlderWaitRdmaDoesNot) {
  for (DmaEngine engine : {DmaEngine::URMA, DmaEngine::RDMA}) {
    EngineProgram p;
    uint32_t s = p.k.session(engine);
    uint32_t older = p.k.put(p.next(p.dst), p.k.object(p.src), s);
    uint32_t newer = p.k.put(p.next(p.dst), p.k.object(p.src), s);
    p.k.wait(newer);
    p.k.wait(newer); // The same entry again is no harm.
    p.k.wait(older);
    EXPECT_EQ(p.runOn(kAll).slugs(), engine == DmaEngine::URMA ? "urma-wait-order" : "");
  }
}

/// The rule that a kernel with one session breaks.
template <typename Write>
std::string slugOf(Write write, const char *target = kAll, DmaEngine engine = DmaEngine::SDMA) {
  EngineProgram p;
  uint32_t s = p.k.session(engine);
  write(p, s);
  return p.runOn(target).slugs();
}

TEST(Engine, PostsAreValidatedWhateverTheCheckerSaid) {
  EXPECT_EQ(slugOf([](EngineProgram &p, uint32_t s) {
              uint32_t v = p.k.view();
              p.k.op(Opcode::Slice,
                     {v, p.k.object(p.src), 0, p.k.number(0), p.k.number(8), p.k.number(2)});
              p.k.put(p.next(p.dst), v, s);
            }),
            "async-not-1d");
  EXPECT_EQ(slugOf([](EngineProgram &p, uint32_t s) {
              p.k.put(p.slice(p.next(p.dst), 0, 4), p.k.object(p.src), s);
            }),
            "dst-too-small");
  EXPECT_EQ(slugOf([](EngineProgram &p, uint32_t s) {
              p.k.put(p.next(p.dst), p.slice(p.k.object(p.src), 4, 4), s);
            }),
            "empty-payload");
  EXPECT_EQ(slugOf([](EngineProgram &p, uint32_t s) { p.k.put(p.next(p.dst), p.next(p.src), s); }),
            "operand-not-local");
}

TEST(Engine, NotifiesAreValidatedToo) {
  EXPECT_EQ(slugOf([](EngineProgram &p, uint32_t s) {
              p.k.putNotify(p.next(p.dst), p.k.object(p.src), p.k.object(p.ready), 1, NotifyOp::Set,
                            s);
            }),
            "signal-wrong-peer");
  EXPECT_EQ(slugOf([](EngineProgram &p, uint32_t s) {
              p.k.putNotify(p.next(p.dst), p.k.object(p.src),
                            p.k.element(p.next(p.dst), p.k.number(9)), 1, NotifyOp::Set, s);
            }),
            "payload-overlaps-signal");
  EXPECT_EQ(slugOf(
                [](EngineProgram &p, uint32_t s) {
                  p.k.putNotify(p.next(p.dst), p.k.object(p.src), p.next(p.ready), 1,
                                NotifyOp::AtomicAdd, s);
                },
                kAll, DmaEngine::RDMA),
            "rdma-no-atomic-add");
  EXPECT_EQ(slugOf(
                [](EngineProgram &p, uint32_t s) {
                  p.k.put(p.k.peer(p.k.object(p.dst), p.k.rank()), p.k.object(p.src), s);
                },
                kAll, DmaEngine::URMA),
            "peer-is-self");
}

TEST(Engine, FailedPostsAreNeverTakenForDone) {
  // Blocks of one byte: 16384 of them do not fit a queue of 2048.
  for (Opcode ask : {Opcode::Wait, Opcode::Test, Opcode::WaitRequire}) {
    EngineProgram p;
    uint32_t s = p.k.session(DmaEngine::SDMA, p.k.number(1));
    uint32_t e = p.k.put(p.next(p.dst), p.k.object(p.src), s), ok = p.k.reg(Bool);
    if (ask == Opcode::WaitRequire)
      p.k.op(ask, {p.k.wait(e), e});
    else
      p.k.op(ask, {ok, e});
    p.k.print("ok", ok, Bool);
    Ran ran = p.runOn("a3", 1);
    EXPECT_EQ(ran.slugs(), ask == Opcode::Wait ? "" : "transfer-failed");
    EXPECT_EQ(ran.printed, ask == Opcode::Wait ? "[rank 0 block 0] ok false\n" : "");
    if (ask == Opcode::WaitRequire) {
      EXPECT_EQ(ran.findings[0].message,
                "the transfer failed: `tput_async` moves 16384 bytes; one SDMA transfer takes at "
                "most 2047 (2047 blocks of 1 on each of 1 queues)");
    }
  }
}

TEST(Engine, PipesMoveThroughTheirTiles) {
  // tput in chunks through a tile of 96 words, then what arrived is loaded, added to, and stored.
  for (bool twoTiles : {false, true}) {
    EngineProgram p;
    uint32_t t = p.k.tile(I32, 1, 96), u = p.k.tile(I32, 1, 96, 1024),
             token = p.k.reg(RegisterType::Token);
    for (uint32_t tile : {t, u}) // With a region of their own they take what 96 leaves of 4096.
      p.k.op(Opcode::TileValid, {tile, p.k.number(1), p.k.number(96)});
    p.k.op(Opcode::Tput, {token, p.next(p.dst), p.k.object(p.src), t, twoTiles ? u : kNoOperand,
                          uint32_t(AtomicType::AtomicAdd)});
    p.k.op(Opcode::Tput, {token, p.next(p.dst), p.k.object(p.src), t, kNoOperand,
                          uint32_t(AtomicType::AtomicAdd)});
    p.k.op(Opcode::PipeBarrier, {uint32_t(Pipe::ALL)});
    p.k.notify(p.next(p.ready), 1, NotifyOp::Set);
    p.k.twait(p.k.object(p.ready), 1, WaitCmp::EQ);
    uint32_t row = p.k.tile(I32, 1, 96, 4096);
    p.k.op(Opcode::Tload, {token, row, p.slice(p.k.object(p.dst), 4000, 4096)});
    p.k.op(Opcode::WaitToken, {token});
    p.k.op(Opcode::Tstore, {token, p.slice(p.k.object(p.src), 0, 96), row});
    p.k.op(Opcode::WaitToken, {token});
    p.k.print("last", p.k.load(p.k.element(p.k.object(p.dst), p.k.number(4095))));
    p.k.print("stored", p.k.load(p.k.element(p.k.object(p.src), p.k.number(95))));
    Ran ran = p.runOn("a3", 2);
    EXPECT_EQ(ran.text(), "");
    EXPECT_NE(ran.printed.find("[rank 0 block 0] last 6\n"), std::string::npos) << ran.printed;
    EXPECT_NE(ran.printed.find("[rank 1 block 0] stored 6\n"), std::string::npos) << ran.printed;
  }
}

TEST(Engine, PipesTakeAnyStridedShape) {
  // tget of every second row of a matrix.
  EngineProgram p;
  uint32_t from = p.k.view(), to = p.k.view(), token = p.k.reg(RegisterType::Token);
  uint32_t remote = p.next(p.src), mine = p.k.object(p.dst);
  for (uint32_t v : {from, to}) {
    p.k.op(Opcode::StridedBegin, {v, v == from ? remote : mine, p.k.number(8), 3});
    p.k.op(Opcode::StridedDim, {v, 0, p.k.number(2), p.k.number(1024)});
    p.k.op(Opcode::StridedDim, {v, 1, p.k.number(5), p.k.number(64)});
    p.k.op(Opcode::StridedDim, {v, 2, p.k.number(7), p.k.number(1)});
    p.k.op(Opcode::StridedEnd, {v, v == from ? remote : mine});
  }
  uint32_t tile = p.k.tile(I32, 2, 8);
  p.k.op(Opcode::TileValid, {tile, p.k.number(2), p.k.number(4)});
  p.k.op(Opcode::Tget, {token, to, from, tile, kNoOperand});
  p.k.op(Opcode::PipeBarrier, {uint32_t(Pipe::ALL)});
  for (uint32_t at : {8u, 7u, 14u, 8u + 1024 + 4 * 64 + 6, 8u + 1024 + 4 * 64 + 7})
    p.k.print("at", p.k.load(p.k.element(p.k.object(p.dst), p.k.number(at))));
  Ran ran = p.runOn("a3", 1);
  EXPECT_EQ(ran.text(), "");
  std::string at = "[rank 0 block 0] at ";
  EXPECT_EQ(ran.printed, at + "3\n" + at + "0\n" + at + "3\n" + at + "3\n" + at + "0\n");
}

TEST(Engine, TwoTilesLetALoadRunBesideAStore) {
  // Eight chunks to another rank; what differs is who waits for whom, and so how long it takes.
  auto spent = [](bool twoTiles, uint64_t seed) {
    EngineProgram p;
    uint32_t t = p.k.tile(I32, 1, 512), u = p.k.tile(I32, 1, 512, 2048);
    p.k.op(Opcode::Tput, {p.k.reg(RegisterType::Token), p.next(p.dst), p.k.object(p.src), t,
                          twoTiles ? u : kNoOperand, 0});
    p.k.op(Opcode::PipeBarrier, {uint32_t(Pipe::ALL)});
    Ran ran = p.runOn("a3", 2, seed);
    EXPECT_EQ(ran.text(), "");
    for (const Event &event : ran.events)
      if (event.kind == EventKind::Complete && event.rank == 0)
        return event.timePs - event.startPs;
    return int64_t(0);
  };
  int64_t one = 0, two = 0;
  for (uint64_t seed = 0; seed != 10; ++seed) {
    one += spent(false, seed);
    two += spent(true, seed);
  }
  // A load takes 220 ns and a store 572: they add up through one tile, and overlap through two.
  EXPECT_LT(two, one * 85 / 100);
  EXPECT_GT(two, one * 65 / 100);
}

TEST(Engine, OnlyABarrierOrdersTheScalarPipeAfterTheStores) {
  EngineProgram p;
  uint32_t token = p.k.reg(RegisterType::Token),
           first = p.k.element(p.k.object(p.dst), p.k.number(4095));
  p.k.op(Opcode::Tput, {token, p.k.peer(p.k.object(p.dst), p.k.rank()), p.k.object(p.src),
                        p.k.tile(I32, 1, 512), kNoOperand, 0});
  p.k.print("early", p.k.load(first));
  p.k.op(Opcode::PipeBarrier, {uint32_t(Pipe::MTE3)});
  p.k.op(Opcode::Dcci, {first});
  p.k.print("late", p.k.load(first));
  EXPECT_EQ(p.runOn("a3", 1).printed, "[rank 0 block 0] early 0\n[rank 0 block 0] late 3\n");
}

} // namespace
} // namespace pto::testing
