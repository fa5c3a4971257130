//===- target_test.cpp - targets as written, and what they have ------------------===//
#include "target/types.h"

#include "gtest/gtest.h"

namespace pto {

static std::string refusal(llvm::StringRef text) {
  llvm::Expected<Target> target = parseTarget(text);
  return target ? "" : llvm::toString(target.takeError());
}

TEST(Target, ReadsPlatformAndOptions) {
  llvm::Expected<Target> target = parseTarget("ascend950,cann=9.0.0,nic=hns1825");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->platform, Platform::Ascend950);
  EXPECT_EQ(target->nic, "hns1825");
  EXPECT_EQ(target->text(), "ascend950,cann=9.0.0,nic=hns1825");
}

TEST(Target, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal("a4"), "'a4' is no target; there are a2, a3, a5, ascend950");
  EXPECT_EQ(refusal("a3,turbo"),
            "'turbo' is no option of a target; there are cann=VERSION and nic=NAME");
  EXPECT_EQ(refusal("a3,cann=new"), "'new' is no CANN version; write it as cann=9.1.0");
  EXPECT_EQ(refusal("a3,cann=8.0.0"),
            "CANN 8.0.0 has no communication instructions; they begin with 8.5.0");
  EXPECT_EQ(refusal("ascend950,nic=x"),
            "'x' is no known NIC; hns1825 is the one that RDMA supports");
}

TEST(Target, EnginesAndWhyTheyAreMissing) {
  std::string why;
  EXPECT_TRUE(engineOn(*parseTarget("a3"), DmaEngine::SDMA));
  EXPECT_FALSE(engineOn(*parseTarget("a3"), DmaEngine::URMA, &why));
  EXPECT_EQ(why, "it has SDMA");
  EXPECT_FALSE(engineOn(*parseTarget("a3,cann=8.5.0"), DmaEngine::SDMA, &why));
  EXPECT_EQ(why, "it needs cann>=9.0.0 (--target a3,cann=9.0.0)");
  EXPECT_TRUE(engineOn(*parseTarget("ascend950"), DmaEngine::URMA));
  EXPECT_FALSE(engineOn(*parseTarget("ascend950,cann=9.0.0"), DmaEngine::URMA, &why));
  EXPECT_EQ(why, "it needs cann>=9.1.0 (--target ascend950,cann=9.1.0)");
  EXPECT_FALSE(engineOn(*parseTarget("ascend950"), DmaEngine::RDMA, &why));
  EXPECT_EQ(why, "it needs nic=hns1825 (--target ascend950,nic=hns1825)");
  EXPECT_TRUE(engineOn(*parseTarget("ascend950,nic=hns1825"), DmaEngine::RDMA));
}

TEST(Target, OnA5AnSdmaPutIsDoneInTheCall) {
  EXPECT_EQ(engineOn(*parseTarget("a5"), DmaEngine::SDMA)->put, TransferMode::Sync);
  EXPECT_EQ(engineOn(*parseTarget("a5"), DmaEngine::SDMA)->get, TransferMode::Async);
  EXPECT_EQ(engineOn(*parseTarget("a3"), DmaEngine::SDMA)->put, TransferMode::Async);
}

TEST(Target, APlatformHasItsColumn) {
  EXPECT_EQ(trait(Platform::A2, Trait::MaxTileRows), 4095);
  EXPECT_EQ(trait(Platform::Ascend950, Trait::MaxTileRows), 0);
  EXPECT_EQ(trait(Platform::A5, Trait::CcuRanks), -1);
}

TEST(Target, TransferTimesDoNotOverflow) {
  EXPECT_EQ(transferPs(21000, 21000), 1000000);
  EXPECT_GT(transferPs(int64_t(1) << 40, 21000), 0);
}

TEST(Target, ElementTypesDependOnTheUse) {
  EXPECT_EQ(typesFor(Platform::A3, TypeUse::Arithmetic).text(), "i16, i32, f16 and f32");
  EXPECT_FALSE(typesFor(Platform::A3, TypeUse::Divide).contains(ScalarType::I32));
  EXPECT_TRUE(typesFor(Platform::A5, TypeUse::Divide).contains(ScalarType::I32));
  EXPECT_EQ(typesFor(Platform::A2, TypeUse::AtomicStore).text(),
            typesFor(Platform::Ascend950, TypeUse::AtomicStore).text());
}

TEST(Target, ConversionsArePairs) {
  EXPECT_TRUE(convertsTo(Platform::A3, ScalarType::I32).contains(ScalarType::F16));
  EXPECT_FALSE(convertsTo(Platform::A5, ScalarType::I32).contains(ScalarType::F16));
  EXPECT_EQ(convertsTo(Platform::A3, ScalarType::U32).text(), "nothing");
  EXPECT_TRUE(conversionWraps(Platform::A3, ScalarType::I32, ScalarType::I16));
  EXPECT_FALSE(conversionWraps(Platform::A5, ScalarType::I32, ScalarType::U16));
}

} // namespace pto
