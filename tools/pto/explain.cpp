//===- explain.cpp - `pto explain` and `pto targets` -----------------------------------------===//

#include "pages/pages.h"
#include "pto/command.h"

#include "target/platform.h"

namespace pto {

Exit explainCommand(const Options &options) {
  if (options.files.empty()) {
    for (const RuleInfo &row : rules())
      llvm::outs() << llvm::left_justify(row.slug, 26) << llvm::left_justify(name(row.kind), 10)
                   << row.message << '\n';
    return Exit::Fine;
  }
  for (const std::string &slug : options.files) {
    std::optional<Rule> rule = ruleBySlug(slug);
    if (!rule)
      return fail(options, "there is no rule '" + slug + "'; `pto explain` lists them");
    if (options.format == "json")
      llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(ruleJson(*rule))) << '\n';
    else
      llvm::outs() << rulePage(*rule);
  }
  return Exit::Fine;
}

Exit targetsCommand(const Options &options) {
  if (!options.files.empty())
    return fail(options, "`pto targets` takes no file");
  if (options.format == "json")
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(targetsJson())) << '\n';
  else
    llvm::outs() << targetsText();
  return Exit::Fine;
}

} // namespace pto
