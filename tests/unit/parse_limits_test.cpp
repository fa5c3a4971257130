// No text, however deep, long or broken, costs more than seconds or ends in anything but findings.
#include "unit/parse_fixture.h"

#include <chrono>
#include <random>

namespace pto::test {

static std::string repeat(llvm::StringRef text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

static std::string inConst(const std::string &expression) {
  return "const x: i32 = " + expression + ";";
}

static constexpr size_t kMany = 100000;

TEST(ParseLimits, BracketsNestToTheLimit) {
  EXPECT_EQ(Parsed(inConst(repeat("(", kMaxNesting) + "1" + repeat(")", kMaxNesting))).said(), "");
  EXPECT_EQ(Parsed(inConst(repeat("(", kMany) + "1" + repeat(")", kMany))).said(),
            "1:272 nested 257 deep or deeper; at most 256 levels are read");
}

TEST(ParseLimits, CallsAndBlocksNestToTheLimit) {
  EXPECT_EQ(Parsed(inConst(repeat("f(", 250) + "1" + repeat(")", 250))).said(), "");
  EXPECT_EQ(Parsed("kernel k() {" + repeat("if a {", 250) + repeat("}", 250) + "}").said(), "");
}

TEST(ParseLimits, ChainsAreLimitedLikeBrackets) {
  EXPECT_EQ(Parsed(inConst("1" + repeat(" + 1", 500))).said(), "");
  EXPECT_EQ(Parsed(inConst("1" + repeat(" + 1", kMany))).said(),
            "1:16 nested 100000 deep or deeper; at most 512 levels are read");
  EXPECT_EQ(Parsed(inConst(repeat("-", kMany) + "1")).said(),
            "1:16 nested 100000 deep or deeper; at most 512 levels are read");
  EXPECT_EQ(Parsed(inConst("x" + repeat("[0]", kMany))).said(),
            "1:16 nested 100000 deep or deeper; at most 512 levels are read");
  EXPECT_EQ(Parsed("kernel k() { if a { }" + repeat(" else if b { }", kMany) + " }").said(),
            "1:14 nested 100002 deep or deeper; at most 512 levels are read");
}

TEST(ParseLimits, ChainsInsideOfBracketsAddUp) {
  std::string inner = "1" + repeat(" + 1", 300);
  EXPECT_EQ(Parsed(inConst("(" + inner + ")" + repeat(" + 1", 300))).said(),
            "1:17 nested 600 deep or deeper; at most 512 levels are read");
}

TEST(ParseLimits, CommentsNestWithoutLimit) {
  std::string comment = repeat("/*", kMany) + repeat("*/", kMany);
  EXPECT_EQ(Parsed(comment + "window w: f32[4];").said(), "");
  EXPECT_EQ(Parsed("window w: f32[4];" + repeat("/*", kMany)).said(),
            "1:18 this comment is never closed");
}

TEST(ParseLimits, ListsHaveNoLimit) {
  EXPECT_EQ(Parsed(inConst("f(" + repeat("a, ", kMany) + ")")).said(), "");
  EXPECT_EQ(Parsed("kernel k() {" + repeat("f();\n", kMany) + "}").said(), "");
}

/// Ten megabytes, in a time that only something quadratic could exceed.
static void expectQuickRefusal(const std::string &text, const char *what) {
  auto begin = std::chrono::steady_clock::now();
  Parsed parsed(text);
  std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(parsed.file->isBroken) << what;
  EXPECT_LE(parsed.sink.findings().size(), 100u) << what;
  EXPECT_LT(taken.count(), 60.0) << what;
}

TEST(ParseLimits, GarbageIsRefusedQuickly) {
  constexpr size_t kSize = 10u << 20;
  for (llvm::StringRef unit : {"(", "}", "/*", ";", "1 ", "fn\n", "\"\n", "$\n", "a", ") ; "})
    expectQuickRefusal(repeat(unit, kSize / unit.size()), unit.data());
  for (llvm::StringRef unit : {"let ; ", "f(a\n", "{ ", "- ", "a,", ";", "#[x(a)] ", "x = 1e999;"})
    expectQuickRefusal("kernel k() {" + repeat(unit, kSize / unit.size()), unit.data());
}

TEST(ParseLimits, RandomBytesAreRefusedQuickly) {
  constexpr size_t kSize = 10u << 20;
  std::mt19937 random(1);
  std::string bytes(kSize, ' '), words;
  for (char &byte : bytes)
    byte = char(random());
  expectQuickRefusal(bytes, "bytes");
  for (char &byte : bytes)
    byte = char(' ' + random() % 95);
  expectQuickRefusal(bytes, "printable bytes");
  static constexpr const char *kWords[] = {"kernel ", "(", ")", "{", "}",   "let ", "x ", "= ",
                                           "1 ",      ";", ",", "[", "]\n", "if ",  ": ", "\n"};
  while (words.size() < kSize)
    words += kWords[random() % std::size(kWords)];
  expectQuickRefusal(words, "words");
}

static constexpr const char *kProgram = R"pto(// Every kind of construct, to be cut anywhere.
import std.collective;
import "lib/ring.pto" as ring;
const N: i32 = 1 << 10;
window data: f32[ranks, N] align 64 = 0;
#[allow(gm-race-1d, "why")]
window ready: signal;
/// Documented.
fn next<T, const n: i32>(p: i32, w: window T[n] = 0) -> i32 { return (p + 1) % ranks; }
kernel put(n: i32) sync auto {
    tile t: f32[8, 8] at 0x100 valid [r, c];
    let s = session<SDMA>(t, queues = 1) else { return; };
    let e = tput_async(data@next(rank)[0..4 step 2, ..], data[1, ..n], s);
    if wait(e) && test(e) { n += 1; } else if !a { break; } else { continue; }
    for i in 0..n step 2 { while a < -b { yield; } }
    tput(data@(p + 1), data, t) after e, t from p;
    twait(ready, 1, EQ) from p; /* nested /* comment */ */
    print("text {} \u{41}\n", 1.5e-3, 'x');
}
test "title" (ranks = 4, target = a3) {
    fill data[i, j] = f32(i) where i < j;
    fill data from "f.npy"; save data to "g.npy";
    launch ring.put(4) blocks 2 on stream 1;
    e.initialize({ "k": [(a, b), (c[0], d)] });
    expect data[i] ~= 1.0 within 1e-3 where rank == 0;
    expect violation(gm-race-1d);
}
)pto";

TEST(ParseLimits, ATextCutAnywhereYieldsATree) {
  llvm::StringRef program = kProgram;
  for (size_t length = 0; length <= program.size(); ++length) {
    Parsed parsed(program.take_front(length));
    EXPECT_LE(parsed.sink.findings().size(), 2u) << parsed.said() << '\n'
                                                 << program.take_front(length).str();
    // Items that are whole stay whole.
    size_t expected = length > 300 ? 5 : 0;
    EXPECT_GE(parsed.file->items.size(), expected) << length;
    (void)parsed.tree();
  }
}

TEST(ParseLimits, ATextWithoutAnyOneOfItsBytesYieldsATree) {
  llvm::StringRef program = kProgram;
  for (size_t at = 0; at < program.size(); ++at) {
    Parsed parsed((program.take_front(at) + program.drop_front(at + 1)).str());
    EXPECT_LE(parsed.sink.findings().size(), 8u) << at << '\n' << parsed.said();
    (void)parsed.tree();
  }
}

} // namespace pto::test
