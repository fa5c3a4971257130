//===- layout_test.cpp - `pto fmt` over all programs of the project ----------===//
//
// What is laid out stays as it is, and the project's own programs are. Those about syntax are
// excused where their layout is what they test.
//
//===----------------------------------------------------------------------===//
#include "meta/docs_page.h"

#include "driver/lay_out.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <optional>

namespace pto::test {

/// None where the text has errors.
static std::optional<std::string> layOut(llvm::StringRef text) {
  Sources sources;
  Sink sink(sources);
  return pto::layOut(sources, sources.add("program.pto", text), sink);
}

/// Names the first line that differs.
static void expectLaidOut(const std::string &where, llvm::StringRef is, llvm::StringRef wanted) {
  for (unsigned line = 1; is != wanted; ++line) {
    if (is.split('\n').first != wanted.split('\n').first) {
      ADD_FAILURE() << where << ", line " << line << ": run ./dev format\n- "
                    << is.split('\n').first.str() << "\n+ " << wanted.split('\n').first.str();
      return;
    }
    is = is.split('\n').second;
    wanted = wanted.split('\n').second;
  }
}

static bool isExcused(llvm::StringRef path) {
  return path.starts_with("tests/golden/parse/") || path.starts_with("tests/golden/format/");
}

TEST(Layout, IsItsOwnLayout) {
  unsigned count = 0;
  for (const SourceFile &file : readTree({"examples", "stdlib", "tests", "docs"}, {".pto"}))
    if (std::optional<std::string> once = layOut(file.text)) {
      std::optional<std::string> twice = layOut(*once);
      ASSERT_TRUE(twice) << file.path;
      EXPECT_EQ(*twice, *once) << file.path;
      ++count;
    }
  EXPECT_GE(count, 300u);
}

/// The same tokens in other places: all in one line, and one a line.
static std::string respaced(llvm::StringRef text, llvm::StringRef space) {
  std::string result;
  for (llvm::StringRef rest = text; !rest.empty(); rest = rest.drop_front()) {
    bool isSpace = llvm::isSpace(rest.front());
    result += isSpace ? space : rest.take_front(1);
  }
  return result;
}

TEST(Layout, DoesNotDependOnSpaces) {
  for (const SourceFile &file : readTree({"examples", "stdlib"}, {".pto"}))
    for (llvm::StringRef space : {"  ", "\t"}) {
      std::string text;
      for (llvm::StringRef line : file.lines()) {
        bool isMoved = !line.contains("//") && !line.contains('"');
        text += isMoved ? respaced(line, space) : line.str();
        text += '\n';
      }
      expectLaidOut(file.path, file.text, layOut(text).value_or(""));
    }
}

TEST(Layout, ProgramsAreLaidOut) {
  for (const SourceFile &file : readTree({"examples", "stdlib", "tests"}, {".pto"}))
    if (!isExcused(file.path))
      if (std::optional<std::string> wanted = layOut(file.text))
        expectLaidOut(file.path, file.text, *wanted);
}

/// A fragment is laid out as the body of a kernel, and stands at the margin.
static std::optional<std::string> layOutFragment(llvm::StringRef text) {
  std::optional<std::string> body = layOut(("kernel fragment() {\n" + text + "\n}\n").str());
  if (!body)
    return std::nullopt;
  std::string result;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(*body).rtrim('\n'), '\n')) {
    bool isFrame = line.starts_with("kernel") || line.starts_with("}");
    line.consume_front("    ");
    if (!isFrame)
      result += line.str() + "\n";
  }
  return result;
}

TEST(Layout, SnippetsAreLaidOut) {
  std::vector<SourceFile> pages = readTree({"docs"}, {".md"});
  pages.push_back(readSource("README.md"));
  for (const SourceFile &page : pages)
    for (const FencedBlock &block : readBlocks(page)) {
      if (!block.isOf("pto"))
        continue;
      if (std::optional<std::string> wanted =
              block.has("fragment") ? layOutFragment(block.text) : layOut(block.text))
        expectLaidOut(block.where, block.text, *wanted);
    }
}

} // namespace pto::test
