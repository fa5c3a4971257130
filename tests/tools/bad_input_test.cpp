//===- bad_input_test.cpp - nothing that is fed to pto may break it ----------===//
//
// Every input must end by itself, with the exit code of its kind (1: the program is wrong, 2: wrong
// usage or environment, 3: the run), with at least one error and no flood of them, and in words:
// no crash, no hang, no message of a library or of the C++ runtime.
//
//===----------------------------------------------------------------------===//
#include "tools/npy_bytes.h"
#include "tools/tool.h"

#include "gtest/gtest.h"

#include <vector>

namespace pto::test {

namespace {
struct BadInput {
  std::string name;
  std::vector<std::string> words; ///< What follows `pto`; the input is `x.pto`.
  int exit;
  std::string said;      ///< Must stand in the output.
  std::string text = ""; ///< Of x.pto.
  size_t mostErrors = 1;
};
} // namespace

static std::string repeat(llvm::StringRef what, size_t times) {
  std::string text;
  text.reserve(what.size() * times);
  for (size_t i = 0; i != times; ++i)
    text += what;
  return text;
}

/// Marks of a message that was not meant for the user.
static void expectPlainWords(const Ran &ran) {
  for (llvm::StringRef mark : {"LLVM ERROR", "Stack dump", "terminate called", "Assertion `",
                               "Sanitizer", "runtime error:", "std::", "argument!"})
    EXPECT_FALSE(llvm::StringRef(ran.text()).contains(mark)) << ran.text();
}

static size_t countErrors(llvm::StringRef text) { return text.count(" error: "); }

static void expectRefusal(const Ran &ran, int exit, llvm::StringRef said, size_t mostErrors = 1) {
  std::string shown = llvm::StringRef(ran.text()).take_front(2000).str();
  EXPECT_EQ(ran.failure, "") << shown;
  EXPECT_EQ(ran.exit, exit) << shown;
  EXPECT_TRUE(llvm::StringRef(ran.text()).contains(said)) << "not said: " << said.str() << "\n"
                                                          << shown;
  EXPECT_GE(countErrors(ran.text()), 1u) << shown;
  EXPECT_LE(countErrors(ran.text()), mostErrors) << shown;
  expectPlainWords(ran);
}

//===--- Text that is no program, and programs that are no sense ------------===//

static constexpr llvm::StringLiteral kSmall =
    "const N: i32 = 4;\nwindow a: f32[N];\n"
    "test \"t\" (ranks = 2) { expect a[i] == 0 where i < 0; }\n";

static std::string inKernel(const std::string &statement) {
  return "kernel k() { " + statement + " }\n";
}

/// A test with these settings.
static std::string inTest(const std::string &settings, const std::string &body = "launch k();") {
  return "kernel k() { }\ntest \"t\" (" + settings + ") { " + body + " }\n";
}

static std::vector<BadInput> badTexts() {
  const std::vector<std::string> check = {"check", "x.pto"};
  const std::string deep = "[nesting-too-deep]";
  constexpr size_t kDeep = 100'000;
  return {
      {"Empty", check, 1, "[empty-file]"},
      {"OnlySpaces", check, 1, "[empty-file]", " \n\t\r\n"},
      {"OnlyComments", check, 1, "[empty-file]", "// x\n/* y */\n"},
      {"Zeros", check, 1, "[invalid-utf8]", std::string(1000, '\0')},
      {"InvalidUtf8", check, 1, "offset 21", "window a: f32[4]; // \xff\xfe\n"},
      {"Parentheses", check, 1, deep,
       "const a: i32 = " + repeat("(", kDeep) + "1" + repeat(")", kDeep) + ";"},
      {"OpenParentheses", check, 1, deep, "const a: i32 = " + repeat("(", kDeep)},
      {"Brackets", check, 1, deep,
       inKernel("let a = " + repeat("[", kDeep) + repeat("]", kDeep) + ";")},
      {"Braces", check, 1, deep, "kernel k() " + repeat("{", kDeep) + repeat("}", kDeep)},
      {"OpenBraces", check, 1, deep, "kernel k() " + repeat("{", kDeep)},
      {"UnaryMinus", check, 1, deep, "const a: i32 = " + repeat("-", kDeep) + "1;"},
      {"Sum", check, 1, deep, "const a: i32 = 1" + repeat("+1", kDeep) + ";"},
      {"Calls", check, 1, deep,
       inKernel("let a = " + repeat("f(", kDeep) + repeat(")", kDeep) + ";")},
      {"Subscripts", check, 1, deep,
       "window w: f32[4];\n" + inKernel("let a = w" + repeat("[0]", kDeep) + ";")},
      {"ElseIf", check, 1, deep, inKernel("if true { }" + repeat(" else if true { }", kDeep))},
      {"OpenComments", check, 1, "[unterminated-comment]", repeat("/*", kDeep)},
      {"OneLineOfTenMegabytes", check, 1, "[syntax-error]", std::string(10 << 20, 'x')},
      {"TenMegabytesOfGarbage", check, 1, "[bad-character]",
       repeat("@#$%^ ~ ( [ x y 1 \n", 550'000), 20},
      {"SelfImport", check, 1, "[import-cycle]", "import \"x.pto\";\nwindow a: f32[4];\n"},
      {"MissingImport", check, 1, "[import-not-found]",
       "import \"nothere.pto\";\nwindow a: f32[4];\n"},
      {"MissingModule", check, 1, "[import-not-found]", "import std.nothere;\nwindow a: f32[4];\n"},
  };
}

static std::vector<BadInput> badWorlds() {
  const std::vector<std::string> run = {"run", "x.pto"};
  const std::vector<std::string> steps = {"run", "x.pto", "--steps", "20000"};
  return {
      {"WindowBeyondMemory", run, 2, "`a`, the largest object",
       "window a: f32[8000000000];\n" + inTest("ranks = 2")},
      {"WindowsBeyondGm", run, 2, "bytes of GM",
       "window a: f32[20000000000];\n" + inTest("ranks = 1")},
      {"WindowBeyond63Bits", run, 1, "[too-large]",
       "window a: f32[4611686018427387904, 4];\n" + inTest("ranks = 2")},
      {"WindowBeyond64Bits", run, 1, "[bad-literal]",
       "window a: f32[99999999999999999999];\n" + inTest("ranks = 2")},
      {"WindowBelowZero", run, 1, "[bad-shape]", "window a: f32[-1];\n" + inTest("ranks = 2")},
      {"NoRanks", run, 1, "`ranks` is 1 to 65536, not 0", inTest("ranks = 0")},
      {"HundredThousandRanks", run, 1, "not 100000", inTest("ranks = 100000")},
      {"RanksBelowZero", run, 1, "not -1", inTest("ranks = -1")},
      {"RanksBeyond32Bits", run, 1, "not 5000000000", inTest("ranks = 5000000000")},
      {"RanksInWords", run, 1, "[type-mismatch]", inTest("ranks = \"x\"")},
      {"NoBlocks", run, 1, "[bad-setting]", inTest("ranks = 2, blocks = 0")},
      {"UnknownSetting", run, 1, "[bad-setting]", inTest("ranks = 2, speed = 3")},
      {"UnknownTarget", run, 1, "[bad-setting]", inTest("ranks = 2, target = b3")},
      {"LaunchOfNoBlocks", run, 1, "[bad-setting]", inTest("ranks = 2", "launch k() blocks 0;")},
      {"LaunchOfTooManyBlocks", run, 3, "[bad-setting]",
       inTest("ranks = 2", "launch k() blocks 1000000000;")},
      {"EndlessKernel", steps, 3, "[step-limit]",
       "kernel k() { loop { } }\ntest \"t\" (ranks = 2) { launch k(); }\n"},
      {"EndlessHost", steps, 3, "[step-limit]", inTest("ranks = 2", "loop { }")},
      {"EndlessPoll", steps, 3, "[deadlock]",
       "window s: signal = 0;\nkernel k() { while !ttest(s, 1, EQ) { } }\ntest \"t\" (ranks = 2) { "
       "launch k(); }\n"},
      {"NothingToRun", run, 1, "[nothing-to-run]", "window a: f32[4];\n"},
      {"MissingFill", run, 2, "test \"t\": cannot fill from",
       "window a: f32[4];\n" + inTest("ranks = 2", "fill a from \"f.npy\";")},
  };
}

/// PTO IR by every first token that it can begin with.
static std::vector<BadInput> intermediateTexts() {
  std::vector<BadInput> inputs;
  for (llvm::StringRef text :
       {"module {\n}\n", "module attributes {pto.target_arch = \"a3\"} {\n}\n", "module @m {}\n",
        "func.func @k() {\n  return\n}\n", "#map = affine_map<(d0) -> (d0)>\nmodule {}\n",
        "!t = i32\nmodule {}\n", "\"pto.tload\"() : () -> ()\n",
        "// a comment first\nmodule {\n}\n"})
    inputs.push_back({"PtoIr" + std::to_string(inputs.size()),
                      {"check", "x.pto"},
                      1,
                      "[pto-ir-input]",
                      text.str()});
  return inputs;
}

//===--- The command line ------------------------------------------------------===//

// clang-format off
static std::vector<BadInput> badCommands() {
  const std::string small = kSmall.str();
  return {
      {"UnknownCommand",         {"frobnicate", "x.pto"},              2, "no command 'frobnicate'; there are check, lint"},
      {"CommandOfLaterVersions", {"prove", "x.pto"},                   2, "there is no command 'prove'"},
      {"UnknownOption",          {"check", "x.pto", "--bogus"},        2, "no option '--bogus'; `pto check --help`"},
      {"OptionOfAnotherCommand", {"check", "x.pto", "--seeds", "3"},   2, "there is no option '--seeds'"},
      {"NoFile",                 {"check"},                            2, "needs a file"},
      {"TwoFilesToRun",          {"run", "x.pto", "x.pto"},            2, "takes one file"},
      {"MissingFile",            {"check", "nothere.pto"},             2, "cannot read 'nothere.pto'"},
      {"Folder",                 {"run", "."},                         2, "it is a directory"},
      {"UnknownHost",            {"run", "x.pto", "--host", "nope"},   1, "no `host nope`", small},
      {"NoTestOfThatName",       {"test", "x.pto", "--filter", "no"},  2, "no test was found", small},
      {"UnknownRuleToExplain",   {"explain", "nope"},                  2, "there is no rule 'nope'"},
      {"TextToDisassemble",      {"dis", "x.pto"},                     2, "no .ptoc file", small},
      {"BuildWithoutOutput",     {"build", "x.pto"},                   2, "-o x.ptoc", small},
  };
}

static std::vector<BadInput> badValues() {
  const std::string small = kSmall.str();
  return {
      {"RanksZero",           {"run", "x.pto", "--ranks", "0"},              2, "--ranks takes 1 to 65536, not '0'", small},
      {"RanksAbc",            {"run", "x.pto", "--ranks", "abc"},            2, "not 'abc'", small},
      {"RanksMinus",          {"run", "x.pto", "--ranks", "-1"},             2, "not '-1'", small},
      {"RanksHuge",           {"run", "x.pto", "--ranks", "99999999999999999999"}, 2, "--ranks takes", small},
      {"SeedsZero",           {"test", "x.pto", "--seeds", "0"},             2, "--seeds takes", small},
      {"LateMinus",           {"test", "x.pto", "--late", "-1"},             2, "--late takes 0 to 65535, not '-1'", small},
      {"LateIsNoRank",        {"run", "x.pto", "--late", "4"},               2, "rank 4 cannot be late", small},
      {"ModeParallel",        {"run", "x.pto", "--mode", "parallel"},        2, "--mode is sim in this version", small},
      {"UnknownFormat",       {"check", "x.pto", "--format", "xml"},         2, "the format is text, json or sarif", small},
      {"UnknownStage",        {"dump", "--stage", "nope", "x.pto"},          2, "--stage is tokens", small},
      {"UnknownTargetOption", {"check", "x.pto", "--target", "b3"},          2, "'b3' is no target", small},
      {"UnknownNic",          {"check", "x.pto", "--target", "a2,nic=x"},    2, "'x' is no known NIC", small},
      {"UnknownRuleToAllow",  {"check", "x.pto", "-W", "nope=allow"},        2, "there is no rule 'nope'", small},
      {"UnknownVerdict",      {"check", "x.pto", "-W", "deadlock=maybe"},    2, "takes allow, warn or deny", small},
      {"VerdictWithoutValue", {"check", "x.pto", "-W", "deadlock"},          2, "-W takes SLUG=", small},
      {"DefineOfNothing",     {"check", "x.pto", "-D", "=3"},                2, "-D takes NAME=VALUE", small},
      {"DefineWithoutValue",  {"check", "x.pto", "-D", "N"},                 2, "-D takes NAME=VALUE", small},
      {"DefineUnknown",       {"check", "x.pto", "-D", "M=3"},               1, "no top-level `const M`", small},
      {"DefineInWords",       {"check", "x.pto", "-D", "N=abc"},             1, "`abc` is no i32", small},
      {"DefineTooLarge",      {"check", "x.pto", "-D", "N=99999999999"},     1, "[bad-define]", small},
      {"DefineEmpty",         {"check", "x.pto", "-D", "N="},                1, "[bad-define]", small},
  };
}

static std::vector<BadInput> badOutputs() {
  const std::string small = kSmall.str();
  return {
      {"BuildIntoFolder",        {"build", "x.pto", "-o", "."},              2, "cannot write '.'", small},
      {"BuildIntoMissingFolder", {"build", "x.pto", "-o", "no/x.ptoc"},      2, "cannot write", small},
      {"TraceIntoMissingFolder", {"run", "x.pto", "--trace", "no/t.json"},   2, "cannot write", small},
      {"JunitIntoMissingFolder", {"test", "x.pto", "--junit", "no/t.xml"},   2, "cannot write", small},
      {"SaveIntoMissingFolder",  {"run", "x.pto", "--out", "a=no/a.npy"},    2, "cannot save", small},
#ifdef __linux__ // A device that is always full.
      {"BuildToFullDisk",        {"build", "x.pto", "-o", "/dev/full"},      2, "No space left", small},
      {"TraceToFullDisk",        {"run", "x.pto", "--trace", "/dev/full"},   2, "No space left", small},
      {"JunitToFullDisk",        {"test", "x.pto", "--junit", "/dev/full"},  2, "No space left", small},
      {"SaveToFullDisk",         {"run", "x.pto", "--out", "a=/dev/full"},   2, "No space left", small},
#endif
  };
}
// clang-format on

class BadInputTest : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, IsRefusedInWords) {
  const BadInput &input = GetParam();
  Workplace place;
  place.write("x.pto", input.text);
  expectRefusal(place.pto(input.words), input.exit, input.said, input.mostErrors);
}

static std::string nameOf(const ::testing::TestParamInfo<BadInput> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Texts, BadInputTest, ::testing::ValuesIn(badTexts()), nameOf);
INSTANTIATE_TEST_SUITE_P(Worlds, BadInputTest, ::testing::ValuesIn(badWorlds()), nameOf);
INSTANTIATE_TEST_SUITE_P(Intermediate, BadInputTest, ::testing::ValuesIn(intermediateTexts()),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Commands, BadInputTest, ::testing::ValuesIn(badCommands()), nameOf);
INSTANTIATE_TEST_SUITE_P(Values, BadInputTest, ::testing::ValuesIn(badValues()), nameOf);
INSTANTIATE_TEST_SUITE_P(Outputs, BadInputTest, ::testing::ValuesIn(badOutputs()), nameOf);

TEST(BadInput, ACycleOfTwoFiles) {
  Workplace place;
  place.write("x.pto", "import \"y.pto\";\nwindow a: f32[4];\n");
  place.write("y.pto", "import \"x.pto\";\nwindow b: f32[4];\n");
  expectRefusal(place.pto({"check", "x.pto"}), 1, "x.pto imports y.pto imports x.pto");
}

#ifdef __linux__
TEST(BadInput, StandardOutputIsFull) {
  Workplace place;
  place.write("x.pto", kSmall);
  for (std::vector<std::string> words : {std::vector<std::string>{"targets"}, {"run", "x.pto"}})
    expectRefusal(place.pto(words, "/dev/full"), 2, "cannot write the output: No space left");
}
#endif

/// Large is not wrong.
TEST(BadInput, TenMegabytesOfProgram) {
  std::string text;
  for (size_t i = 0; text.size() < (10u << 20); ++i)
    text += "/// One of very many constants, each with a comment.\nconst c" + std::to_string(i) +
            ": i32 = 1;\n";
  Workplace place;
  place.write("x.pto", text);
  Ran ran = place.pto({"check", "x.pto"});
  EXPECT_EQ(ran.failure, "");
  EXPECT_EQ(ran.exit, 0) << ran.text().substr(0, 500);
}

//===--- .npy files ----------------------------------------------------------------===//

static void expectNoFill(llvm::StringRef bytes, llvm::StringRef said) {
  Workplace place;
  place.write("x.pto", "window a: f32[4];\nhost main(ranks = 2) { expect a[i] == f32(i); }\n");
  place.write("a.npy", bytes);
  expectRefusal(place.pto({"run", "x.pto", "--in", "a=a.npy"}), 2, said);
}

TEST(BadNpy, RightOnesAreTaken) {
  Workplace place;
  place.write("x.pto", "window a: f32[4];\nhost main(ranks = 2) { expect a[i] == f32(i); }\n");
  place.write("a.npy", NpyBytes().text());
  Ran ran = place.pto({"run", "x.pto", "--in", "a=a.npy"});
  EXPECT_EQ(ran.exit, 0) << ran.text();
}

TEST(BadNpy, WrongOnesAreRefused) {
  expectNoFill("", "it is not a .npy file");
  expectNoFill("hello, this is no array", "it is not a .npy file");
  expectNoFill(NpyBytes().text().substr(0, 9), "it is not a .npy file");
  expectNoFill(NpyBytes().text().substr(0, 40), "ends inside its header");
  expectNoFill(NpyBytes{.headerBytes = 60'000}.text(), "ends inside its header");
  expectNoFill(NpyBytes{.shape = "(5,)"}.text(), "its shape is (5,), and the object's is (4,)");
  expectNoFill(NpyBytes{.shape = "(2, 2)"}.text(), "its shape is (2, 2)");
  expectNoFill(NpyBytes{.shape = "(-4,)"}.text(), "the impossible shape");
  expectNoFill(NpyBytes{.shape = "(4611686018427387904, 16)"}.text(), "its shape is");
  expectNoFill(NpyBytes{.type = "<i4"}.text(), "it holds <i4, and the object is <f4");
  expectNoFill(NpyBytes{.type = ">f4"}.text(), "it holds >f4");
  expectNoFill(NpyBytes{.type = "|O"}.text(), "it holds |O");
  expectNoFill(NpyBytes{.isFortran = "True"}.text(), "not in C order");
  expectNoFill(NpyBytes{.data = std::string(10, '\0')}.text(),
               "it has 10 bytes of data; its shape needs 16");
}

TEST(BadNpy, MissingOnesAreNamed) {
  Workplace place;
  place.write("x.pto", "window a: f32[4];\nhost main(ranks = 2) { sync; }\n");
  expectRefusal(place.pto({"run", "x.pto", "--in", "a=nothere.npy"}), 2, "nothere.npy");
  expectRefusal(place.pto({"run", "x.pto", "--in", "b=nothere.npy"}), 2, "called `b`");
  expectRefusal(place.pto({"run", "x.pto", "--in", "a=."}), 2, "cannot fill from .");
}

//===--- Bytecode --------------------------------------------------------------------===//

class BadBytecode : public ::testing::Test {
protected:
  void SetUp() override {
    place.write("x.pto", kSmall);
    Ran ran = place.pto({"build", "x.pto", "-o", "x.ptoc"});
    ASSERT_EQ(ran.exit, 0) << ran.text();
    good = place.read("x.ptoc");
    ASSERT_EQ(place.pto({"run", "x.ptoc"}).exit, 0);
  }
  void expectRefused(llvm::StringRef bytes) const {
    place.write("bad.ptoc", bytes);
    expectRefusal(place.pto({"run", "bad.ptoc"}), 2, "'bad.ptoc'");
  }
  Workplace place;
  std::string good;
};

TEST_F(BadBytecode, CutAnywhere) {
  for (size_t length = 0; length < good.size(); length += 1 + good.size() / 40)
    expectRefused(llvm::StringRef(good).take_front(length));
}

TEST_F(BadBytecode, AnyBitFlipped) {
  for (size_t at = 0; at < good.size(); at += 1 + good.size() / 60) {
    std::string bad = good;
    bad[at] = char(bad[at] ^ 1 << at % 8);
    expectRefused(bad);
  }
}

TEST_F(BadBytecode, MoreBehindItsEnd) { expectRefused(good + "x"); }

TEST_F(BadBytecode, WhereTextIsWanted) {
  expectRefusal(place.pto({"check", "x.ptoc"}), 2, "is bytecode: `pto run` runs it");
  expectRefusal(place.pto({"dump", "--stage", "ast", "x.ptoc"}), 2, "is bytecode");
  expectRefusal(place.pto({"run", "x.ptoc", "-D", "N=3"}), 2, "'x.ptoc' is bytecode");
}

} // namespace pto::test
