// What is said of the usual mistakes, word for word and at the place where a person would look.
#include "unit/parse_fixture.h"

namespace pto::test {

struct Mistake {
  const char *text;
  const char *said; ///< `line:column message`.
};

/// Statements of a kernel; they begin on line 2 in column 3.
static constexpr Mistake kStatements[] = {
    {"let x = 5\n  let y = 6;", "2:12 expected `;`, found `let`"},
    {"x = f(a b);", "2:11 expected `,` or `)`, found `b`"},
    {"x = f(a,\n  let y = 2;", "2:11 expected an expression, found `let`"},
    {"if x = 5 { }", "2:8 expected `==`, found `=`"},
    {"if (a == b { y = 1; }", "2:14 expected `)`, found `{`"},
    {"x++;", "2:5 there is no `++`; write `+= 1`"},
    {"x--;", "2:6 there is no `--`; write `-= 1`"},
    {"int x = 5;",
     "2:7 `int x` is no statement; a variable begins with `let` or `var`: `let x = ...;`"},
    {"let if = 3;", "2:7 expected a name, found the keyword `if`"},
    {"let x = ;", "2:11 expected an expression, found `;`"},
    {"let x;", "2:3 `x` has no value: write `let x = ...;`"},
    {"x = 12abc;", "2:7 `12abc` is no number"},
    {"x = 0xZZ;", "2:7 `0xZZ` is no number"},
    {"x = 99999999999999999999;", "2:7 this number does not fit in 64 bits"},
    {"print(\"abc\n  let y = 1;", "2:9 this string is never closed"},
    {"print(\"\"\"abc\n  let y = 1;", "2:9 this string is never closed"},
    {"print(\"a\\q\");",
     "2:11 `\\q` is no escape; there are \\n \\t \\\\ \\\" and \\u{hex digits}"},
    {"x = 5 § 3;", "2:9 `§` (U+00A7) is no part of the language"},
    {"x = 'a';", "2:7 `'` (strings are written in `\"`) is no part of the language"},
    {"x = “a”;", "2:7 `“` (U+201C; strings are written in `\"`) is no part of the language"},
    {"x = a[1:2];", "2:10 expected `..`, found `:`"},
    {"let x = 5 6;", "2:12 expected `;`, found `6`"},
    {"for (i = 0; i < 3; i += 1) { }", "2:7 a loop counts over a range: `for i in a..b { }`"},
    {"for i in 0 { }", "2:14 expected `..`, found `{`"},
    {"while a b { }", "2:11 expected `{`, found `b`"},
    {"else { }", "2:3 expected a statement, found `else`"},
    {"if a { } else { } else if b { }", "2:21 an `else` without a condition is the last branch"},
    {"if a { } else b;", "2:17 expected `{`, found `b`"},
    {"const n: i32 = 4;\n  let y = n;",
     "2:3 `const` stands outside of kernels, functions, hosts and tests"},
    {"let s = session(t);", "2:18 expected an engine (`session<SDMA>`), found `(`"},
    {"x = w@;",
     "2:9 expected a rank (a name, a number or an expression in parentheses), found `;`"},
    {"f(a == 1 = 2);",
     "2:5 before `=` in a call stands the name of a parameter; to compare, write `==`"},
    {"f(1 = 2);",
     "2:5 before `=` in a call stands the name of a parameter; to compare, write `==`"},
    {"x = y from p;", "2:9 an assignment awaits nobody, so it takes no `from`"},
    {"f() from a from b;", "2:14 a wait is for one rank: there is a `from` already"},
    {"#[deny(x, \"y\")] f();",
     "2:5 there is no attribute `deny`; there is `#[allow(slug, \"why\")]`"},
    {"#[allow(x)] f();", "2:3 an `allow` says why: `#[allow(slug, \"why\")]`"},
    {"f();;", "2:7 this `;` ends nothing"},
    {"a = b = c;", "2:8 expected `;`, found `=`"},
    {"x = (1 + 2;\n  y = 3;", "2:13 expected `)`, found `;`"},
    {"x = [1, 2;\n  y = 3;", "2:12 expected `]`, found `;`"},
    {"f(a,, b);", "2:7 expected an expression, found a second `,`"},
    {"expect x == 1 within;", "2:23 expected an expression, found `;`"},
    {"expect violation();", "2:20 expected a rule's slug, found `)`"},
    {"fill w;", "2:9 expected `=` or `from`, found `;`"},
    {"fill w[i] from \"a\";", "2:10 a file fills the whole window, so there is no index"},
    {"save w \"f\";", "2:10 expected `to`, found `\"f\"`"},
    {"launch k;", "2:11 expected `(`, found `;`"},
    {"launch k() blocks 2 blocks 3;", "2:23 the number of blocks is given already"},
    {"tile t;", "2:9 expected `:`, found `;`"},
    {"return 1", "2:11 expected `;`, found `}`"},
    {"x = a ? b : c;", "2:9 `?` is no part of the language"},
    {"e.initialize({ \"a\" 1 });\n  y = 2;", "2:22 expected `:`, found `1`"},
    {"let x: foo f32 = 1;", "2:13 expected `;`, found `f32`"},
    {"let let = 2;", "2:7 expected a name, found the keyword `let`"},
    {"f(;", "2:5 expected an expression or `)`, found `;`"},
    {"break", "2:8 expected `;`, found `}`"},
    {"x = /* c;", "2:7 this comment is never closed"},
    {"let x = y.;", "2:13 expected a name, found `;`"},
    {"1 +;", "2:6 expected an expression, found `;`"},
    {"fn g() { }\n  let z = 1;", "2:3 `fn` stands outside of kernels, functions, hosts and tests"},
    {"x = 1..2;", "2:8 expected `;`, found `..`"},
    {"let x = 1e999;", "2:11 this number is larger than any f32"},
    {"x = \"\\u{110000}\";", "2:8 `\\u{110000}` is no Unicode character"},
};

/// Whole files.
static constexpr Mistake kFiles[] = {
    {"", "1:1 the file declares nothing"},
    {"  // x\n", "1:1 the file declares nothing"},
    {"window w f32[4];", "1:10 expected `:`, found `f32`"},
    {"window w: f32[4]\nkernel k() { }", "1:17 expected `;`, found `kernel`"},
    {"window w: f32[];", "1:15 expected an expression, found `]`"},
    {"window w: f32[4", "1:16 expected `]`, found the end of the file"},
    {"kernel k() -> i32 { }",
     "1:12 only a `fn` has a result; a kernel writes what it found into a window"},
    {"kernel k { }", "1:10 expected `(`, found `{`"},
    {"kernel k(a, b) { let x = ; }", "1:11 expected `:`, found `,`"},
    {"kernel () { }", "1:8 expected a name, found `(`"},
    {"fn f(a: i32 b: i32) { }", "1:13 expected `,` or `)`, found `b`"},
    {"import;", "1:7 expected a module's name or a file path in quotes, found `;`"},
    {"import std.;", "1:12 expected a name, found `;`"},
    {"const N = 4;", "1:9 expected `:`, found `=`"},
    {"let x = 4;\nwindow w: f32[4];",
     "1:1 `let` begins a statement, and statements stand inside a kernel, fn, host or test"},
    {"kernel k() { }\n}\nwindow w: f32[4];", "2:1 expected a declaration (window, local, const, "
                                             "fn, kernel, host, test or import), found `}`"},
    {"kernel k() {\n  f();\nkernel j() {\n}\n", "2:7 expected `}`, found `kernel`"},
    {"kernel k() {\n  if a {\n    f();\n}\n", "4:2 expected `}`, found the end of the file"},
    {"test foo { }", "1:6 expected the test's title in quotes, found `foo`"},
    {"test { }", "1:6 expected the test's title in quotes, found `{`"},
    {"__global__ void k() { }", "1:1 expected a declaration (window, local, const, fn, kernel, "
                                "host, test or import), found `__global__`"},
    {"#include <x>\nwindow w: f32[4];",
     "1:2 there is no preprocessor: files are read by `import`, constants declared by `const`"},
    {"module attributes {", "1:1 this is PTO IR (it begins with `module`), the MLIR text that "
                            "ptoas reads, not a kernel of this language"},
    {"func.func @k() {", "1:1 this is PTO IR (it begins with `func.func`), the MLIR text that "
                         "ptoas reads, not a kernel of this language"},
    {"#map = 1", "1:1 this is PTO IR (it begins with `#map`), the MLIR text that ptoas reads, not "
                 "a kernel of this language"},
    {"!t = 2", "1:1 this is PTO IR (it begins with `!t`), the MLIR text that ptoas reads, not a "
               "kernel of this language"},
    {"\"pto.tput\"() : ()", "1:1 this is PTO IR (it begins with `\"pto.tput`), the MLIR text that "
                            "ptoas reads, not a kernel of this language"},
    {"host main(ranks: 2) { }", "1:16 expected `=`, found `:`"},
    {"host main(2) { }", "1:11 expected a setting (`name = value`) or `)`, found `2`"},
    {"kernel k() sync { }", "1:17 expected `auto`, found `{`"},
    {"kernel k() { };", "1:15 this `;` ends nothing"},
    {"void k() { }", "1:1 expected a declaration (window, local, const, fn, kernel, host, test or "
                     "import), found `void`"},
    {"struct A { }\nkernel k() { }", "1:1 expected a declaration (window, local, const, fn, "
                                     "kernel, host, test or import), found `struct`"},
    {"fn f<>() { }", "1:6 expected a type parameter or `const`, found `>`"},
    {"kernel k(n: i32 = ) { }", "1:19 expected an expression, found `)`"},
    {"/* a /* b */", "1:1 this comment is never closed"},
    {"a\x01"
     "b",
     "1:2 the control character 0x01 is no part of the language"},
    {"kernel k() {\n f(1, 2", "2:8 expected `)`, found the end of the file"},
};

TEST(ParseErrors, StatementsAreExplained) {
  for (const Mistake &mistake : kStatements)
    EXPECT_EQ(saidInKernel(mistake.text), mistake.said) << mistake.text;
}

TEST(ParseErrors, FilesAreExplained) {
  for (const Mistake &mistake : kFiles)
    EXPECT_EQ(Parsed(mistake.text).said(), mistake.said) << mistake.text;
}

TEST(ParseErrors, AnOpenBracketIsShown) {
  Parsed parsed("kernel k() {\n  f();\n");
  const Finding &finding = parsed.sink.findings().front();
  ASSERT_EQ(finding.sites.size(), 2u);
  EXPECT_EQ(finding.sites[1].place.line, 1u);
  EXPECT_EQ(finding.sites[1].place.column, 12u);
  EXPECT_EQ(finding.sites[1].role, "opened here");
}

TEST(ParseErrors, AMissingSemicolonCanBeFixed) {
  Parsed parsed("window w: f32[4]\nwindow v: f32[4];\n");
  const Finding &finding = parsed.sink.findings().front();
  ASSERT_EQ(finding.fixes.size(), 1u);
  EXPECT_EQ(finding.fixes[0].begin, 16u);
  EXPECT_EQ(finding.fixes[0].text, ";");
  EXPECT_EQ(parsed.file->items.size(), 2u);
}

TEST(ParseErrors, EachFaultOfAFileIsSaidOnce) {
  Parsed parsed("window w f32[4];\nkernel k(a i32) {\n  let x = ;\n  f(a b);\n  if a {\n"
                "    y = 1\n  }\n  z = 2;\n}\ntest \"t\" { expect ; }\nwindow v: f32[4];\n");
  EXPECT_EQ(parsed.said(), "1:10 expected `:`, found `f32`\n"
                           "2:12 expected `:`, found `i32`\n"
                           "3:11 expected an expression, found `;`\n"
                           "4:7 expected `,` or `)`, found `b`\n"
                           "6:10 expected `;`, found `}`\n"
                           "10:19 expected a condition, found `;`");
  EXPECT_EQ(parsed.file->items.size(), 3u);
  EXPECT_TRUE(parsed.file->isBroken);
}

TEST(ParseErrors, ThereAreNeverManyOfThem) {
  std::string text = "kernel k() {\n";
  for (int i = 0; i < 1000; ++i)
    text += "  let x = ;\n";
  EXPECT_EQ(Parsed(text + "}\n").sink.findings().size(), 20u);
}

TEST(ParseErrors, BinaryTextIsRefused) {
  EXPECT_EQ(Parsed("window w\xFF").said(), "1:9 this is not UTF-8 text: byte 0xFF at offset 8");
  EXPECT_EQ(Parsed(llvm::StringRef("a\0b", 3)).said(),
            "1:2 this is not UTF-8 text: byte 0x00 at offset 1");
}

} // namespace pto::test
