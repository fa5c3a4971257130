//===- run.cpp - `pto run` and `pto test` -----------------------------------------------===//

#include "pto/runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace pto {

namespace {
/// One that a command starts: of the module, or refused.
struct Chosen {
  const Entry *entry = nullptr;
  const Refusal *refusal = nullptr;
  uint32_t line = 0, column = 0;
};
} // namespace

/// Hosts of the wanted name, or tests whose title the filter takes; in the order of the text.
static std::vector<Chosen> choose(const Loaded &loaded, const Options &options,
                                  const Sources &sources, bool wantsTests) {
  llvm::StringRef host = options.host.empty() ? "main" : llvm::StringRef(options.host);
  auto isWanted = [&](const auto &entry) {
    llvm::StringRef name = entry.name;
    return entry.isTest == wantsTests &&
           (wantsTests ? name.contains(options.filter) : name == host);
  };
  std::vector<Chosen> chosen;
  for (const Entry &entry : loaded.module.entries)
    if (isWanted(entry))
      chosen.push_back({&entry, nullptr, entry.place.line, entry.place.column});
  for (const Refusal &refusal : loaded.refusals) {
    SourceRange range = refusal.entry.range;
    LineColumn at = sources.lineColumn(range.file, range.begin);
    if (isWanted(refusal.entry))
      chosen.push_back({nullptr, &refusal, at.line, at.column});
  }
  llvm::stable_sort(chosen, [](const Chosen &a, const Chosen &b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  return chosen;
}

/// What a command starts: the named host, else `main`, else every test that the filter takes. `pto
/// test` starts tests only.
static std::vector<Chosen> chooseEntries(const Loaded &loaded, const Options &options,
                                         const Sources &sources) {
  std::vector<Chosen> hosts;
  if (options.command == "run" && options.filter.empty())
    hosts = choose(loaded, options, sources, false);
  return !hosts.empty() || !options.host.empty() ? hosts : choose(loaded, options, sources, true);
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

/// Notes what a run covered.
static void cover(Coverage &covered, const TestResult &test) {
  covered.ranks = test.ranks;
  covered.blocks = test.blocks;
  covered.target = test.target;
  if (!llvm::is_contained(covered.seeds, test.seed))
    covered.seeds.push_back(test.seed);
}

static llvm::Error runEntries(const Loaded &loaded, const std::string &path, const Options &options,
                              Sources &sources, Result &result) {
  std::vector<Chosen> entries = chooseEntries(loaded, options, sources);
  if (entries.empty() && options.command == "run")
    reportNothing(path, options, sources, result);
  auto runs = size_t(llvm::count_if(entries, [](const Chosen &chosen) { return chosen.entry; }));
  if (!options.trace.empty() && (runs > 1 || options.seeds > 1))
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "--trace records one run, and this would be " +
                                       llvm::Twine(runs * options.seeds) +
                                       "; choose with --filter");
  // With JSON on stdout, what programs print goes to stderr.
  llvm::raw_ostream &out = options.format == "json" ? llvm::errs() : llvm::outs();
  for (const Chosen &chosen : entries) {
    llvm::Expected<TestResult> test =
        chosen.entry
            ? runEntry(loaded.module, *chosen.entry, options, path, out)
            : llvm::Expected<TestResult>(refusedEntry(*chosen.refusal, options, sources, path));
    if (!test)
      return test.takeError();
    if (chosen.entry)
      cover(result.covered, *test);
    result.tests.push_back(std::move(*test));
  }
  return llvm::Error::success();
}

/// Runs what one file holds; adds to the result.
static llvm::Error runFile(const std::string &path, const Options &options, Sources &sources,
                           Result &result) {
  llvm::Expected<Loaded> loaded = load(sources, path, options, true);
  if (!loaded && options.command == "test") {
    // The other files say more; the command ends as failed.
    std::string why = llvm::toString(loaded.takeError());
    result.failure += (result.failure.empty() ? "" : "; ") + why;
    result.brokenFiles.push_back({path, std::nullopt, std::move(why)});
    return llvm::Error::success();
  }
  if (!loaded)
    return loaded.takeError();
  llvm::append_range(result.findings, loaded->findings);
  llvm::append_range(result.covered.unknowns, loaded->unknowns);
  if (loaded->isRunnable)
    return runEntries(*loaded, path, options, sources, result);
  auto error = llvm::find_if(
      loaded->findings, [](const Finding &finding) { return finding.severity == Severity::Error; });
  if (error != loaded->findings.end())
    result.brokenFiles.push_back({path, *error, ""});
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
  if (result.tests.empty() && !result.hasErrors() && result.failure.empty())
    return fail(options, "no test was found");
  return report(options, sources, result);
}

} // namespace pto
