//===- bytecode_verify_test.cpp - one bad module for each check ------------===//
#include "unit/bytecode_samples.h"

#include "bytecode/limits.h"

#include <gtest/gtest.h>

namespace pto {
namespace {

using samples::message;

constexpr llvm::StringLiteral kGood = R"(
.file 0 "a.pto"
.string 0 "text"
.const 0 i32 1
.const 1 f32 1.5
.object 0 window data: f32[2*ranks+1, 4] align 32 init 0 ; 1:1+4
.object 1 window ready: signal[] align 4 ; 2:1

.function twice ; 3:1
  .result scalar
  .params 1 scalars, 1 views
  .registers r0: i32, r1: i32
  .views 1
   0 add.i32 r0, r1, r1 ; 3:2
   1 ret ; 3:3

.function same ; 4:1
  .result view
  .params 0 scalars, 1 views
  .views 2
   0 movv v0, v1 ; 4:2
   1 ret ; 4:3

.kernel k ; 5:1
  .params 1 scalars, 0 views
  .registers r0: i32, r1: i32, r2: f32, r3: bool, r4: event, r5: session, r6: u8
  .views 4
  .ub 256
   0 const.i32 r0, #0 ; 5:2
   1 add.f32 r2, r2, r2 ; 5:3
   2 convert.i32 r0, f32, r2 ; 5:4
   3 movh r4, r4 ; 5:5
   4 object v0, %0 ; 5:6
   5 index v1, v0, 0, r0 ; 5:7
   6 reshape v1, v0, 1, r0, _, _, _, _ ; 5:8
   7 strided v2, v0, r0, 2 ; 5:9
   8 tile.f32 v3, 4, 9, 0, 0 ; 5:10
   9 tnotify v0, r0, Set ; 5:11
  10 and.u8 r6, r6, r6 ; 5:12
  11 call &0 (twice), r0, v0 ; 5:13
  12 call &1 (same), r0, v0 ; 5:14
  13 jump_if r3, @0 ; 5:15
  14 ret ; 5:16

.host main ; 6:1
  .registers r0: i32, r1: i32
  .views 2
   0 launch &2 (k), r0, v0, _, _ ; 6:2
   1 call &0 (twice), r0, v0 ; 6:3
   2 ret ; 6:4

.entry 0 main main: &3 ranks 4 blocks 2 ; 6:1
)";

Module edited(llvm::StringRef from, llvm::StringRef to) {
  auto [before, after] = kGood.split(from);
  EXPECT_NE(before.size(), kGood.size()) << "not in the sample: " << from.str();
  llvm::Expected<Module> module = assemble((before + to + after).str());
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  return {};
}

struct Edit {
  const char *from, *to, *problem;
};

void expectProblems(llvm::ArrayRef<Edit> edits) {
  for (const Edit &edit : edits)
    EXPECT_EQ(message(verify(edited(edit.from, edit.to))), edit.problem) << edit.to;
}

TEST(Verify, AcceptsTheSampleAndTheEmptyModule) {
  EXPECT_EQ(message(verify(edited("text", "text"))), "");
  EXPECT_EQ(message(verify(Module())), "");
}

TEST(Verify, Tables) {
  expectProblems({
      {"\"a.pto\"", "\"\\xff\"", "file 0 is not UTF-8"},
      {"\"text\"", "\"\\x80\"", "string 0 is not UTF-8"},
      {"i32 1", "i32 0x100000001", "constant 0 is no value of a scalar type"},
      {"window data", "window \"\\xff\"", "object \"\\xff\": its name is not UTF-8"},
      {"align 32", "align 24",
       "object data: its alignment must be a power of two up to 1048576, not 24"},
      {"align 32", "align 2097152",
       "object data: its alignment must be a power of two up to 1048576, not 2097152"},
      {"align 4", "align 2", "object ready: its alignment is smaller than an element"},
      {", 4]", ", 4, 4, 4, 4, 4]", "object data: it has 6 dimensions, the limit is 5"},
      {", 4]", ", 281474976710657]", "object data: extent 281474976710657 is out of range"},
      {"2*ranks", "-281474976710657*ranks",
       "object data: extent -281474976710657*ranks+1 is out of range"},
      {"init 0", "init 0x100000000", "object data: its initial value is no f32"},
      {"; 1:1+4", "; 1:1:1+4", "object data: its place is in no file"},
      {"; 1:1+4", "; 1:0", "object data: its place is in no file"},
  });
  Module module = edited("text", "text");
  module.objects[1].type = ScalarType::F32;
  EXPECT_EQ(message(verify(module)), "object ready: signal words are i32, not f32");
  module.objects[1].type = ScalarType(200);
  EXPECT_EQ(message(verify(module)), "object ready: scalar type 200 does not exist");
  module.objects.resize(kMaxObjects + 1);
  EXPECT_EQ(message(verify(module)), "the module has 65537 objects, the limit is 65536");
}

TEST(Verify, Heads) {
  expectProblems({
      {"function twice", "function \"\\xff\"", "function \"\\xff\": its name is not UTF-8"},
      {"views 4", "views 65537", "function k: it has more registers than 65536"},
      {"ub 256", "ub 1048577", "function k: it needs 1048577 bytes of UB, the limit is 1048576"},
      {"params 1 scalars, 1 views", "params 1 scalars, 2000 views",
       "function twice: it has more parameters than 1024"},
      {"params 1 scalars, 1 views", "params 2 scalars, 1 views",
       "function twice: result and parameters need 3 registers, it has 2"},
      {"params 1 scalars, 1 views", "params 1 scalars, 2 views",
       "function twice: result and parameters need 2 views, it has 1"},
      {".kernel k ; 5:1", ".kernel k ; 5:1\n.result scalar",
       "function k: a kernel or host has no result"},
      {"params 1 scalars, 0 views", "params 5 scalars, 0 views",
       "function k: a parameter of a kernel or host cannot be a handle"},
      {"; 3:1", "; 9:3:1", "function twice: its place is in no file"},
      {".host main ; 6:1", ".host main ; 6:1\n.host other ; 6:1", "function main: it has no code"},
  });
}

TEST(Verify, HeadsThatTextCannotSay) {
  Module good = edited("text", "text");
  auto problem = [&](auto change) {
    Module module = good;
    change(module.functions[0]);
    return message(verify(module));
  };
  EXPECT_EQ(problem([](Function &f) { f.kind = FunctionKind(3); }),
            "function twice: it is of no kind");
  EXPECT_EQ(problem([](Function &f) { f.registers[0] = RegisterType(kRegisterTypeCount); }),
            "function twice: register type 16 does not exist");
  EXPECT_EQ(problem([](Function &f) { f.places.pop_back(); }),
            "function twice: it has 1 places for 2 instructions");
  EXPECT_EQ(problem([](Function &f) { f.hasResult = false, f.resultIsView = true; }),
            "function twice: it returns a view but has no result");
  EXPECT_EQ(problem([](Function &f) { f.code.resize(kMaxCode + 1, {Opcode::Return}); }),
            "function twice: it has more instructions than 4194304");
  EXPECT_EQ(problem([](Function &f) { f.code[0].opcode = Opcode(255); }),
            "function twice: instruction 0: opcode 255 does not exist");
  EXPECT_EQ(problem([](Function &f) { f.code[0].type = ScalarType(99); }),
            "function twice: instruction 0 (add): scalar type 99 does not exist");
}

TEST(Verify, Operands) {
  expectProblems({
      {"add.i32 r0", "add.i32 r2",
       "function twice: instruction 0 (add.i32): r2 does not exist, there are 2 registers"},
      {"movv v0, v1", "movv v0, v2",
       "function same: instruction 0 (movv): v2 does not exist, there are 2 views"},
      {"@0", "@15",
       "function k: instruction 13 (jump_if): @15 does not exist, there are 15 instructions"},
      {"call &0", "call &4",
       "function k: instruction 11 (call): &4 does not exist, there are 4 functions"},
      {"r0, #0", "r0, #2",
       "function k: instruction 0 (const.i32): #2 does not exist, there are 2 constants"},
      {"%0", "%2", "function k: instruction 4 (object): %2 does not exist, there are 2 objects"},
      {"and.u8 r6, r6, r6", "print $1",
       "function k: instruction 10 (print): $1 does not exist, there are 1 strings"},
      {"; 5:2", "; 1:5:2", "function k: instruction 0 (const.i32): its place is in no file"},
  });
}

TEST(Verify, Types) {
  expectProblems({
      {"r0, #0", "r0, #1", "function k: instruction 0 (const.i32): #1 is f32, not i32"},
      {"add.f32 r2, r2, r2", "add.f32 r2, r2, r1",
       "function k: instruction 1 (add.f32): r1 is i32, not f32"},
      {"add.f32 r2, r2, r2", "add.bool r3, r3, r3",
       "function k: instruction 1 (add.bool): it does not work on bool"},
      {"add.f32 r2, r2, r2", "xor.f32 r2, r2, r2",
       "function k: instruction 1 (xor.f32): it does not work on f32"},
      {"add.f32 r2, r2, r2", "shl.f32 r2, r2, r2",
       "function k: instruction 1 (shl.f32): it does not work on f32"},
      {"add.f32 r2, r2, r2", "eq.f32 r2, r2, r2",
       "function k: instruction 1 (eq.f32): r2 is f32, not bool"},
      {"r0, f32, r2", "r0, f32, r1", "function k: instruction 2 (convert.i32): r1 is i32, not f32"},
      {"movh r4, r4", "movh r4, r5", "function k: instruction 3 (movh): r5 is session, not event"},
      {"movh r4, r4", "movh r0, r0", "function k: instruction 3 (movh): r0 is i32, not handle"},
      {"v0, 0, r0", "v0, 0, r2", "function k: instruction 5 (index): r2 is f32, not int"},
      {"jump_if r3", "jump_if r0", "function k: instruction 13 (jump_if): r0 is i32, not bool"},
  });
  Module module = edited("text", "text");
  module.functions[2].code[2].operands[1] = kScalarTypeCount;
  EXPECT_EQ(message(verify(module)),
            "function k: instruction 2 (convert.i32): scalar type 12 does not exist");
  module = edited("text", "text");
  module.functions[2].code[9].operands[2] = 2;
  EXPECT_EQ(message(verify(module)),
            "function k: instruction 9 (tnotify): NotifyOp has no value 2");
}

TEST(Verify, Numbers) {
  expectProblems({
      {"v0, 0, r0", "v0, 5, r0", "function k: instruction 5 (index): there is no dimension 5"},
      {"v0, r0, 2", "v0, r0, 6",
       "function k: instruction 7 (strided): it cannot make 6 dimensions"},
      {"v0, 1, r0", "v0, 0, r0",
       "function k: instruction 6 (reshape): it cannot make 0 dimensions"},
      {"v0, 1, r0", "v0, 2, r0",
       "function k: instruction 6 (reshape): it must have exactly 2 sizes"},
      {"1, r0, _, _", "1, r0, _, r0",
       "function k: instruction 6 (reshape): it must have exactly 1 sizes"},
      {"4, 9, 0, 0", "0, 9, 0, 0", "function k: instruction 8 (tile.f32): a tile cannot be 0 x 9"},
      {"4, 9, 0, 0", "4, 4294967295, 0, 0",
       "function k: instruction 8 (tile.f32): a tile cannot be 4 x 4294967295"},
      {"4, 9, 0, 0", "4, 9, 0, 2",
       "function k: instruction 8 (tile.f32): its last operand must be 0 or 1, not 2"},
      {"4, 9, 0, 0", "5, 9, 0, 0",
       "function k: instruction 8 (tile.f32): the tile ends at byte 320 of 256 bytes of UB"},
      {"4, 9, 0, 0", "1, 8, 4294967295, 1",
       "function k: instruction 8 (tile.f32): the tile ends at byte 4294967327 of 1048576 bytes of "
       "UB"},
  });
}

TEST(Verify, Ends) {
  expectProblems({
      {"1 ret", "1 rank r0",
       "function twice: instruction 1 (rank): the code must end with ret, jump or assert_fail"},
      {"1 ret", "1 jump @0", ""},
      {"1 ret", "1 assert_fail $0", ""},
  });
}

TEST(Verify, Calls) {
  expectProblems({
      {"call &0 (twice), r0", "call &2 (k), r0",
       "function k: instruction 11 (call): k is a kernel or a host, which nobody calls"},
      {"launch &2 (k)", "launch &0 (twice)",
       "function main: instruction 0 (launch): twice is not a kernel"},
      {"call &0 (twice), r0, v0", "call &0 (twice), r6, v0",
       "function k: instruction 11 (call): it passes 2 registers from r6 on, there are 7"},
      {"call &0 (twice), r0, v0", "call &0 (twice), r0, v4",
       "function k: instruction 11 (call): it passes 1 views from v4 on, there are 4"},
      {"call &0 (twice), r0, v0", "call &0 (twice), r1, v0",
       "function k: instruction 11 (call): r2 is f32, r1 of twice is i32"},
      {"0 add.i32 r0, r1, r1", "0 call &0, r0, v0",
       "function twice: it calls itself, or is called by functions that do"},
  });
}

TEST(Verify, Contexts) {
  expectProblems({
      {"0 add.i32 r0, r1, r1", "0 dsb",
       "function twice: instruction 0 (dsb): only a kernel can run it, but host main comes here"},
      {"0 add.i32 r0, r1, r1", "0 tile.u8 v0, 1, 1, 0, 1",
       "function twice: instruction 0 (tile.u8): only a kernel can run it, but host main comes "
       "here"},
      {"0 add.i32 r0, r1, r1", "0 sync",
       "function twice: instruction 0 (sync): only a host can run it, but kernel k comes here"},
      {"0 movv v0, v1", "0 dsb", ""},
  });
}

/// Functions of which each calls the next.
Module chain(uint32_t length, uint32_t viewCount, uint32_t ubBytes) {
  Module module;
  module.files = {"a.pto"};
  for (uint32_t i = 0; i != length; ++i) {
    Function &function = module.functions.emplace_back();
    function.name = "f" + std::to_string(i);
    function.viewCount = viewCount;
    function.ubBytes = ubBytes;
    if (i + 1 != length)
      function.code.push_back({Opcode::Call, {}, {i + 1, 0, 0}});
    function.code.push_back({Opcode::Return});
    function.places.resize(function.code.size());
  }
  return module;
}

TEST(Verify, Stack) {
  EXPECT_EQ(message(verify(chain(4, kMaxRegisters, kMaxUbBytes / 4))), "");
  EXPECT_EQ(message(verify(chain(5, kMaxRegisters, 0))),
            "function f0: with all that it calls it needs 327680 registers, the limit is 262144");
  EXPECT_EQ(message(verify(chain(2, 0, kMaxUbBytes))), "function f0: with all that it calls it "
                                                       "needs 2097152 bytes of UB, the limit is "
                                                       "1048576");
  EXPECT_EQ(message(verify(chain(50000, 1, 1))), "");
}

TEST(Verify, Entries) {
  expectProblems({
      {"main main: &3", "main \"\\xff\": &3", "entry \"\\xff\": its name or target is not UTF-8"},
      {"main main: &3", "main main: &4", "entry main: function 4 does not exist"},
      {"main main: &3", "main main: &2", "entry main: function k is not a host"},
      {".host main ; 6:1", ".host main ; 6:1\n.params 1 scalars, 0 views",
       "entry main: host main has parameters"},
      {"ranks 4", "ranks 65537", "entry main: 65537 ranks are out of range"},
      {"blocks 2", "blocks 65537", "entry main: 65537 blocks are out of range"},
      {"blocks 2 ; 6:1", "blocks 2 ; 7:6:1", "entry main: its place is in no file"},
  });
  Module module = edited("text", "text");
  module.entries[0].expectedViolations = {Rule(0xffff)};
  EXPECT_EQ(message(verify(module)), "entry main: it expects a rule that does not exist");
}

} // namespace
} // namespace pto
