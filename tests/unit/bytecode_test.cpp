//===- bytecode_test.cpp - both forms of a module, and hostile ones --------===//
#include "unit/bytecode_samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pto {
namespace {

using samples::binary;
using samples::message;
using samples::text;

constexpr const char *kPutAndNotify = R"(.file 0 "put.pto"
.string 0 "text"
.const 0 i32 1
.object 0 window data: f32[1024] align 32            ; 2:8+4
.object 1 window inbox: f32[ranks, 2*ranks+1] align 32 ; 3:8+5
.object 2 window ready: signal[] align 4 init 0      ; 4:8+5

.kernel put_and_notify                               ; 6:8+14
  .registers r0: i32, r1: i32, r2: session, r3: event, r4: bool
  .views 5
  .ub 256
   0  rank           r0                              ; 7:16
   1  const.i32      r1, #0 (1)                      ; 7:20+9
   2  tile.u8        v3, 1, 256, 0, 0                ; 8:5+12
   3  session        r2, v3, SDMA, r1, _, _, _, _    ; 9:13
   4  object         v0, %0 (data)                   ; 10:5
   5  object         v1, %1 (inbox)                  ; 10:5
   6  object         v2, %2 (ready)                  ; 10:5
   7  peer           v1, v1, r0                      ; 10:5
   8  peer           v2, v2, r0                      ; 10:5
   9  tput_async_notify r3, v1, v0, v2, r1, Set, r2  ; 10:16+32
  10  wait           r4, r3                          ; 11:5
  11  jump_if        r4, @13                         ; 11:5
  12  assert_fail    $0 ("text")                     ; 11:5
  13  ret                                            ; 12:1

.host main                                           ; 14:6+4
   0  launch         &0 (put_and_notify), r0, v0, _, _ ; 15:5
   1  ret                                            ; 16:1

.entry 0 test main: &1 (main) ranks 4                ; 14:6+4
)";

Module assembled(llvm::StringRef source) {
  llvm::Expected<Module> module = assemble(source);
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    return {};
  }
  return std::move(*module);
}

TEST(Bytecode, TextReadsLikeAPage) {
  Module module = assembled(kPutAndNotify);
  EXPECT_EQ(message(verify(module)), "");
  EXPECT_EQ(text(module), kPutAndNotify);
  EXPECT_EQ(message(readBinary(binary(module))), "");
}

TEST(Bytecode, OneFunctionAlone) {
  std::string words;
  llvm::raw_string_ostream out(words);
  Module module = assembled(kPutAndNotify);
  disassemble(out, module, module.functions.back());
  EXPECT_TRUE(llvm::StringRef(words).starts_with(".host main ")) << words;
  EXPECT_NE(llvm::StringRef(kPutAndNotify).find(words), llvm::StringRef::npos);
}

TEST(Bytecode, EveryInstructionRoundTrips) {
  Module module = samples::everyInstruction();
  ASSERT_EQ(message(verify(module)), "");
  std::string bytes = binary(module);
  llvm::Expected<Module> read = readBinary(bytes);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(binary(*read), bytes);
  EXPECT_EQ(binary(assembled(text(module))), bytes);
  EXPECT_EQ(text(*read), text(module));
}

TEST(Bytecode, EveryInstructionIsInTheSample) {
  std::vector<bool> seen(kOpcodeCount);
  for (const Function &function : samples::everyInstruction().functions)
    for (const Instruction &instruction : function.code)
      seen[size_t(instruction.opcode)] = true;
  for (unsigned i = 0; i != kOpcodeCount; ++i)
    EXPECT_TRUE(seen[i]) << info(Opcode(i)).mnemonic.str();
}

TEST(Bytecode, EveryEnumeratorRoundTrips) {
  for (auto kind : {OperandKind::NotifyOp, OperandKind::WaitCmp, OperandKind::DmaEngine,
                    OperandKind::AtomicType, OperandKind::Pipe, OperandKind::ExpectOp}) {
    uint32_t number = 0;
    for (; !enumeratorName(kind, number).empty(); ++number)
      EXPECT_EQ(enumeratorNumber(kind, enumeratorName(kind, number)), number);
    EXPECT_GE(number, 2u) << name(kind).str();
    EXPECT_EQ(enumeratorNumber(kind, "?"), std::nullopt);
  }
}

