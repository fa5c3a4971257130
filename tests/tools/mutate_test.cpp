//===- mutate_test.cpp - programs with one synchronising step less, and ranks that are late -===//
#include "tools/tool.h"

#include "gtest/gtest.h"

namespace pto::test {

/// A word is told, and looked at once after all hosts have met.
static constexpr llvm::StringLiteral kToldThenLooked =
    "window word: signal = 0;\n"
    "window seen: i32[1] = 0;\n"
    "kernel tell() { if rank == 0 { tnotify(word@1, 7, Set); } }\n"
    "kernel look() {\n"
    "    if rank == 1 && ttest(word, 7, EQ) { store(seen[0], 1); dcci(seen); }\n"
    "}\n"
    "test \"t\" (ranks = 2) {\n"
    "    launch tell();\n"
    "    barrier();\n"
    "    launch look();\n"
    "    expect seen[0] == 1 where rank == 1;\n"
    "}\n";

TEST(Mutate, SaysWhatBecameOfEachStep) {
  Workplace place;
  place.write("x.pto", kToldThenLooked);
  Ran result = place.pto({"mutate", "x.pto", "--seeds", "3"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_TRUE(llvm::StringRef(result.out)
                  .contains("x.pto:9:5: no barrier of the hosts: reported, signal-left-over "
                            "where rank 0 is late\n"))
      << result.out;
  EXPECT_TRUE(llvm::StringRef(result.out).contains(" 0 slipped; score 100.0 %\n")) << result.out;
}

/// Two ranks only count, so each of the two barriers alone orders nothing.
TEST(Mutate, NamesWhatIsEquivalent) {
  Workplace place;
  place.write("x.pto", "window data: i32[8] = 0;\n"
                       "kernel own() { store(data[0], 1); dcci(data); }\n"
                       "test \"t\" (ranks = 2) { launch own(); barrier(); }\n");
  Ran result = place.pto({"mutate", "x.pto"});
  EXPECT_TRUE(llvm::StringRef(result.out).contains("equivalent, proved for all schedules"))
      << result.out;
}

/// Without its barrier the program holds only while rank 0 is in time.
TEST(Late, ShowsWhatOnlyHeldInTime) {
  Workplace place;
  std::string luck = kToldThenLooked.str();
  luck.erase(luck.find("    barrier();\n"), sizeof("    barrier();\n") - 1);
  place.write("x.pto", luck);
  EXPECT_EQ(place.pto({"test", "x.pto"}).exit, 0);
  EXPECT_EQ(place.pto({"test", "x.pto", "--late", "1"}).exit, 0);
  Ran late = place.pto({"test", "x.pto", "--late", "0"});
  EXPECT_EQ(late.exit, 3);
  EXPECT_TRUE(llvm::StringRef(late.text()).contains("--late 0")) << late.text();
}

TEST(Late, ARightProgramBearsIt) {
  Workplace place;
  place.write("x.pto", kToldThenLooked);
  for (llvm::StringRef rank : {"0", "1"})
    EXPECT_EQ(place.pto({"test", "x.pto", "--late", rank.str()}).exit, 0);
}

} // namespace pto::test
