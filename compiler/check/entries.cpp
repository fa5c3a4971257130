//===- entries.cpp - hosts and tests, and the order of checking ----------------------===//

#include "check/body.h"

#include "check/kernels.h"
#include "check/targets.h"
#include "target/platform.h"

namespace pto::check_detail {

void addFix(Finding &finding, const Sources &sources, SourceRange at, llvm::StringRef text,
            llvm::StringRef label) {
  finding.fixes.push_back({sources.name(at.file).str(), at.begin, at.end, text.str(), label.str()});
}

/// The settings of a host or test: `(ranks = 4, blocks = 2, target = a3, seed = 7)`.
static void takeSetting(Checker &checker, Body &body, const ast::Setting &setting, Entry &entry) {
  Sink &sink = checker.sink;
  if (setting.name == "target") {
    if (const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(setting.value))
      entry.target = name->name.str();
    else if (const auto *text = llvm::dyn_cast_or_null<ast::StringLiteral>(setting.value))
      entry.target = checker.stringValue(*text).str();
    else
      sink.report<Rule::BadSetting>(setting.range,
                                    "a target is a name, or a text like \"ascend950,nic=hns1825\"");
    entry.targetRange = setting.value ? setting.value->range : setting.range;
    return;
  }
  bool isRanks = setting.name == "ranks", isBlocks = setting.name == "blocks",
       isSeed = setting.name == "seed";
  if (!isRanks && !isBlocks && !isSeed) {
    sink.report<Rule::BadSetting>(setting.range,
                                  "there is no setting `" + setting.name.str() + "`");
    return;
  }
  std::optional<int64_t> value =
      body.checkConstantInteger(setting.value, "`" + setting.name.str() + "`");
  if (!value)
    return;
  int64_t most = isRanks ? limit(Limit::MaxRanks) : isBlocks ? 65536 : INT64_MAX;
  if (*value < (isSeed ? 0 : 1) || *value > most) {
    sink.report<Rule::BadSetting>(setting.range, "`" + setting.name.str() + "` is 1 to " +
                                                     std::to_string(most) + ", not " +
                                                     std::to_string(*value));
    return;
  }
  if (isRanks)
    entry.ranks = int32_t(*value);
  else if (isBlocks)
    entry.blocks = int32_t(*value);
  else
    entry.seed = uint64_t(*value);
  entry.hasSeed |= isSeed;
}

void Checker::checkEntry(const ast::Item &item, llvm::StringRef name,
                         llvm::ArrayRef<ast::Part *> settings, const ast::Stmt *statements,
                         bool isTest) {
  program->functions.push_back(std::make_unique<Function>());
  Function *function = program->functions.back().get();
  function->name = name.str();
  function->kind = program::FunctionKind::Host;
  function->isTest = isTest;
  function->range = item.nameRange;
  Body body(*this, units.size() - 1, function, Side::Host);
  Entry entry;
  entry.name = name.str();
  entry.isTest = isTest;
  entry.function = function;
  entry.range = item.nameRange;
  for (const ast::Part *part : settings)
    if (const auto *setting = llvm::dyn_cast_or_null<ast::Setting>(part))
      takeSetting(*this, body, *setting, entry);
  body.checkFunction(statements);
  entry.expectedViolations = body.expectedViolations;
  for (const Entry &other : program->entries) {
    if (other.name != entry.name || other.isTest != entry.isTest)
      continue;
    Finding &finding = sink.report<Rule::DuplicateName>(item.nameRange, name);
    sink.note(finding, other.range, "the first one");
    return;
  }
  program->entries.push_back(std::move(entry));
}

void Checker::checkEntries() {
  if (units.empty())
    return;
  for (const ast::Item *item : units.back().file->items) {
    if (const auto *host = llvm::dyn_cast<ast::HostItem>(item))
      checkEntry(*item, host->name, host->settings, host->body, false);
    else if (const auto *test = llvm::dyn_cast<ast::TestItem>(item))
      checkEntry(*item, unescape(test->name), test->settings, test->body, true);
  }
}

void Checker::run() {
  declareAll();
  applyDefines();
  checkObjects();
  declareKernels();
  checkKernels();
  checkEntries();
  checkUncalledFunctions();
  checkTargets(*program, options.target, options.isDefaultTarget, sink);
  checkFlags(*program, sink);
  checkTilePlaces(*program, sink);
  if (!sink.hasErrors()) // What is wrong already would be said again, in other words.
    checkLaunches(*program, options, sources, sink);
  sink.finishAllows();
}

} // namespace pto::check_detail

namespace pto {

std::unique_ptr<program::Program> check(llvm::ArrayRef<Unit> units, const CheckOptions &options,
                                        const Sources &sources, Sink &sink) {
  check_detail::Checker checker(units, options, sources, sink);
  checker.run();
  return std::move(checker.program);
}

} // namespace pto