TEST(Bytecode, ConstantsKeepEveryBit) {
  Module module;
  for (double value : {0.0, -0.0, 0.1, 1e-45, 3.4e38, double(INFINITY), -double(INFINITY)})
    for (ScalarType type : {ScalarType::F16, ScalarType::BF16, ScalarType::F32})
      module.constants.push_back({type, fromDouble(type, value)});
  module.constants.push_back({ScalarType::F32, 0x7fc00000});
  module.constants.push_back({ScalarType::F32, 0xffc12345});
  module.constants.push_back({ScalarType::I64, ScalarBits(INT64_MIN)});
  module.constants.push_back({ScalarType::U64, UINT64_MAX});
  ASSERT_EQ(message(verify(module)), "");
  EXPECT_EQ(assembled(text(module)).constants, module.constants);
}

TEST(Bytecode, StringsKeepEveryByte) {
  Module module;
  std::string &all = module.strings.emplace_back();
  for (unsigned c = 0; c != 256; ++c)
    all += char(c);
  EXPECT_EQ(assembled(text(module)).strings, module.strings);
  all = all.substr(0, 128) + "\xC3\xA9"; // UTF-8 stays as it is.
  EXPECT_EQ(assembled(text(module)).strings, module.strings);
  EXPECT_NE(text(module).find("\xC3\xA9\"\n"), std::string::npos);
}

//===--- Files that are no module -------------------------------------------===//

TEST(Bytecode, HeaderMessages) {
  std::string good = binary(assembled(kPutAndNotify));
  EXPECT_TRUE(isBinary(good));
  EXPECT_FALSE(isBinary("PTO"));
  EXPECT_EQ(message(readBinary("")), "not a .ptoc file: it does not begin with PTOC");
  EXPECT_EQ(message(readBinary("kernel k() {}")), "not a .ptoc file: it does not begin with PTOC");
  EXPECT_EQ(message(readBinary("PTOC\1")), "damaged: it ends inside its header");
  EXPECT_EQ(message(readBinary(good.substr(0, 20))), "damaged: it ends inside its header");
  std::string newer = good;
  newer[4] = 7;
  EXPECT_EQ(message(readBinary(newer)),
            "this .ptoc was written by format version 7, this pto reads version 5");
  std::string flipped = good;
  flipped.back() ^= 1;
  EXPECT_EQ(message(readBinary(flipped)), "damaged: its checksum does not match");
  EXPECT_EQ(message(readBinary(good + "x")),
            "damaged: it should hold " + std::to_string(good.size() - 24) +
                " bytes after its header and holds " + std::to_string(good.size() - 23));
}

TEST(Bytecode, EveryTruncationIsRefused) {
  std::string good = binary(samples::everyInstruction());
  for (size_t size = 0; size != good.size(); ++size)
    ASSERT_NE(message(readBinary(llvm::StringRef(good).take_front(size))), "") << size;
  for (size_t size = samples::kHeaderBytes; size != good.size(); ++size) {
    std::string sealed = good.substr(0, size);
    samples::sealHeader(sealed);
    std::string problem = message(readBinary(sealed));
    ASSERT_EQ(problem.substr(0, 9), "damaged: ") << size << ": " << problem;
  }
}

TEST(Bytecode, EveryFlippedBitIsRefused) {
  std::string bytes = binary(assembled(kPutAndNotify));
  for (size_t bit = 0; bit != bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= char(1 << bit % 8);
    ASSERT_NE(message(readBinary(bytes)), "") << bit;
    bytes[bit / 8] ^= char(1 << bit % 8);
  }
}

/// With a checksum that fits again, the verifier decides; what it accepts must still round-trip.
/// Returns how many flips were accepted.
size_t flipSealedBits(const std::string &good, size_t step) {
  size_t accepted = 0;
  for (size_t bit = samples::kHeaderBytes * 8; bit < good.size() * 8; bit += step) {
    std::string bytes = good;
    bytes[bit / 8] ^= char(1 << bit % 8);
    samples::sealHeader(bytes);
    llvm::Expected<Module> module = readBinary(bytes);
    if (!module) {
      llvm::consumeError(module.takeError());
      continue;
    }
    EXPECT_EQ(binary(assembled(text(*module))), bytes) << bit;
    ++accepted;
  }
  return accepted;
}

