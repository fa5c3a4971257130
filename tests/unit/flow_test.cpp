// Kernels of a size that nobody writes: they are followed or named as unknown, and cost neither
// minutes nor the memory of the machine.
#include "driver/compile.h"
#include "program/walk.h"

#include "gtest/gtest.h"

namespace pto::test {

namespace {
struct Checked {
  Sources sources;
  Sink sink{sources};
  Compilation compilation;

  explicit Checked(const std::string &text) {
    FileId file = sources.add("x.pto", text);
    compilation = compile(sources, file, {}, sink);
  }
  [[nodiscard]] unsigned errors() const { return sink.errorCount(); }
  [[nodiscard]] std::string unknown() const {
    const std::vector<std::string> &all = compilation.program->unknowns;
    return all.empty() ? "" : all.front();
  }
};
} // namespace

static std::string kernel(const std::string &body) {
  return "window data: f32[1, 64];\nwindow out: f32[1, 64];\nkernel k(n: i32) {\n"
         "tile t: f32[1, 64];\n" +
         body + "}\n";
}

static std::string repeat(const std::string &text, size_t count) {
  std::string all;
  for (size_t i = 0; i != count; ++i)
    all += text;
  return all;
}

TEST(Flow, FollowsHundredsOfOperations) {
  std::string turn = "tload(t, data);\npipe_barrier(ALL);\ntstore(out, t);\npipe_barrier(ALL);\n";
  EXPECT_EQ(Checked(kernel(repeat(turn, 160))).errors(), 0u);
  EXPECT_EQ(Checked(kernel(repeat(turn, 160) + "tload(t, data);\ntstore(out, t);\n")).errors(), 1u);
}

TEST(Flow, FollowsEightyConditions) {
  std::string turn = "if n > 3 {\ntload(t, data);\npipe_barrier(ALL);\ntstore(out, t);\n"
                     "pipe_barrier(ALL);\n}\n";
  EXPECT_EQ(Checked(kernel(repeat(turn, 80))).errors(), 0u);
  EXPECT_EQ(Checked(kernel(repeat(turn, 80) + "tload(t, data);\ntstore(out, t);\n")).errors(), 1u);
}

TEST(Flow, NamesWhatIsTooLargeToFollow) {
  Checked checked(kernel(repeat("if n > 3 {\ntload(t, data);\n}\n", 3000)));
  EXPECT_EQ(checked.errors(), 0u);
  EXPECT_EQ(checked.unknown(), "the order of the operations of `k`: it is too large to follow");
}

//===--- sync auto ---===//

/// How often the compiler wrote an instruction into a kernel.
static size_t inserted(const Checked &checked, Intrinsic which) {
  size_t count = 0;
  for (const auto &function : checked.compilation.program->functions)
    program::walkStatements(function->body, [&](const program::Stmt &stmt, bool) {
      count += stmt.isInserted && stmt.value->intrinsic == which;
    });
  return count;
}

static std::string autoKernel(const std::string &body) {
  return "window data: f32[1, 64];\nwindow out: f32[1, 64];\nkernel k(n: i32) sync auto {\n"
         "tile t: f32[1, 64];\ntile u: f32[1, 64];\n" +
         body + "}\n";
}

/// Each load waits for the store before it, so the ids are free again and again.
TEST(Sync, TakesTheSameIdsAgainWhereTheyAreFree) {
  Checked checked(autoKernel(repeat("tload(t, data);\ntstore(out, t);\n", 40)));
  EXPECT_EQ(checked.errors(), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::SetFlag), 79u);
  EXPECT_EQ(inserted(checked, Intrinsic::WaitFlag), 79u);
  EXPECT_EQ(inserted(checked, Intrinsic::PipeBarrier), 0u);
}

/// All flags would be up at a time: five ids, and then barriers.
TEST(Sync, UsesBarriersWhereTheIdsEnd) {
  std::string tiles, loads, stores;
  for (unsigned i = 0; i != 7; ++i) {
    std::string name = "t" + std::to_string(i);
    tiles.append("tile ").append(name).append(": f32[1, 64];\n");
    loads.append("tload(").append(name).append(", data);\n");
    stores.append("tstore(out, ").append(name).append(");\n");
  }
  Checked checked(autoKernel(tiles + loads + stores));
  EXPECT_EQ(checked.errors(), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::SetFlag), 5u);
  EXPECT_EQ(inserted(checked, Intrinsic::WaitFlag), 5u);
  EXPECT_EQ(inserted(checked, Intrinsic::PipeBarrier), 1u);
}

TEST(Sync, LeavesTheIdsOfTheProgramAlone) {
  std::string flags;
  for (unsigned id = 3; id != 8; ++id)
    flags += "set_flag(V, MTE2, " + std::to_string(id) + ");\nwait_flag(V, MTE2, " +
             std::to_string(id) + ");\n";
  Checked checked(autoKernel(flags + "tload(t, data);\ntstore(out, t);\n"));
  EXPECT_EQ(checked.errors(), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::SetFlag), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::PipeBarrier), 1u);
}

/// The id of the program's flag is computed: it may be any.
TEST(Sync, UsesNoFlagsBesideOneOfUnknownId) {
  Checked checked(autoKernel("set_flag(V, MTE2, n);\nwait_flag(V, MTE2, n);\n"
                             "tload(t, data);\ntstore(out, t);\n"));
  EXPECT_EQ(checked.errors(), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::SetFlag), 0u);
}

/// No path comes by one half of a flag alone.
TEST(Sync, RaisesNoFlagOverAWayOut) {
  Checked checked(autoKernel("tload(t, data);\nif n > 3 { return; }\ntstore(out, t);\n"));
  EXPECT_EQ(checked.errors(), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::SetFlag), 0u);
  EXPECT_EQ(inserted(checked, Intrinsic::PipeBarrier), 1u);
}

} // namespace pto::test
