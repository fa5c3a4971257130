//===- sarif_test.cpp - `--format sarif` follows tests/meta/sarif.schema.json --------===//
#include "meta/json_schema.h"
#include "meta/source_tree.h"
#include "tools/tool.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace pto::test {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Value parseJson(llvm::StringRef text) {
  llvm::Expected<Value> value = llvm::json::parse(text);
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError()) << "\n" << text.str();
  return nullptr;
}

class Sarif : public ::testing::Test {
protected:
  /// Runs the command; the one run of the log that it prints, which follows the schema.
  Object print(llvm::StringRef text, std::vector<std::string> words, int exit) const {
    place.write("a b.pto", text);
    words.insert(words.end(), {"--format", "sarif"});
    Ran ran = place.pto(words);
    EXPECT_EQ(ran.exit, exit) << ran.text();
    Value log = parseJson(ran.out);
    std::vector<std::string> errors =
        schemaErrors(parseJson(readSource("tests/meta/sarif.schema.json").text), log);
    EXPECT_TRUE(errors.empty()) << llvm::join(errors, "\n");
    const Array *runs = log.getAsObject() ? log.getAsObject()->getArray("runs") : nullptr;
    return runs && runs->size() == 1 ? *(*runs)[0].getAsObject() : Object();
  }

  /// Follows keys and indices: `at(run, {"results", "0", "level"})`.
  static Value at(const Object &object, llvm::ArrayRef<std::string> path) {
    const Value *value = object.get(path.front());
    for (const std::string &step : path.drop_front()) {
      if (!value)
        break;
      size_t index = 0;
      if (const Array *array = value->getAsArray())
        value = !llvm::StringRef(step).getAsInteger(10, index) && index < array->size()
                    ? &(*array)[index]
                    : nullptr;
      else
        value = value->getAsObject() ? value->getAsObject()->get(step) : nullptr;
    }
    return value ? *value : Value(nullptr);
  }

  Workplace place;
};

TEST_F(Sarif, CleanFile) {
  Object run = print("window a: f32[4];\n", {"check", "a b.pto"}, 0);
  EXPECT_EQ(run.getArray("results")->size(), 0u);
  EXPECT_EQ(at(run, {"tool", "driver", "name"}), "pto");
}

TEST_F(Sarif, ResultHasRulePlaceAndRelatedPlace) {
  Object run = print("window a: f32[4];\nwindow a: f32[4];\n", {"check", "a b.pto"}, 1);
  EXPECT_EQ(at(run, {"results", "0", "ruleId"}), "duplicate-name");
  EXPECT_EQ(at(run, {"results", "0", "level"}), "error");
  EXPECT_EQ(at(run, {"tool", "driver", "rules", "0", "id"}), "duplicate-name");
  std::vector<std::string> physical = {"results", "0", "locations", "0", "physicalLocation"};
  auto in = [&](std::vector<std::string> path) {
    path.insert(path.begin(), physical.begin(), physical.end());
    return at(run, path);
  };
  EXPECT_EQ(in({"artifactLocation", "uri"}), "a%20b.pto");
  EXPECT_EQ(in({"region", "startLine"}), 2);
  EXPECT_EQ(in({"region", "startColumn"}), 8);
  EXPECT_EQ(in({"region", "snippet", "text"}), "a");
  EXPECT_EQ(in({"contextRegion", "snippet", "text"}), "window a: f32[4];");
  EXPECT_EQ(in({"region", "endColumn"}), 9);
  EXPECT_EQ(at(run, {"results", "0", "relatedLocations", "0", "message", "text"}), "the first one");
}

/// A letter beyond the first plane is four bytes, one character and two units.
TEST_F(Sarif, ColumnsCountUtf16Units) {
  Object run =
      print("/* \xF0\x9D\x84\x9E \xC3\xA9 */ window a: nothing[4];\n", {"check", "a b.pto"}, 1);
  EXPECT_EQ(
      at(run, {"results", "0", "locations", "0", "physicalLocation", "region", "startColumn"}), 22);
}

TEST_F(Sarif, AdviceIsANoteWithAFix) {
  Object run = print("import std.ring;\nwindow a: f32[4];\n", {"lint", "a b.pto"}, 0);
  EXPECT_EQ(at(run, {"results", "0", "level"}), "note");
  std::vector<std::string> change = {"results",         "0", "fixes",        "0",
                                     "artifactChanges", "0", "replacements", "0"};
  auto in = [&](std::vector<std::string> path) {
    path.insert(path.begin(), change.begin(), change.end());
    return at(run, path);
  };
  EXPECT_EQ(in({"insertedContent", "text"}), "");
  EXPECT_EQ(in({"deletedRegion", "startLine"}), 1);
  EXPECT_EQ(in({"deletedRegion", "endLine"}), 2);
  EXPECT_EQ(in({"deletedRegion", "endColumn"}), 1);
}

/// A result without a place is refused by code hosts.
TEST_F(Sarif, FindingOfTheCommandLineIsANotification) {
  Object run = print("window a: f32[4];\n", {"check", "a b.pto", "-D", "M=1"}, 1);
  EXPECT_EQ(run.getArray("results")->size(), 0u);
  EXPECT_EQ(at(run, {"invocations", "0", "executionSuccessful"}), false);
  std::vector<std::string> path = {"invocations", "0", "toolConfigurationNotifications", "0"};
  EXPECT_EQ(at(run, {path[0], path[1], path[2], path[3], "level"}), "error");
  EXPECT_EQ(at(run, {path[0], path[1], path[2], path[3], "descriptor", "id"}),
            at(run, {"tool", "driver", "rules", "0", "id"}));
}

TEST_F(Sarif, WhatFailsIsANotification) {
  Object run = print("", {"check", "missing.pto"}, 2);
  EXPECT_EQ(at(run, {"invocations", "0", "executionSuccessful"}), false);
  EXPECT_EQ(at(run, {"invocations", "0", "toolExecutionNotifications", "0", "level"}), "error");
}

} // namespace pto::test
