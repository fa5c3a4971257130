//===- outputs_test.cpp - files that pto writes, and reads again -------------===//
#include "tools/tool.h"

#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

namespace pto::test {

static constexpr llvm::StringLiteral kTwoTests =
    "window w: i32[2] = 0;\n"
    "test \"good\" (ranks = 1) { }\n"
    "test \"bad <&$\" (ranks = 1) { expect w[i] == 1; }\n";

TEST(Outputs, JunitHoldsEveryTestOnce) {
  Workplace place;
  place.write("x.pto", kTwoTests);
  EXPECT_EQ(place.pto({"test", "x.pto", "--junit", "x.xml"}).exit, 3);
  EXPECT_EQ(place.read("x.xml"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"pto\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
            "  <testcase classname=\"x.pto\" name=\"good\"/>\n"
            "  <testcase classname=\"x.pto\" name=\"bad &lt;&amp;$\">\n"
            "    <failure type=\"expectation-failed\" message=\"`w[i] == 1` failed: 2 of 2 "
            "elements on rank 0\">"
            "pto test x.pto --seed 0 --filter 'bad &lt;&amp;$'</failure>\n"
            "  </testcase>\n"
            "</testsuite>\n");
}

/// A report without a word of a file would look as if all were well.
TEST(Outputs, JunitHoldsFilesThatDoNotCompile) {
  Workplace place;
  place.makeFolder("all");
  place.write("all/a.pto", "window w: i32[n];\ntest \"never\" (ranks = 1) { }\n");
  place.write("all/b.pto", "test \"fine\" (ranks = 1) { }\n");
  EXPECT_EQ(place.pto({"test", "all", "none.pto", "--junit", "x.xml"}).exit, 1);
  EXPECT_EQ(place.read("x.xml"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"pto\" tests=\"3\" failures=\"0\" errors=\"2\">\n"
            "  <testcase classname=\"all/a.pto\" name=\"compiles\">\n"
            "    <error type=\"not-constant\" message=\"does not compile: a dimension of `w` must "
            "be known before running\">not-constant at all/a.pto:1:11</error>\n"
            "  </testcase>\n"
            "  <testcase classname=\"none.pto\" name=\"compiles\">\n"
            "    <error type=\"cannot-be-read\" message=\"cannot read 'none.pto': No such file or "
            "directory\"></error>\n"
            "  </testcase>\n"
            "  <testcase classname=\"all/b.pto\" name=\"fine\"/>\n"
            "</testsuite>\n");
  EXPECT_EQ(place.pto({"test", "none.pto", "--junit", "y.xml"}).exit, 2);
  EXPECT_TRUE(llvm::StringRef(place.read("y.xml")).contains("errors=\"1\"")) << place.read("y.xml");
}

/// A test that is refused as it expects has passed, and the report says that nothing ran.
TEST(Outputs, JunitSaysWhatWasRefused) {
  Workplace place;
  place.write("x.pto", "window s: signal = 0;\n"
                       "kernel k() { twait(s, 1.5, EQ); }\n"
                       "test \"t\" (ranks = 1) { launch k(); expect violation(type-mismatch); }\n");
  Ran ran = place.pto({"test", "x.pto", "--junit", "x.xml"});
  EXPECT_EQ(ran.exit, 0) << ran.text();
  std::string written = place.read("x.xml");
  llvm::StringRef xml = written;
  EXPECT_TRUE(xml.contains("tests=\"1\" failures=\"0\" errors=\"0\"")) << xml.str();
  EXPECT_TRUE(xml.contains("<system-out>refused before running: type-mismatch at x.pto:2:23: "))
      << xml.str();
  EXPECT_EQ(place.pto({"check", "x.pto"}).exit, 1);
  EXPECT_EQ(place.pto({"build", "x.pto", "-o", "x.ptoc"}).exit, 1);
}

TEST(Outputs, TraceIsJsonWithEvents) {
  Workplace place;
  place.write(
      "x.pto",
      "window s: signal = 0;\nkernel k() { tnotify(s@(1 - rank), 1, Set); twait(s, 1, EQ); }\n"
      "test \"t\" (ranks = 2) { launch k(); }\n");
  Ran ran = place.pto({"run", "x.pto", "--trace", "t.json"});
  EXPECT_EQ(ran.exit, 0) << ran.text();
  llvm::Expected<llvm::json::Value> trace = llvm::json::parse(place.read("t.json"));
  ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
  const llvm::json::Array *events = trace->getAsObject()->getArray("traceEvents");
  ASSERT_TRUE(events);
  EXPECT_GT(events->size(), 10u);
}

TEST(Outputs, TraceHasTheCallsAndTransfersOfHixl) {
  Workplace place;
  place.write("x.pto", R"(import hixl;
window kv: u8[4096];
host main(ranks = 2, faults = ["link 1->0 at 500ms until 600ms"]) {
    let e = hixl.engine("10.0.0.{rank + 1}:26000");
    e.initialize({ "BufferPool": "0:0" });
    let mem = e.register_mem(kv, DEVICE);
    barrier();
    if rank == 1 {
        e.connect("10.0.0.1:26000");
        let r = e.transfer_async("10.0.0.1:26000", READ, [(kv, kv@0)]);
        while e.transfer_status(r) == WAITING { yield; }
        e.send_notify("10.0.0.1:26000", "done", "");
        e.disconnect("10.0.0.1:26000");
        sleep_ms(700);
    }
    barrier();
    e.deregister_mem(mem);
    e.finalize();
}
)");
  Ran ran = place.pto({"run", "x.pto", "--trace", "t.json"});
  EXPECT_EQ(ran.exit, 0) << ran.text();
  std::string written = place.read("t.json");
  llvm::StringRef trace = written;
  for (llvm::StringRef part :
       {R"("name":"connect","cat":"hixl call")", R"("name":"HIXL to rank 0")",
        R"("name":"READ #1","cat":"hixl move")", "READ #1 with rank 0: 4096 bytes",
        R"("name":"notify `done`","cat":"hixl notify")", "the link 1->0 is cut", "COMPLETED"})
    EXPECT_TRUE(trace.contains(part)) << part.str() << "\n" << written;
}

TEST(Outputs, TraceIsOfOneRun) {
  Workplace place;
  place.write("x.pto", kTwoTests);
  Ran ran = place.pto({"run", "x.pto", "--trace", "t.json"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err,
            "pto: error: --trace records one run, and this would be 2; choose with --filter\n");
}

TEST(Outputs, WhatIsSavedFillsAgain) {
  Workplace place;
  place.write("x.pto",
              "window w: bf16[ranks, 3];\nhost main(ranks = 2) { fill w[r, i] = bf16(f32(r * 3 + i "
              "+ rank * 10)); }\n"
              "host look(ranks = 2) { expect w[r, i] == bf16(f32(r * 3 + i + rank * 10)); }\n");
  Ran saved = place.pto({"run", "x.pto", "--out", "w=w{rank}.npy"});
  EXPECT_EQ(saved.exit, 0) << saved.text();
  Ran looked = place.pto({"run", "x.pto", "--host", "look", "--in", "w=w{rank}.npy"});
  EXPECT_EQ(looked.exit, 0) << looked.text();
  Ran empty = place.pto({"run", "x.pto", "--host", "look"});
  EXPECT_EQ(empty.exit, 3) << empty.text();
}

TEST(Outputs, BytecodeSaysWhatItsTextDoes) {
  Workplace place;
  place.write("x.pto", kTwoTests);
  ASSERT_EQ(place.pto({"build", "x.pto", "-o", "x.ptoc"}).exit, 0);
  ASSERT_EQ(place.pto({"build", "x.ptoc", "-o", "y.ptoc"}).exit, 0);
  EXPECT_EQ(place.read("x.ptoc"), place.read("y.ptoc"));
  EXPECT_EQ(place.pto({"dis", "x.ptoc"}).out,
            place.pto({"dump", "--stage", "bytecode", "x.pto"}).out);
  EXPECT_EQ(place.pto({"test", "x.ptoc"}).exit, place.pto({"test", "x.pto"}).exit);
}

/// With JSON on stdout, what programs print goes to stderr.
TEST(Outputs, JsonStandsAlone) {
  Workplace place;
  place.write("x.pto", "host main(ranks = 1) { print(\"hello\"); }\n");
  Ran ran = place.pto({"run", "x.pto", "--report", "json"});
  EXPECT_EQ(ran.err, "[rank 0] hello\n");
  EXPECT_TRUE(bool(llvm::json::parse(ran.out)));
}

TEST(Outputs, FoldersAreTestedInOrder) {
  Workplace place;
  place.makeFolder("b");
  place.write("b/two.pto", "test \"two\" (ranks = 1) { }\n");
  place.write("a.pto", "test \"one\" (ranks = 1) { }\n");
  place.write("notes.txt", "no program\n");
  EXPECT_EQ(place.pto({"test", "."}).out,
            "test \"one\": ok (1 rank, 1 block, a3, seed 0), proved for all schedules\n"
            "test \"two\": ok (1 rank, 1 block, a3, seed 0), proved for all schedules\n"
            "./a.pto: 1 test: 1 ok, 0 failed\n"
            "./b/two.pto: 1 test: 1 ok, 0 failed\n"
            "2 tests: 2 ok, 0 failed\n");
}

} // namespace pto::test
