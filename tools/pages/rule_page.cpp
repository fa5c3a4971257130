#include "pages/pages.h"

#include "base/embedded.h"

#include "llvm/Support/raw_ostream.h"

namespace pto {

/// tests/golden/rules/<slug>/{bad,ok}-*.pto, put in by the build.
extern const EmbeddedFile kRulePrograms[];

static const EmbeddedFile *findProgram(Rule rule, bool isBad) {
  std::string prefix = (info(rule).slug + (isBad ? "/bad-" : "/ok-")).str();
  for (const EmbeddedFile *file = kRulePrograms; *file->name; ++file)
    if (llvm::StringRef(file->name).starts_with(prefix))
      return file;
  return nullptr;
}

llvm::StringRef ruleProgram(Rule rule, bool isBad) {
  const EmbeddedFile *file = findProgram(rule, isBad);
  return file ? llvm::StringRef(file->text) : llvm::StringRef();
}

llvm::StringRef ruleProgramName(Rule rule, bool isBad) {
  const EmbeddedFile *file = findProgram(rule, isBad);
  return file ? llvm::StringRef(file->name) : llvm::StringRef();
}

/// The program without the lines that only its test reads.
static std::string shown(llvm::StringRef program) {
  std::string out;
  while (!program.empty()) {
    auto [line, rest] = program.split('\n');
    program = rest;
    if (!line.starts_with("// RUN:") && !line.starts_with("// EXIT:") && !line.starts_with("//>"))
      out += line.str() + "\n";
  }
  return llvm::StringRef(out).trim('\n').str();
}

std::string rulePage(Rule rule) {
  const RuleInfo &row = info(rule);
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "# " << row.slug << "\n\n";
  out << name(row.severity) << ", kind `" << name(row.kind)
      << "`, earliest said when: " << name(row.phase) << ". Platforms: " << row.platforms
      << ". Rule " << row.id << ".\n\n";
  // Where the message is one slot, what it says depends on the case, as the programs below show.
  if (row.message != "{0}")
    out << "**What.** " << row.message << "\n\n";
  out << "**Why.** " << row.why << "\n\n";
  out << "**Mend.** " << row.mend << "\n\n";
  if (llvm::StringRef bad = ruleProgram(rule, true); !bad.empty())
    out << "**Bad.**\n\n```pto\n" << shown(bad) << "\n```\n\n";
  if (llvm::StringRef good = ruleProgram(rule, false); !good.empty())
    out << "**Good.**\n\n```pto\n" << shown(good) << "\n```\n\n";
  out << "Source: " << row.source << "\n";
  return text;
}

llvm::json::Object ruleJson(Rule rule) {
  const RuleInfo &row = info(rule);
  return llvm::json::Object{{"slug", row.slug},
                            {"id", row.id},
                            {"kind", name(row.kind)},
                            {"severity", name(row.severity)},
                            {"phase", name(row.phase)},
                            {"platforms", row.platforms},
                            {"what", row.message},
                            {"why", row.why},
                            {"mend", row.mend},
                            {"bad", shown(ruleProgram(rule, true))},
                            {"good", shown(ruleProgram(rule, false))},
                            {"source", row.source}};
}

} // namespace pto
