//===- schema_test.cpp - the printed JSON follows docs/reference/result.schema.json ---===//
//
// CI systems read this object; what the schema says of it is a promise.
//
//===----------------------------------------------------------------------===//
#include "meta/json_schema.h"
#include "meta/source_tree.h"
#include "tools/tool.h"

#include "diag/rule.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace pto::test {

static llvm::json::Value parseJson(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError()) << "\n" << text.str();
  return nullptr;
}

static const llvm::json::Value &schema() {
  static const llvm::json::Value kSchema =
      parseJson(readSource("docs/reference/result.schema.json").text);
  return kSchema;
}

static void expectNoErrors(const llvm::json::Value &value) {
  std::vector<std::string> errors = schemaErrors(schema(), value);
  EXPECT_TRUE(errors.empty()) << llvm::join(errors, "\n");
}

class Schema : public ::testing::Test {
protected:
  /// Runs the command on x.pto; the object that it prints, which follows the schema.
  llvm::json::Object print(llvm::StringRef text, std::vector<std::string> words, int exit) const {
    place.write("x.pto", text);
    Ran ran = place.pto(words);
    EXPECT_EQ(ran.exit, exit) << ran.text();
    llvm::json::Value value = parseJson(ran.out);
    expectNoErrors(value);
    return value.getAsObject() ? std::move(*value.getAsObject()) : llvm::json::Object();
  }

  static llvm::StringRef verdict(const llvm::json::Object &object) {
    return object.getString("verdict").value_or("");
  }
  static const llvm::json::Object &finding(const llvm::json::Object &object) {
    static const llvm::json::Object kNone;
    const llvm::json::Array *findings = object.getArray("findings");
    return findings && !findings->empty() ? *findings->front().getAsObject() : kNone;
  }
  static size_t count(const llvm::json::Object &object, llvm::StringRef key) {
    const llvm::json::Array *array = object.getArray(key);
    return array ? array->size() : 0;
  }

  Workplace place;
};

TEST_F(Schema, CleanCheck) {
  llvm::json::Object object =
      print("window a: f32[4];\n", {"check", "x.pto", "--format", "json"}, 0);
  EXPECT_EQ(verdict(object), "clean");
}

TEST_F(Schema, CheckWithErrors) {
  llvm::json::Object object =
      print("window a: f32[4];\nwindow a: i32[4];\nkernel k() { let b = c; }\n",
            {"check", "x.pto", "--format", "json"}, 1);
  EXPECT_EQ(verdict(object), "findings");
  EXPECT_EQ(count(object, "findings"), 2u);
  EXPECT_EQ(count(finding(object), "sites"), 2u);
}

TEST_F(Schema, CheckWithNotes) {
  llvm::json::Object object = print("window value: f32[4];\nkernel k() { let b = valu; }\n",
                                    {"check", "x.pto", "--format", "json"}, 1);
  EXPECT_EQ(count(finding(object), "notes"), 1u);
}

TEST_F(Schema, CheckOfBrokenText) {
  (void)print("window \xff\xfe", {"check", "x.pto", "--format", "json"}, 1);
  (void)print("", {"check", "x.pto", "--format", "json"}, 1);
}

TEST_F(Schema, FindingOfTheCommandLine) {
  (void)print("window a: f32[4];\n", {"check", "x.pto", "--format", "json", "-D", "M=1"}, 1);
}

TEST_F(Schema, CleanRun) {
  llvm::json::Object object =
      print("window a: i32[4];\ntest \"t\" (ranks = 2) { fill a[i] = i; print(\"{}\", rank); "
            "expect a[i] == i; }\n",
            {"run", "x.pto", "--report", "json", "--seeds", "3"}, 0);
  EXPECT_EQ(verdict(object), "clean");
  EXPECT_EQ(count(object, "tests"), 1u);
}

TEST_F(Schema, FailedExpectation) {
  llvm::json::Object object =
      print("window a: i32[4];\ntest \"t\" (ranks = 2) { fill a[i] = i; expect a[i] == 0; }\n",
            {"run", "x.pto", "--report", "json"}, 3);
  EXPECT_EQ(verdict(object), "findings");
  EXPECT_EQ(finding(object).getString("slug").value_or(""), "expectation-failed");
}

TEST_F(Schema, RefusedTest) {
  llvm::json::Object object = print("window s: signal = 0;\nkernel k() { twait(s, 1.5, EQ); }\n"
                                    "test \"t\" { launch k(); expect violation(type-mismatch); }\n",
                                    {"test", "x.pto", "--report", "json"}, 0);
  EXPECT_EQ(verdict(object), "clean");
  EXPECT_EQ(count(object, "findings"), 0u);
  EXPECT_EQ(count(*(*object.getArray("tests"))[0].getAsObject(), "refused"), 1u);
}

TEST_F(Schema, Deadlock) {
  llvm::json::Object object = print("window s: signal = 0;\n"
                                    "kernel k() { twait(s, 1, EQ); tnotify(s@0, 1, Set); }\n"
                                    "host main(ranks = 2) { launch k(); }\n",
                                    {"run", "x.pto", "--report", "json", "--seed", "7"}, 3);
  EXPECT_EQ(finding(object).getString("kind").value_or(""), "deadlock");
  EXPECT_GE(count(finding(object), "sites"), 2u);
}

TEST_F(Schema, EnvironmentFailure) {
  llvm::json::Object object = print("", {"run", "nothere.pto", "--report", "json"}, 2);
  EXPECT_EQ(verdict(object), "failed");
  EXPECT_TRUE(object.getString("failure"));
}

/// The schema knows every kind that a rule can have.
TEST(SchemaText, KindsAreThoseOfTheRules) {
  for (const RuleInfo &row : rules()) {
    llvm::json::Object finding{{"slug", row.slug},
                               {"kind", name(row.kind)},
                               {"severity", name(row.severity)},
                               {"message", ""},
                               {"sites", llvm::json::Array()},
                               {"notes", llvm::json::Array()},
                               {"fixes", llvm::json::Array()},
                               {"explain", ""}};
    expectNoErrors(
        llvm::json::Object{{"verdict", "findings"},
                           {"findings", llvm::json::Array{std::move(finding)}},
                           {"tests", llvm::json::Array()},
                           {"covered", llvm::json::Object{{"target", "all"},
                                                          {"ranks", 0},
                                                          {"blocks", 0},
                                                          {"seeds", llvm::json::Array()},
                                                          {"unknown", llvm::json::Array()}}}});
  }
}

/// A validator that takes everything proves nothing.
TEST(SchemaText, ValidatorRefuses) {
  const llvm::json::Value rules = parseJson(
      R"({"type": "object", "required": ["a"], "additionalProperties": false,
          "properties": {"a": {"type": "integer"}, "b": {"type": "string", "enum": ["x"]},
                         "c": {"type": "array", "items": {"type": "boolean"}}}})");
  auto errors = [&](llvm::StringRef text) { return schemaErrors(rules, parseJson(text)).size(); };
  EXPECT_EQ(errors(R"({"a": 1, "b": "x", "c": [true]})"), 0u);
  EXPECT_EQ(errors(R"([])"), 1u);
  EXPECT_EQ(errors(R"({})"), 1u);
  EXPECT_EQ(errors(R"({"a": 1.5})"), 1u);
  EXPECT_EQ(errors(R"({"a": 1, "b": "y", "c": [1, 2], "d": 0})"), 4u);
  EXPECT_EQ(schemaErrors(parseJson(R"({"maximum": 3})"), 1).size(), 1u);
}

} // namespace pto::test
