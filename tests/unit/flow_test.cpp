// Kernels of a size that nobody writes: they are followed or named as unknown, and cost neither
// minutes nor the memory of the machine.
#include "driver/compile.h"

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

} // namespace pto::test
