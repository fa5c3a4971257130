//===- check_test.cpp - --fix, --baseline and --unknown change or hide nothing else -----===//
#include "tools/tool.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kDropped = "import std.ring;\n"
                                                "window inbox: f32[64];\n"
                                                "window data: f32[64];\n"
                                                "kernel k(peer: i32) {\n"
                                                "    tile scratch: u8[256];\n"
                                                "    let s = session<SDMA>(scratch);\n"
                                                "    let e = tput_async(inbx@peer, data, s);\n"
                                                "}\n";

TEST(Fix, RepeatsUntilNothingIsLeft) {
  Workplace place;
  place.write("x.pto", kDropped);
  Ran ran = place.pto({"lint", "x.pto", "--fix"});
  EXPECT_EQ(ran.exit, 0) << ran.text();
  EXPECT_EQ(ran.err, "x.pto: fixed: replace `inbx` by `inbox` [unknown-name]\n"
                     "x.pto: fixed: insert `wait(e);` [event-not-awaited]\n"
                     "x.pto: fixed: remove `import std.ring;` [unused-import]\n");
  EXPECT_EQ(place.read("x.pto"), "window inbox: f32[64];\n"
                                 "window data: f32[64];\n"
                                 "kernel k(peer: i32) {\n"
                                 "    tile scratch: u8[256];\n"
                                 "    let s = session<SDMA>(scratch);\n"
                                 "    let e = tput_async(inbox@peer, data, s);\n"
                                 "    wait(e);\n"
                                 "}\n");
}

/// Two repairs for one place follow each other; neither gets lost.
TEST(Fix, AppliesWhatTouchesEachOther) {
  Workplace place;
  std::string before = "window a: i32[16];\n"
                       "window b: i32[16];\n"
                       "window data: i32[16];\n"
                       "window ready: signal = 0;\n"
                       "kernel k() {\n"
                       "    tile t: i32[16];\n"
                       "    assert(load(a[0]) == 0 && load(b[0]) == 0);\n"
                       "    tput(a@(1 - rank), data, t);\n"
                       "    tput(b@(1 - rank), data, t);\n"
                       "    pipe_barrier(ALL);\n"
                       "    tnotify(ready@(1 - rank), 1, Set);\n"
                       "    twait(ready, 1, EQ);\n";
  place.write("x.pto", before + "    print(\"{} {}\", load(a[0]), load(b[0]));\n}\n");
  Ran ran = place.pto({"check", "x.pto", "--fix"});
  EXPECT_EQ(ran.exit, 0) << ran.text();
  EXPECT_EQ(ran.err, "x.pto: fixed: insert `dcci(a); dsb();` [load-before-invalidate]\n"
                     "x.pto: fixed: insert `dcci(b); dsb();` [load-before-invalidate]\n");
  EXPECT_EQ(place.read("x.pto"), before + "    dcci(a);\n    dsb();\n    dcci(b);\n    dsb();\n"
                                          "    print(\"{} {}\", load(a[0]), load(b[0]));\n}\n");
}

/// A conversion that drops bits is not certain, nor is one inside of a generic function.
TEST(Fix, ConvertsWhatIsCertain) {
  Workplace place;
  place.write("x.pto", "fn twice<T>(x: T) -> i32 { return x; }\n"
                       "kernel k(n: i64, m: u8, g: f32) {\n"
                       "    let a: i32 = 1.0;\n"
                       "    let b: i32 = n;\n"
                       "    let c = g * m;\n"
                       "    let d = a * 2.0;\n"
                       "    print(\"{} {} {}\", b, c, twice(g));\n"
                       "}\n");
  Ran ran = place.pto({"check", "x.pto", "--fix"});
  EXPECT_EQ(ran.exit, 1) << ran.text();
  EXPECT_EQ(place.read("x.pto"), "fn twice<T>(x: T) -> i32 { return x; }\n"
                                 "kernel k(n: i64, m: u8, g: f32) {\n"
                                 "    let a: i32 = 1;\n"
                                 "    let b: i32 = n;\n"
                                 "    let c = g * f32(m);\n"
                                 "    let d = a * 2.0;\n"
                                 "    print(\"{} {} {}\", b, c, twice(g));\n"
                                 "}\n");
}

TEST(Fix, LeavesWhatCannotBeRead) {
  Workplace place;
  std::string text = "import std.ring;\nwindow w: f32[4]\n";
  place.write("x.pto", text);
  EXPECT_EQ(place.pto({"lint", "x.pto", "--fix"}).exit, 1);
  EXPECT_EQ(place.read("x.pto"), text);
}

TEST(Fix, LeavesImportedFiles) {
  Workplace place;
  std::string part = "fn f(x: i32) -> i32 { return y + x; }\n";
  place.write("part.pto", part);
  place.write("x.pto", "import \"part.pto\";\nkernel k() { assert(part.f(1) == 1); }\n");
  EXPECT_EQ(place.pto({"check", "x.pto", "--fix"}).exit, 1);
  EXPECT_EQ(place.read("part.pto"), part);
}

