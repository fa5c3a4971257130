//===- pages.h - pages that are generated from the tables -------*- C++ -*-===//
//
// `pto explain`, `pto targets` and `pto hixl` print them; docs/rules and docs/reference hold them
// as files, and a test compares the two.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TOOLS_PAGES_H
#define PTO_TOOLS_PAGES_H

#include "diag/account.h"
#include "target/platform.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace pto {

/// What, Why, Bad, Good, Mend, Source of a rule, in Markdown.
[[nodiscard]] std::string rulePage(Rule rule);
[[nodiscard]] llvm::json::Object ruleJson(Rule rule);
/// A bad or a good program of a rule, as its test has it; empty if there is none.
[[nodiscard]] llvm::StringRef ruleProgram(Rule rule, bool isBad);
/// Its name below tests/golden/rules: "deadlock/bad-both-wait.pto".
[[nodiscard]] llvm::StringRef ruleProgramName(Rule rule, bool isBad);

[[nodiscard]] std::string targetsText();
[[nodiscard]] llvm::json::Object targetsJson();
/// The element types that the targets take for each use, and what tcvt makes of them.
[[nodiscard]] std::string typesText();
[[nodiscard]] llvm::json::Object typesJson(Platform platform);

/// The names of HIXL's tables, and one of them as text.
[[nodiscard]] std::vector<llvm::StringRef> hixlTopics();
[[nodiscard]] std::string hixlText(llvm::StringRef topic);
/// All of them; `note` says what the page is.
[[nodiscard]] std::string hixlPage(llvm::StringRef note);

/// Topologies, links, and which transports carry what.
[[nodiscard]] std::string topologyText();
[[nodiscard]] llvm::json::Array topologiesJson();

/// The program that shows a row of the account, from the project's root; empty if none does.
[[nodiscard]] std::string accountTest(const AccountRow &row);
/// All rows, a line each, cells separated by tabs.
[[nodiscard]] std::string accountPage();

/// One file of the generated reference.
struct Page {
  std::string path; ///< Relative to docs/.
  std::string text;
};
[[nodiscard]] std::vector<Page> referencePages();

} // namespace pto

#endif
