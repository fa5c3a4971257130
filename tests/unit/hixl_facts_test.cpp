//===- hixl_facts_test.cpp - the rows of HIXL ------------------------------------===//
#include "hixl/facts.h"
#include "hixl/tables.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace pto::test {

TEST(HixlFacts, Capabilities) { // T-69
  EXPECT_EQ(hixlCapability(0).value, 1);
  EXPECT_EQ(hixlCapability(1).value, 1);
  EXPECT_EQ(hixlCapability(7).value, 0);
  EXPECT_EQ(hixlCapability(7).status, HixlStatus::Success);
  EXPECT_EQ(hixlCapability(-1).status, HixlStatus::ParamInvalid);
}

TEST(HixlFacts, WhatBreaksALink) {
  EXPECT_TRUE(breaksLink(HixlStatus::Timeout, HixlEngine::CommDomain));
  EXPECT_TRUE(breaksLink(HixlStatus::Failed, HixlEngine::ClientServer));
  EXPECT_FALSE(breaksLink(HixlStatus::Failed, HixlEngine::FabricMem));
  EXPECT_FALSE(breaksLink(HixlStatus::ResourceExhausted, HixlEngine::CommDomain));
  EXPECT_EQ(info(HixlStatus::ResourceExhausted).code, 203900);
}

static std::string tables() {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const HixlTable &table : hixlTables())
    table.write(out);
  return text;
}

TEST(HixlTables, PrintTheirRows) {
  // clang-format off
  for (llvm::StringRef line :
       {"  status              code    go on  breaks M  S    F  says\n",
        "  TIMEOUT             103901  -      yes       yes  -  the given time passed before the peer answered\n",
        "  a2         910B    M        M and S     16666      800I A2 and A200I A2 Box only\n",
        "  connect_pool.thread_num                   M, S and F         1..64               2         workers of asynchronous connects\n",
        "  ub_ctp      device, host  32 hex digits  -        UB inside a super-pod, a link a direction pair\n"})
    EXPECT_NE(tables().find(line.str()), std::string::npos) << line.str();
  // clang-format on
}

TEST(HixlTables, PrintDirections) {
  llvm::StringRef golden = R"(Directions
  target     protocol    D2rD  rD2D  D2rH  rH2D  H2rH  rH2H  H2rD  rD2H
  a2         roce        yes   yes   yes   yes   yes   yes   yes   yes
  a2         hccs        yes   yes   -     -     -     -     -     -
  a3         roce        yes   yes   yes   yes   yes   yes   yes   yes
  a3         hccs        yes   yes   -     -     -     -     yes   yes
  a3         fabric_mem  yes   yes   yes   yes   yes   yes   yes   yes
  a5         roce        yes   yes   yes   yes   yes   yes   yes   yes
  a5         ub_ctp      yes   yes   yes   yes   yes   yes   yes   yes
  a5         uboe        yes   yes   yes   yes   yes   yes   yes   yes
  a5         ub_rtp      yes   yes   yes   yes   yes   yes   yes   yes
  ascend950  roce        yes   yes   yes   yes   yes   yes   yes   yes
  ascend950  ub_ctp      yes   yes   yes   yes   yes   yes   yes   yes
  ascend950  uboe        yes   yes   yes   yes   yes   yes   yes   yes
  ascend950  ub_rtp      yes   yes   yes   yes   yes   yes   yes   yes
)";
  std::string text = tables();
  EXPECT_EQ(text.substr(text.find("Directions")), golden.str());
}

} // namespace pto::test