TEST(Fix, SaysWhenItCannotWrite) {
  Workplace place;
  place.write("x.pto", kDropped);
  std::string path = place.path("x.pto");
  EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_read));
  if (!llvm::sys::fs::access(path, llvm::sys::fs::AccessMode::Write))
    GTEST_SKIP() << "this user may write everything";
  Ran ran = place.pto({"check", "x.pto", "--fix"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(place.read("x.pto"), kDropped);
}

TEST(Baseline, HidesWhatItKnowsWhereverItMoves) {
  Workplace place;
  place.write("x.pto", "window wait: f32[4];\n");
  EXPECT_EQ(
      place.pto({"check", "x.pto", "--write-baseline", "b.json", "-W", "shadowed-instruction=deny"})
          .exit,
      0);
  place.write("x.pto", "// moved\nwindow wait: f32[4];\nwindow dsb: f32[4];\n");
  Ran ran =
      place.pto({"check", "x.pto", "--baseline", "b.json", "-W", "shadowed-instruction=deny"});
  EXPECT_EQ(ran.exit, 1) << ran.text();
  EXPECT_FALSE(llvm::StringRef(ran.err).contains("`wait`")) << ran.err;
  EXPECT_TRUE(llvm::StringRef(ran.err).contains("`dsb`")) << ran.err;
  EXPECT_TRUE(llvm::StringRef(ran.err).ends_with("baseline 'b.json': 1 finding is known\n"))
      << ran.err;
}

TEST(Baseline, SaysWhatIsStale) {
  Workplace place;
  place.write("x.pto", "window wait: f32[4];\n");
  EXPECT_EQ(place.pto({"check", "x.pto", "--write-baseline", "b.json"}).exit, 0);
  place.write("x.pto", "window weight: f32[4];\n");
  Ran ran = place.pto({"check", "x.pto", "--baseline", "b.json"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "baseline 'b.json': stale: x.pto: `wait` hides the language's own meaning of "
                     "that name [shadowed-instruction]\n");
}

TEST(Baseline, NeverKnowsSyntaxErrors) {
  Workplace place;
  place.write("x.pto", "window w f32[4];\n");
  EXPECT_EQ(place.pto({"check", "x.pto", "--write-baseline", "b.json"}).exit, 1);
  EXPECT_EQ(place.pto({"check", "x.pto", "--baseline", "b.json"}).exit, 1);
}

TEST(Baseline, RefusesWhatIsNone) {
  Workplace place;
  place.write("x.pto", "window w: f32[4];\n");
  const std::pair<std::string, std::string> kCases[] = {
      {"", "'b.json' is no baseline: it is not JSON"},
      {"[1, 2", "'b.json' is no baseline: it is not JSON"},
      {std::string(1000000, '['), "'b.json' is no baseline: it is nested too deep"},
      {"[]", "'b.json' is no baseline: it has no `\"version\": 1`"},
      {R"({"version": 2, "findings": []})", "'b.json' is no baseline: it has no `\"version\": 1`"},
      {R"({"version": 1})", "'b.json' is no baseline: it has no list `findings`"},
      {R"({"version": 1, "findings": [7]})",
       "'b.json' is no baseline: an entry of `findings` is no object"},
      {R"({"version": 1, "findings": [{"file": 1}]})",
       "'b.json' is no baseline: an entry of `findings` has no text `file`"},
      {R"({"version": 1, "findings": [{"file": "", "slug": "", "fingerprint": "", "count": -1}]})",
       "'b.json' is no baseline: an entry of `findings` has no `count` from 1 to 2147483647"}};
  for (const auto &[text, why] : kCases) {
    place.write("b.json", text);
    Ran ran = place.pto({"check", "x.pto", "--baseline", "b.json"});
    EXPECT_EQ(ran.exit, 2);
    EXPECT_EQ(ran.err, "pto: error: " + why + "\n");
  }
}

TEST(Unknown, IsToldWhenAsked) {
  Workplace place;
  place.write("x.pto", "window w: f32[1, 8];\n"
                       "kernel k(wide: bool) {\n"
                       "    tile t: f32[1, 8];\n"
                       "    if wide { tload(t, w); }\n"
                       "    tstore(w, t);\n"
                       "}\n");
  EXPECT_EQ(place.pto({"check", "x.pto"}).text(), "");
  Ran ran = place.pto({"check", "x.pto", "--unknown"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(llvm::StringRef(ran.err).starts_with("unknown: ")) << ran.err;
}

/// One test that lacks its data, and one file that does not compile, keep nobody else from running.
TEST(TestCommand, GoesOnPastWhatFails) {
  Workplace place;
  place.write("a.pto", "window w: f32[4];\n"
                       "test \"no data\" (ranks = 1) { fill w from \"none.npy\"; }\n"
                       "test \"fine\" (ranks = 1) { }\n");
  place.write("c.pto", "test \"last\" (ranks = 1) { }\n");
  Ran ran = place.pto({"test", "a.pto", "missing.pto", "c.pto"});
  EXPECT_EQ(ran.exit, 2) << ran.text();
  EXPECT_TRUE(llvm::StringRef(ran.err).contains("missing.pto")) << ran.err;
  EXPECT_TRUE(llvm::StringRef(ran.out).contains("test \"no data\": FAILED")) << ran.out;
  EXPECT_TRUE(llvm::StringRef(ran.out).contains("test \"last\": ok")) << ran.out;
  EXPECT_TRUE(llvm::StringRef(ran.out).contains("3 tests: 2 ok, 1 failed\n")) << ran.out;

  place.write("b.pto", "window w: f32[n];\ntest \"never\" (ranks = 1) { }\n");
  Ran all = place.pto({"test", "."});
  EXPECT_EQ(all.exit, 1) << all.text();
  EXPECT_TRUE(llvm::StringRef(all.out).ends_with("3 tests: 2 ok, 1 failed\n1 file does not "
                                                 "compile; no test there was run\n"))
      << all.out;
}

} // namespace pto::test
