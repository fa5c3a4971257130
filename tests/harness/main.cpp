//===- main.cpp - golden_test [--update] [GoogleTest's options] --------------===//
#include "harness/suite.h"

#include "gtest/gtest.h"

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--update")
      pto::test::isUpdating() = true;
  return RUN_ALL_TESTS();
}
