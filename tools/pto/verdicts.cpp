//===- verdicts.cpp - what the command line says of rules: -W, and `pto lint` ----------------===//

#include "pto/command.h"

#include "base/near.h"

#include "llvm/ADT/StringSwitch.h"

namespace pto {

/// Stands for all advice on the command line.
static constexpr llvm::StringLiteral kAdviceGroup = "lint";

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

/// The rules that a word of the command line names.
static std::vector<Rule> rulesOf(llvm::StringRef word) {
  std::vector<Rule> named;
  for (size_t i = 0; i != rules().size(); ++i)
    if (rules()[i].slug == word ||
        (word == kAdviceGroup && rules()[i].severity == Severity::Advice))
      named.push_back(Rule(i));
  return named;
}

static llvm::Error refuseSlug(llvm::StringRef slug) {
  NearestName nearest(slug);
  nearest.consider(kAdviceGroup);
  for (const RuleInfo &row : rules())
    nearest.consider(row.slug);
  std::string where = nearest.best().empty() ? "; `pto explain` lists them" : nearest.question();
  return refuse("-W: there is no rule '" + slug + "'" + where);
}

llvm::Error setVerdicts(const Options &options, Sink &sink) {
  if (options.command == "lint")
    sink.takeAdvice();
  for (llvm::StringRef pair : options.verdicts) {
    auto [slug, word] = pair.split('=');
    std::vector<Rule> named = rulesOf(slug);
    if (named.empty())
      return refuseSlug(slug);
    Verdict verdict = llvm::StringSwitch<Verdict>(word)
                          .Case("allow", Verdict::Allow)
                          .Case("warn", Verdict::Warn)
                          .Case("deny", Verdict::Deny)
                          .Default(Verdict::Default);
    if (verdict == Verdict::Default)
      return refuse("-W " + slug + " takes allow, warn or deny, not '" + word + "'");
    for (Rule rule : named)
      sink.setVerdict(rule, verdict);
  }
  return llvm::Error::success();
}

} // namespace pto
