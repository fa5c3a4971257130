//===- parse_fixture.h - parse a text and see what was said -----*- C++ -*-===//
#ifndef PTO_TESTS_UNIT_PARSE_FIXTURE_H
#define PTO_TESTS_UNIT_PARSE_FIXTURE_H

#include "ast/print.h"
#include "parse/parse.h"

#include "gtest/gtest.h"

#include <string>

namespace pto::test {

/// A text with its tree and findings.
struct Parsed {
  Sources sources;
  FileId id;
  Sink sink{sources};
  std::unique_ptr<ast::File> file;

  explicit Parsed(llvm::StringRef text) : id(sources.add("test.pto", text)) {
    file = parse(sources, id, sink);
    sink.sort();
  }

  /// One line for each finding: `line:column message`.
  [[nodiscard]] std::string said() const {
    std::string lines;
    for (const Finding &finding : sink.findings()) {
      const Place &at = finding.sites.front().place;
      lines += (lines.empty() ? "" : "\n") + std::to_string(at.line) + ':' +
               std::to_string(at.column) + ' ' + finding.message;
    }
    return lines;
  }

  [[nodiscard]] std::string tree() const {
    std::string text;
    llvm::raw_string_ostream out(text);
    ast::print(out, *file);
    return text;
  }
};

/// The findings of statements in a kernel's body; they begin on line 2 in column 3.
inline std::string saidInKernel(llvm::StringRef statements) {
  return Parsed(("kernel k() {\n  " + statements + "\n}\n").str()).said();
}

} // namespace pto::test

#endif
