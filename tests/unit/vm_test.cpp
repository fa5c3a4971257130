// The interpreter: typed arithmetic, views, calls, tiles, traps.

#include "unit/module_run.h"

#include "vm/arithmetic.h"

#include "llvm/ADT/bit.h"

#include <cmath>

namespace pto::testing {
namespace {

struct ArithmeticRow {
  ScalarType type;
  Arithmetic op;
  double a, b;
  const char *result; ///< "trap": division by zero.
};

const ArithmeticRow kArithmetic[] = {
    {I32, Arithmetic::Add, 2147483647, 1, "-2147483648"},
    {I32, Arithmetic::Sub, -2147483648.0, 1, "2147483647"},
    {I32, Arithmetic::Mul, 65536, 65536, "0"},
    {I32, Arithmetic::Div, -7, 2, "-3"},
    {I32, Arithmetic::Rem, -7, 2, "-1"},
    {I32, Arithmetic::Div, -2147483648.0, -1, "-2147483648"},
    {I32, Arithmetic::Rem, -2147483648.0, -1, "0"},
    {I32, Arithmetic::Div, 1, 0, "trap"},
    {U64, Arithmetic::Rem, 1, 0, "trap"},
    {I64, Arithmetic::Div, -9223372036854775808.0, -1, "-9223372036854775808"},
    {I8, Arithmetic::Add, 127, 1, "-128"},
    {U8, Arithmetic::Sub, 0, 1, "255"},
    {U16, Arithmetic::Mul, 256, 256, "0"},
    {U32, Arithmetic::Div, 4294967295.0, 2, "2147483647"},
    {I32, Arithmetic::ShiftLeft, 1, 33, "2"},
    {I32, Arithmetic::ShiftRight, -8, 1, "-4"},
    {U32, Arithmetic::ShiftRight, 4294967288.0, 1, "2147483644"},
    {I8, Arithmetic::ShiftLeft, 1, 7, "-128"},
    {I32, Arithmetic::And, 12, 10, "8"},
    {I32, Arithmetic::Or, 12, 10, "14"},
    {I32, Arithmetic::Xor, 12, 10, "6"},
    {Bool, Arithmetic::And, 1, 0, "false"},
    {F32, Arithmetic::Div, 1, 0, "inf"},
    {F32, Arithmetic::Div, -1, 0, "-inf"},
    {F32, Arithmetic::Div, 0, 0, "nan"},
    {F32, Arithmetic::Rem, 7.5, 2, "1.5"},
    {F16, Arithmetic::Add, 2048, 1, "2048"},
    {F16, Arithmetic::Mul, 300, 300, "inf"},
    {BF16, Arithmetic::Add, 256, 1, "256"},
};

TEST(Vm, ArithmeticIsTypedAndNeverUndefined) {
  for (const ArithmeticRow &row : kArithmetic) {
    auto value =
        compute(row.op, row.type, fromDouble(row.type, row.a), fromDouble(row.type, row.b));
    EXPECT_EQ(value ? formatScalar(row.type, *value) : "trap", row.result)
        << info(row.type).name.str() << " " << int(row.op) << " " << row.a << " " << row.b;
  }
}

TEST(Vm, ComparisonFollowsTheType) {
  ScalarBits minusOne = fromDouble(I64, -1), one = 1;
  EXPECT_TRUE(compare(Comparison::Less, I64, minusOne, one));
  EXPECT_FALSE(compare(Comparison::Less, U64, minusOne, one));
  ScalarBits nan = llvm::bit_cast<uint32_t>(std::nanf(""));
  EXPECT_FALSE(compare(Comparison::Equal, F32, nan, nan));
  EXPECT_TRUE(compare(Comparison::NotEqual, F32, nan, nan));
  EXPECT_EQ(negate(I32, fromDouble(I32, -2147483648.0)), fromDouble(I32, -2147483648.0));
  EXPECT_EQ(formatScalar(F32, negate(F32, 0)), "-0");
  EXPECT_EQ(invert(Bool, 1), 0u);
  EXPECT_EQ(invert(U8, 1), 254u);
  EXPECT_NE(hashStep(0, 1), hashStep(0, 2));
}

/// Runs a host that the function writes; one rank.
template <typename Write> Ran runHost(Write write) {
  Builder b;
  uint32_t data = b.window("data", I32, {{0, 4}, {0, 8}});
  Code f = b.function("f", FunctionKind::Function);
  f.function().hasResult = true;
  f.function().scalarParams = 2;
  uint32_t result = f.reg(I32), x = f.reg(I32), y = f.reg(I32);
  f.op(Opcode::Sub, {result, x, y});
  f.ret();
  Code h = b.host();
  write(b, h, data);
  h.ret();
  RunOptions options;
  options.ranks = 1;
  return runModule(b, options);
}

TEST(Vm, CallsCopyInAndOut) {
  Ran ran = runHost([](Builder &, Code &h, uint32_t) {
    uint32_t base = h.reg(I32), x = h.reg(I32), y = h.reg(I32), kept = h.reg(I32);
    h.op(Opcode::Move, {x, h.number(9)});
    h.op(Opcode::Move, {y, h.number(2)});
    h.op(Opcode::Move, {kept, h.number(5)});
    h.op(Opcode::Call, {0, base, 0});
    h.print("result", base);
    h.print("kept", kept);
  });
  EXPECT_EQ(ran.text() + ran.printed, "[rank 0] result 7\n[rank 0] kept 5\n");
}

TEST(Vm, TrapsNameTheirRule) {
  EXPECT_EQ(runHost([](Builder &, Code &h, uint32_t) {
              h.binary(Opcode::Div, h.number(1), h.number(0));
            }).slugs(),
            "division-by-zero");
  EXPECT_EQ(
      runHost([](Builder &, Code &h, uint32_t d) { h.element(h.object(d), h.number(4)); }).text(),
      "out-of-window: index 4 is outside dimension 0 of `data`, which has size 4\n  at line 5 rank "
      "0 block -1\n");
  EXPECT_EQ(
      runHost([](Builder &, Code &h, uint32_t d) { h.peer(h.object(d), h.number(1)); }).slugs(),
      "out-of-window");
  EXPECT_EQ(runHost([](Builder &b, Code &h, uint32_t) {
              h.op(Opcode::FormatArg, {h.number(3)});
              h.op(Opcode::AssertFail, {b.text("x is {}, not {}")});
            })
                .findings.front()
                .message,
            "assertion failed: x is 3, not {}");
  EXPECT_EQ(runHost([](Builder &, Code &h, uint32_t) {
              uint32_t got = h.reg(I32);
              h.op(Opcode::HostLoad, {got, h.view()});
            }).slugs(),
            "out-of-window");
  EXPECT_EQ(runHost([](Builder &, Code &h, uint32_t d) {
              uint32_t got = h.reg(I32);
              h.op(Opcode::HostLoad, {got, h.object(d)});
            }).slugs(),
            "layout-mismatch");
}

TEST(Vm, StridedViewsThatWereNeverEndedAreCheckedAtTheAccess) {
  Ran ran = runHost([](Builder &, Code &h, uint32_t d) {
    uint32_t v = h.view(), got = h.reg(I32);
    h.op(Opcode::StridedBegin, {v, h.object(d), h.number(1000000), 1});
    h.op(Opcode::StridedDim, {v, 0, h.number(1), h.number(1)});
    h.op(Opcode::HostLoad, {got, v});
  });
  EXPECT_EQ(ran.slugs(), "out-of-window");
}

TEST(Vm, NestedCallsAreBounded) {
  Builder b;
  for (int i = 0; i != 80; ++i) {
    Code f = b.function("f" + std::to_string(i), FunctionKind::Function);
    if (i != 0)
      f.op(Opcode::Call, {uint32_t(i - 1), 0, 0});
    f.ret();
  }
  Code h = b.host();
  h.op(Opcode::Call, {79, 0, 0});
  h.ret();
  EXPECT_EQ(runModule(b).slugs(), "call-depth");
}

TEST(Vm, TilesOfCalleesLieAboveTheirCallers) {
  for (uint32_t bytes : {1024u, 196608u}) {
    Builder b;
    Code f = b.function("inner", FunctionKind::Function);
    f.function().ubBytes = 64;
    f.op(Opcode::Tile, {f.view(), 1, 16, 0, 0}, I32);
    f.ret();
    Code k = b.kernel("outer");
    k.function().ubBytes = bytes;
    k.op(Opcode::Call, {0, 0, 0});
    k.ret();
    Code h = b.host();
    h.launch(k);
    h.ret();
    Ran ran = runModule(b);
    EXPECT_EQ(ran.slugs(), bytes == 1024 ? "" : "ub-overflow");
    if (bytes != 1024) {
      EXPECT_EQ(ran.findings[0].message,
                "the tiles of `inner` need 196672 bytes of UB; a3 has 196608");
    }
  }
}

TEST(Vm, PlantedChecksTrap) {
  auto plant = [](auto write) { return runHost(write).slugs(); };
  EXPECT_EQ(plant([](Builder &b, Code &h, uint32_t d) {
              h.op(Opcode::PlantFlat, {h.object(d), b.text("dst"), b.text("tput_async")});
            }),
            "async-not-1d");
  EXPECT_EQ(plant([](Builder &b, Code &h, uint32_t d) {
              uint32_t whole = h.object(d);
              h.op(Opcode::PlantFits, {h.element(whole, h.number(0)), whole, b.text("tput_async")});
            }),
            "dst-too-small");
  EXPECT_EQ(plant([](Builder &b, Code &h, uint32_t d) {
              uint32_t whole = h.object(d);
              h.op(Opcode::PlantApart,
                   {whole, h.element(whole, h.number(0)), b.text("tput_async_notify")});
            }),
            "payload-overlaps-signal");
}

} // namespace
} // namespace pto::testing
