//===- fmt_test.cpp - what `pto fmt` does to files ---------------------------===//
//
// How a text is laid out is in tests/golden/format.
//
//===----------------------------------------------------------------------===//
#include "tools/tool.h"

#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"

namespace fs = llvm::sys::fs;

namespace pto::test {

static constexpr llvm::StringLiteral kLoose = "kernel  k( ) { a() ; }\n";
static constexpr llvm::StringLiteral kLaidOut = "kernel k() { a(); }\n";
static constexpr llvm::StringLiteral kBroken = "kernel  k( {\n";

/// Another number means that another file has been put in its place.
static uint64_t identityOf(llvm::StringRef name) {
  fs::UniqueID id;
  EXPECT_FALSE(fs::getUniqueID(name, id));
  return id.getFile();
}

/// The names in the current folder, but for the streams of the process.
static unsigned countFiles() {
  unsigned count = 0;
  std::error_code failed;
  for (fs::directory_iterator at(".", failed), end; !failed && at != end; at.increment(failed))
    count += !llvm::StringRef(at->path()).ends_with("out") &&
             !llvm::StringRef(at->path()).ends_with("err");
  return count;
}

TEST(Fmt, WritesOnlyWhatChanges) {
  Workplace place;
  place.write("loose.pto", kLoose);
  place.write("laid_out.pto", kLaidOut);
  ASSERT_EQ(place.pto({"fmt", "--check", "loose.pto", "laid_out.pto"}).exit, 1);
  EXPECT_EQ(place.read("loose.pto"), kLoose);
  uint64_t before = identityOf("laid_out.pto");
  Ran ran = place.pto({"fmt", "loose.pto", "laid_out.pto"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.text(), "");
  EXPECT_EQ(place.read("loose.pto"), kLaidOut);
  EXPECT_EQ(identityOf("laid_out.pto"), before);
  EXPECT_EQ(place.pto({"fmt", "--check", "loose.pto", "laid_out.pto"}).exit, 0);
  EXPECT_EQ(countFiles(), 2u) << "a temporary file was left";
}

TEST(Fmt, LeavesBrokenTextsAloneAndGoesOn) {
  Workplace place;
  place.write("broken.pto", kBroken);
  place.write("loose.pto", kLoose);
  Ran ran = place.pto({"fmt", "broken.pto", "loose.pto"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_NE(ran.err.find("[syntax-error]"), std::string::npos) << ran.err;
  EXPECT_EQ(place.read("broken.pto"), kBroken);
  EXPECT_EQ(place.read("loose.pto"), kLaidOut);
}

TEST(Fmt, KeepsLinksAndPermissions) {
  Workplace place;
  place.write("real.pto", kLoose);
  (void)place.pto({"--version"}); // From here on the folder is the current one.
  ASSERT_FALSE(fs::setPermissions("real.pto", fs::owner_all));
  ASSERT_FALSE(fs::create_link("real.pto", "link.pto"));
  EXPECT_EQ(place.pto({"fmt", "link.pto"}).exit, 0);
  EXPECT_EQ(place.read("real.pto"), kLaidOut);
  EXPECT_TRUE(fs::is_symlink_file("link.pto"));
  EXPECT_EQ(fs::getPermissions("real.pto").get(), fs::owner_all);
}

TEST(Fmt, TakesFolders) {
  Workplace place;
  place.makeFolder("deep");
  place.write("deep/x.pto", kLoose);
  place.write("deep/x.txt", kLoose);
  EXPECT_EQ(place.pto({"fmt", "deep"}).exit, 0);
  EXPECT_EQ(place.read("deep/x.pto"), kLaidOut);
  EXPECT_EQ(place.read("deep/x.txt"), kLoose);
}

TEST(Fmt, EndsLinesInOneWay) {
  Workplace place;
  place.write("x.pto", "\xEF\xBB\xBF// a\r\nkernel k() {\r\n    a(); // b\r\n}\r\n");
  EXPECT_EQ(place.pto({"fmt", "x.pto"}).exit, 0);
  EXPECT_EQ(place.read("x.pto"), "// a\nkernel k() {\n    a(); // b\n}\n");
}

TEST(Fmt, SaysWhatCannotBeWritten) {
  Workplace place;
  Ran ran = place.pto({"fmt", "nothere.pto"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err, "pto: error: cannot read 'nothere.pto': No such file or directory\n");
}

} // namespace pto::test