TEST(Bytecode, SealedFlippedBitsAreRefusedOrSound) {
  EXPECT_GT(flipSealedBits(binary(assembled(kPutAndNotify)), 1), 300u);
  EXPECT_GT(flipSealedBits(binary(samples::everyInstruction()), 61), 300u);
}

TEST(Bytecode, ClaimedCountsBuyNoMemory) {
  std::string bytes = binary(Module());
  bytes[samples::kHeaderBytes] = 127; // Files.
  samples::sealHeader(bytes);
  EXPECT_EQ(message(readBinary(bytes)),
            "damaged: it ends inside its files, at byte 1 of the payload");
  bytes.replace(samples::kHeaderBytes, 1, "\xff\xff\xff\xff\x0f");
  samples::sealHeader(bytes);
  EXPECT_EQ(message(readBinary(bytes)),
            "damaged: it has 4294967295 files, the limit is 1048576, at "
            "byte 5 of the payload");
  bytes.replace(samples::kHeaderBytes, 5, llvm::StringRef("\x80\x00", 2).str()); // Not shortest.
  samples::sealHeader(bytes);
  EXPECT_EQ(message(readBinary(bytes)), "damaged: a count is no number, at byte 2 of the payload");
}

TEST(Bytecode, NumbersOfTooManyBits) {
  std::string bytes = binary(Module());
  for (const char *number : {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
                             "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"}) {
    bytes.resize(samples::kHeaderBytes);
    bytes += number;
    samples::sealHeader(bytes);
    EXPECT_EQ(message(readBinary(bytes)).find("damaged: a count is no number"), 0u);
  }
}

//===--- Text that is none --------------------------------------------------===//

TEST(Bytecode, TextMessages) {
  struct {
    const char *source, *problem;
  } cases[] = {
      {"hello", "line 1: an instruction outside a function"},
      {".file 1 \"a\"", "line 1: this is number 0, not 1"},
      {".file 0 \"a", "line 1: expected a quoted text, found \"\\\"a\""},
      {".file 0 \"\\q\"", "line 1: there is no such escape in a quoted text"},
      {"\n.const 0 i33 1", "line 2: there is no scalar type 'i33'"},
      {".const 0 i32 x", "line 1: 'x' is no value of i32"},
      {".const 0 i32 1 2", "line 1: expected the end of the line, found \"2\""},
      {".thing 0", "line 1: there is no line '.thing'"},
      {".ub 4", "line 1: there is no line '.ub'"},
      {".kernel", "line 1: expected a name, found the end of the line"},
      {".kernel k", "line 1: expected ';', found the end of the line"},
      {".kernel k ; 1:1\n0 add r0, r0, r0 ; 1:1", "line 2: there is no instruction 'add'"},
      {".kernel k ; 1:1\n0 ret.i32 ; 1:1", "line 2: there is no instruction 'ret.i32'"},
      {".kernel k ; 1:1\n0 rank v0 ; 1:1", "line 2: expected 'r', found \"v0 ; 1:1\""},
      {".kernel k ; 1:1\n0 rank r4294967296 ; 1:1",
       "line 2: expected a number up to 4294967295, found \"4294967296 ; 1:1\""},
      {".kernel k ; 1:1\n0 pipe_barrier M ; 1:1", "line 2: Pipe has no value 'M'"},
      {".kernel k ; 1:1\n .registers r0: i32, r1: f", "line 2: there is no register type 'f'"},
      {".entry 0 main m: &0 expects nothing ; 1:1", "line 1: there is no rule 'nothing'"},
  };
  for (const auto &[source, problem] : cases)
    EXPECT_EQ(message(assemble(source)), problem);
}

/// Every deletion, doubling and replacement of one character is read or refused, never more.
TEST(Bytecode, DamagedTextIsReadOrRefused) {
  std::string good = kPutAndNotify;
  for (size_t at = 0; at != good.size(); ++at)
    for (llvm::StringRef change : {"", "(", ")", "\"", "\\", "-", "9", "\n", ";", "_", "x"}) {
      std::string damaged = good;
      damaged.replace(at, 1, change.str());
      llvm::Expected<Module> module = assemble(damaged);
      if (!module) {
        EXPECT_NE(llvm::toString(module.takeError()).find("line "), std::string::npos);
        continue;
      }
      (void)message(verify(*module));
    }
}

} // namespace
} // namespace pto
