//===- entries.cpp - hosts and tests, and the order of checking ----------------------===//

#include "check/body.h"

#include "check/kernels.h"
#include "check/targets.h"
#include "hixl/incident.h"
#include "target/topology.h"

#include "llvm/ADT/StringExtras.h"

namespace pto::check_detail {

void addFix(Finding &finding, const Sources &sources, SourceRange at, llvm::StringRef text,
            llvm::StringRef label) {
  finding.fixes.push_back({sources.name(at.file).str(), at.begin, at.end, text.str(), label.str()});
}

namespace {
/// A target as a setting states it, and where.
struct StatedTarget {
  std::string text;
  SourceRange range;
};
} // namespace

/// `target = a3`, `target = "ascend950,nic=hns1825"`: one of them.
static void takeTarget(Checker &checker, const ast::Expr *value, SourceRange setting,
                       std::vector<StatedTarget> &targets) {
  SourceRange range = value ? value->range : setting;
  if (const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(value))
    targets.push_back({name->name.str(), range});
  else if (const auto *text = llvm::dyn_cast_or_null<ast::StringLiteral>(value))
    targets.push_back({checker.stringValue(*text).str(), range});
  else
    checker.sink.report<Rule::BadSetting>(
        range, "a target is a name, or a text like \"ascend950,nic=hns1825\"");
}

/// `target = [a2, a3]` is one entry for each.
static void takeTargets(Checker &checker, const ast::Setting &setting,
                        std::vector<StatedTarget> &targets) {
  const auto *list = llvm::dyn_cast_or_null<ast::ListExpr>(setting.value);
  if (!list)
    return takeTarget(checker, setting.value, setting.range, targets);
  if (list->elements.empty())
    checker.sink.report<Rule::BadSetting>(setting.range, "a list of targets names at least one");
  for (const ast::Expr *element : list->elements)
    takeTarget(checker, element, setting.range, targets);
}

/// `topology = mesh`, `topology = roce(2)` with two ranks in the innermost group.
static void takeTopology(Checker &checker, Body &body, const ast::Setting &setting, Entry &entry) {
  const auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(setting.value);
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(call ? call->callee : setting.value);
  if (!name || (call && (call->arguments.size() != 1 || !call->arguments[0]))) {
    checker.sink.report<Rule::BadSetting>(
        setting.range,
        "a topology is a name, such as `mesh`, or `roce(2)` with the ranks of a group");
    return;
  }
  entry.topology = name->name.str();
  if (call) {
    const auto *arg = llvm::dyn_cast<ast::Argument>(call->arguments[0]);
    std::optional<int64_t> size = body.checkConstantInteger(arg ? arg->value : nullptr, "the size");
    if (!size)
      return;
    entry.topology += ":" + std::to_string(*size);
  }
  if (llvm::Expected<Topology> topology = parseTopology(entry.topology); !topology)
    checker.sink.report<Rule::BadSetting>(setting.range, llvm::toString(topology.takeError()));
}

/// `engines = [MTE, ROCE]`: what SHMEM asks for when it begins.
static void takeTransports(Checker &checker, const ast::Setting &setting, Entry &entry) {
  const auto *list = llvm::dyn_cast_or_null<ast::ListExpr>(setting.value);
  if (!list || list->elements.empty()) {
    checker.sink.report<Rule::BadSetting>(setting.range,
                                          "engines are a list, such as `[MTE, ROCE]`");
    return;
  }
  llvm::SmallVector<std::string, 4> names;
  for (const ast::Expr *element : list->elements)
    names.push_back(checker.sources.text(element->range).str());
  entry.transports = llvm::join(names, ",");
  if (llvm::Expected<Transports> set = parseTransports(entry.transports); !set)
    checker.sink.report<Rule::BadSetting>(setting.range, llvm::toString(set.takeError()));
}

/// `faults = ["link 1->0 at 3ms until 5ms"]`: what happens to HIXL in the run.
static void takeFaults(Checker &checker, const ast::Setting &setting, Entry &entry) {
  const auto *list = llvm::dyn_cast_or_null<ast::ListExpr>(setting.value);
  if (!list) {
    checker.sink.report<Rule::BadSetting>(setting.range,
                                          "faults are a list, such as `[\"link 1->0 at 3ms\"]`");
    return;
  }
  for (const ast::Expr *element : list->elements) {
    const auto *text = llvm::dyn_cast_or_null<ast::StringLiteral>(element);
    llvm::StringRef written = text ? checker.stringValue(*text) : "";
    if (auto incident = parseHixlIncident(written); !incident.value)
      checker.sink.report<Rule::BadSetting>(element ? element->range : setting.range, incident.why);
    else
      entry.faults.push_back(written.str());
  }
}

/// The settings of a host or test: `(ranks = 4, blocks = 2, seed = 7)`.
static void takeSetting(Checker &checker, Body &body, const ast::Setting &setting, Entry &entry) {
  Sink &sink = checker.sink;
  if (setting.name == "topology")
    return takeTopology(checker, body, setting, entry);
  if (setting.name == "engines")
    return takeTransports(checker, setting, entry);
  if (setting.name == "faults")
    return takeFaults(checker, setting, entry);
  bool isRanks = setting.name == "ranks", isBlocks = setting.name == "blocks",
       isSeed = setting.name == "seed", isServers = setting.name == "servers";
  if (!isRanks && !isBlocks && !isSeed && !isServers) {
    sink.report<Rule::BadSetting>(setting.range,
                                  "there is no setting `" + setting.name.str() + "`");
    return;
  }
  std::optional<int64_t> value =
      body.checkConstantInteger(setting.value, "`" + setting.name.str() + "`");
  if (!value)
    return;
  int64_t most = isRanks || isServers ? limit(Limit::MaxRanks) : isBlocks ? 65536 : INT64_MAX;
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
  else if (isServers)
    entry.servers = int32_t(*value);
  else
    entry.seed = uint64_t(*value);
  entry.hasSeed |= isSeed;
}

/// Adds the entry for each of its targets. Several of them are told apart by their names:
/// `title [a3]`.
static void addEntries(Checker &checker, const Entry &entry, llvm::ArrayRef<StatedTarget> targets) {
  for (const StatedTarget &target : targets) {
    Entry one = entry;
    one.target = target.text;
    one.targetRange = target.range;
    if (targets.size() > 1)
      one.name += " [" + target.text + "]";
    for (const Entry &other : checker.program->entries) {
      if (other.name != one.name || other.isTest != one.isTest)
        continue;
      Finding &finding = checker.sink.report<Rule::DuplicateName>(
          targets.size() > 1 ? target.range : entry.range, one.name);
      checker.sink.note(finding, other.range, "the first one");
      return;
    }
    checker.program->entries.push_back(std::move(one));
  }
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
  std::vector<StatedTarget> targets;
  for (const ast::Part *part : settings) {
    const auto *setting = llvm::dyn_cast_or_null<ast::Setting>(part);
    if (setting && setting->name == "target")
      takeTargets(*this, *setting, targets);
    else if (setting)
      takeSetting(*this, body, *setting, entry);
  }
  if (targets.empty())
    targets.emplace_back();
  body.checkFunction(statements);
  entry.expectedViolations = body.expectedViolations;
  addEntries(*this, entry, targets);
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
  adviseUnusedImports();
  checkFlags(*program, sink);
  checkTilePlaces(*program, sink);
  if (!sink.hasErrors()) // What is wrong already would be said again, in other words.
    checkLaunches(*program, options, sources, sink);
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
