// The world: time, launches, signals, hosts, findings.

#include "unit/module_builder.h"

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
    uint32_t e = k.putNotify(k.peer(k.object(inbox), next), k.object(data), k.peer(k.object(ready), next), 1, NotifyOp::Set, s);
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
    h.op(Opcode::ExpectBegin, {text("inbox[i] == (rank + 3) % 4 * 10000 + i")});
    h.loop(h.number(kElements), [&](uint32_t i) {
      uint32_t wanted = h.binary(Opcode::Add, h.binary(Opcode::Mul, from, h.number(10000)), i);
      if (add)
        wanted = h.binary(Opcode::Add, wanted, h.binary(Opcode::Div, i, h.number(add)));
      uint32_t got = h.reg(I32);
      h.op(Opcode::HostLoad, {got, h.element(in, i)});
      h.op(Opcode::ExpectElement, {got, wanted, uint32_t(ExpectOp::Equal), kNoOperand, i, kNoOperand, kNoOperand, kNoOperand, kNoOperand});
    });
    h.op(Opcode::ExpectEnd);
  }
};

RunOptions ranks(int32_t count, uint64_t seed = 0) {
  RunOptions options;
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

} // namespace
} // namespace pto::testing
