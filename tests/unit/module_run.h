//===- module_run.h - running a built module, for tests ---------*- C++ -*-===//
#ifndef PTO_TESTS_UNIT_MODULE_RUN_H
#define PTO_TESTS_UNIT_MODULE_RUN_H

#include "bytecode/verify.h"
#include "unit/module_builder.h"
#include "world/world.h"

#include <gtest/gtest.h>

namespace pto::testing {

/// What a run of a module's only entry gave.
struct Ran {
  std::vector<Finding> findings;
  std::string printed;
  std::string trace;
  std::string error;
  int64_t timePs = 0;
  std::vector<Event> events;
  [[nodiscard]] std::string slugs() const {
    std::string text = error;
    for (const Finding &finding : findings)
      text += (text.empty() ? "" : " ") + info(finding.rule).slug.str();
    return text;
  }
  /// A finding as text: message, sites, details.
  [[nodiscard]] std::string text() const {
    std::string text = error;
    for (const Finding &finding : findings) {
      text += info(finding.rule).slug.str() + ": " + finding.message + "\n";
      for (const Site &site : finding.sites)
        text += "  at line " + std::to_string(site.place.line) + " rank " +
                std::to_string(site.rank) + " block " + std::to_string(site.block) +
                (site.role.empty() ? "" : " " + site.role) + "\n";
      for (const std::string &line : finding.details)
        text += "  | " + line + "\n";
    }
    return text;
  }
};

inline Target targetNamed(llvm::StringRef text) { return llvm::cantFail(parseTarget(text)); }

inline Ran runModule(const Builder &builder, RunOptions options = {}) {
  Ran ran;
  if (llvm::Error bad = verify(builder.module)) {
    ran.error = "verify: " + llvm::toString(std::move(bad));
    return ran;
  }
  llvm::raw_string_ostream out(ran.printed);
  llvm::Expected<RunResult> result =
      run(builder.module, builder.module.entries.front(), options, out);
  if (!result) {
    ran.error = llvm::toString(result.takeError());
    return ran;
  }
  ran.findings = std::move(result->findings);
  ran.timePs = result->timePs;
  ran.events = result->trace.events().vec();
  llvm::raw_string_ostream trace(ran.trace);
  writeChromeTrace(trace, result->trace);
  printTrace(trace, result->trace);
  return ran;
}

} // namespace pto::testing

#endif
