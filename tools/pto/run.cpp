//===- run.cpp - `pto run` and `pto test` -----------------------------------------------===//

#include "pto/runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace pto {

/// The entries that a command starts: the named host, else `main`, else every test that the filter
/// takes. `pto test` starts tests only.
static std::vector<const Entry *> chooseEntries(const Module &module, const Options &options) {
  std::vector<const Entry *> hosts, tests;
  llvm::StringRef wanted = options.host.empty() ? "main" : llvm::StringRef(options.host);
  for (const Entry &entry : module.entries) {
    if (!entry.isTest && entry.name == wanted)
      hosts.push_back(&entry);
    if (entry.isTest && llvm::StringRef(entry.name).contains(options.filter))
      tests.push_back(&entry);
  }
  bool wantsHost = options.command == "run" && options.filter.empty();
  return wantsHost && (!hosts.empty() || !options.host.empty()) ? hosts : tests;
}

static void reportNothing(const std::string &path, const Options &options, Sources &sources,
                          Result &result) {
  Sink sink(sources);
  std::string what = !options.host.empty() ? "the file has no `host " + options.host + "`"
                     : !options.filter.empty()
                         ? "no test has a name that contains `" + options.filter + "`"
                         : std::string("the file has neither a `host main` nor a test");
  sink.reportAt<Rule::NothingToRun>({path, 0, 0, 1}, what);
  llvm::append_range(result.findings, sink.takeFindings());
}

/// Runs what one file holds; adds to the result.
static llvm::Error runFile(const std::string &path, const Options &options, Sources &sources,
                           Result &result) {
  llvm::Expected<Loaded> loaded = load(sources, path, options, true);
  if (!loaded && options.command == "test") {
    // The other files say more; the command ends as failed.
    result.failure += (result.failure.empty() ? "" : "; ") + llvm::toString(loaded.takeError());
    return llvm::Error::success();
  }
  if (!loaded)
    return loaded.takeError();
  llvm::append_range(result.findings, loaded->findings);
  llvm::append_range(result.covered.unknowns, loaded->unknowns);
  result.refusedFiles += !loaded->isRunnable;
  if (!loaded->isRunnable)
    return llvm::Error::success();
  std::vector<const Entry *> entries = chooseEntries(loaded->module, options);
  if (entries.empty() && options.command == "run")
    reportNothing(path, options, sources, result);
  if (!options.trace.empty() && (entries.size() > 1 || options.seeds > 1))
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "--trace records one run, and this would be " +
                                       llvm::Twine(entries.size() * options.seeds) +
                                       "; choose with --filter");
  // With JSON on stdout, what programs print goes to stderr.
  llvm::raw_ostream &out = options.format == "json" ? llvm::errs() : llvm::outs();
  for (const Entry *entry : entries) {
    llvm::Expected<TestResult> test = runEntry(loaded->module, *entry, options, path, out);
    if (!test)
      return test.takeError();
    result.covered.ranks = test->ranks;
    result.covered.blocks = test->blocks;
    result.covered.target = test->target;
    if (!llvm::is_contained(result.covered.seeds, test->seed))
      result.covered.seeds.push_back(test->seed);
    result.tests.push_back(std::move(*test));
  }
  return llvm::Error::success();
}

Exit runCommand(const Options &options) {
  if (options.files.size() != 1)
    return fail(options, "`pto run` takes one file");
  Sources sources;
  Result result;
  if (llvm::Error failed = runFile(options.files[0], options, sources, result))
    return fail(options, std::move(failed));
  return report(options, sources, result);
}

/// What is wrong with the command line itself, before it looks like a fault of every file.
static llvm::Error checkWords(const Options &options) {
  llvm::Expected<CompileOptions> compileWith = compileOptions(options, true);
  if (!compileWith)
    return compileWith.takeError();
  Sources none;
  Sink sink(none);
  return setVerdicts(options, sink);
}

Exit testCommand(const Options &options) {
  if (options.files.empty())
    return fail(options, "`pto test` needs a file or folder");
  if (llvm::Error wrong = checkWords(options))
    return fail(options, std::move(wrong));
  Sources sources;
  Result result;
  std::vector<std::string> files;
  for (const std::string &path : options.files)
    if (llvm::Error failed = collectPrograms(path, files))
      return fail(options, std::move(failed));
  for (const std::string &file : files)
    if (llvm::Error failed = runFile(file, options, sources, result))
      return fail(options, std::move(failed));
  if (result.tests.empty() && !result.hasErrors())
    return fail(options, result.failure.empty() ? "no test was found" : result.failure);
  return report(options, sources, result);
}

} // namespace pto
