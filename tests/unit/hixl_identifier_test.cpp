//===- hixl_identifier_test.cpp - the names that engines have -------------------===//
#include "hixl/identifier.h"

#include "gtest/gtest.h"

namespace pto::test {

static std::string read(llvm::StringRef text) {
  ParsedIdentifier parsed = parseHixlIdentifier(text);
  if (parsed.fault)
    return parsed.fault->account.str() + ": " + parsed.fault->text;
  return (parsed.identifier->listens() ? "server " : "client ") +
         std::to_string(parsed.identifier->port);
}

TEST(HixlIdentifier, GoodForms) { // HX-ENG-09
  EXPECT_EQ(read("10.0.0.1"), "client 0");
  EXPECT_EQ(read("10.0.0.1:26000"), "server 26000");
  EXPECT_EQ(read("10.0.0.1:0"), "client 0");
  EXPECT_EQ(read("10.0.0.1:-1"), "client -1");
  EXPECT_EQ(read("[::1]"), "client 0");
  EXPECT_EQ(read("[fd00::2]:65535"), "server 65535");
  EXPECT_EQ(read("[::ffff:10.0.0.1]:1"), "server 1");
}

TEST(HixlIdentifier, BadForms) { // HX-ENG-09, T-20
  EXPECT_EQ(read("ad.0.0.1:26200"),
            "HX-ENG-09: 'ad.0.0.1:26200' names no engine: 'ad.0.0.1' is no literal of IPv4, and "
            "names of hosts are not looked up.");
  EXPECT_EQ(read("::1"), "HX-ENG-09: '::1' names no engine: an IPv6 address stands in brackets, "
                         "since it has colons itself.");
  EXPECT_EQ(read("10.0.0.1:65536"),
            "HX-ENG-09: '10.0.0.1:65536' names no engine: '65536' is no port from 1 to 65535.");
  for (llvm::StringRef text :
       {"", ":", "10.0.0.1:", "10.0.0.256", "10.0.0", "010.0.0.1", "10.0.0.1:26a", "localhost:1",
        "[10.0.0.1]:1", "[::1", "[::1]1", "[::1]:", "[fe80::1%eth0]:1", "[1::2::3]", "10.0.0.1 ",
        "[]", "[]:1", "10.0.0.1:99999999999999999999"})
    EXPECT_TRUE(parseHixlIdentifier(text).fault) << text.str();
  EXPECT_TRUE(parseHixlIdentifier(llvm::StringRef("10.0.0.1\0", 9)).fault);
}

static std::string clash(llvm::StringRef one, llvm::StringRef other) {
  std::optional<OptionFault> fault =
      clashOf(*parseHixlIdentifier(one).identifier, *parseHixlIdentifier(other).identifier);
  return fault ? fault->account.str() + " " + info(fault->status).name.str() : "";
}

TEST(HixlIdentifier, Clashes) { // HX-ENG-10
  EXPECT_EQ(clash("10.0.0.1:1", "10.0.0.1:1"), "HX-ENG-10 FAILED");
  EXPECT_EQ(clash("[::1]:1", "[0:0::1]:1"), "HX-ENG-10 FAILED");
  EXPECT_EQ(clash("10.0.0.1", "10.0.0.1"), "HX-ENG-10 SUCCESS");
  EXPECT_EQ(clash("10.0.0.1:1", "10.0.0.1:2"), "");
  EXPECT_EQ(clash("10.0.0.1:1", "10.0.0.2:1"), "");
  EXPECT_EQ(clash("[::]:1", "0.0.0.0:1"), "") << "of two families";
}

TEST(HixlIdentifier, Loopback) { // HX-ENG-11
  HixlIdentifier loop = *parseHixlIdentifier("127.0.0.1:1").identifier;
  EXPECT_FALSE(loopbackFault(loop, 1));
  ASSERT_TRUE(loopbackFault(loop, 2));
  EXPECT_FALSE(loopbackFault(loop, 2)->isError);
  EXPECT_TRUE(loopbackFault(*parseHixlIdentifier("[::1]").identifier, 2));
  EXPECT_FALSE(loopbackFault(*parseHixlIdentifier("10.0.0.1:1").identifier, 2));
}

} // namespace pto::test
