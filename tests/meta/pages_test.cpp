//===- pages_test.cpp - docs/rules and docs/reference are as generated -------===//
//
// The program pto-pages writes them: `pto-pages docs` in the root of the project.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "pages/pages.h"

#include "gtest/gtest.h"

#include <map>

namespace pto::test {

TEST(Pages, AreAsGenerated) {
  std::map<std::string, std::string> held;
  for (SourceFile &file : readTree({"docs/rules", "docs/reference"}, {".md", ".tsv"}))
    held[file.path] = std::move(file.text);
  for (const Page &page : referencePages()) {
    auto found = held.find("docs/" + page.path);
    if (found == held.end()) {
      ADD_FAILURE() << "docs/" << page.path << " is missing: run pto-pages docs";
      continue;
    }
    EXPECT_TRUE(found->second == page.text)
        << "docs/" << page.path << " is stale: run pto-pages docs";
    held.erase(found);
  }
  for (const auto &[path, text] : held)
    ADD_FAILURE() << path << " is no page of any table; remove it";
}

} // namespace pto::test
