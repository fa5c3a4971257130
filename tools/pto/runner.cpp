#include "pto/runner.h"

#include "diag/render.h"
#include "target/topology_file.h"
#include "world/world.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace pto {

static std::vector<FileBinding> bindings(llvm::ArrayRef<std::string> from) {
  std::vector<FileBinding> to;
  for (llvm::StringRef binding : from) {
    auto [object, file] = binding.split('=');
    to.push_back({object.str(), file.str()});
  }
  return to;
}

/// One of the table, or that of a file.
static llvm::Expected<Topology> topologyNamed(llvm::StringRef text) {
  if (!text.ends_with(".json"))
    return parseTopology(text);
  Sources files;
  llvm::Expected<FileId> file = files.open(text.str());
  if (!file)
    return file.takeError();
  return readTopology(files.text(*file), text);
}

llvm::Expected<RunOptions> runOptions(const Entry &entry, const Options &options,
                                      llvm::StringRef path) {
  RunOptions run;
  run.ranks = options.ranks > 0 ? options.ranks : entry.ranks > 0 ? entry.ranks : run.ranks;
  run.blocks = options.blocks > 0 ? options.blocks : entry.blocks > 0 ? entry.blocks : run.blocks;
  llvm::StringRef stated = !entry.target.empty()     ? llvm::StringRef(entry.target)
                           : !options.target.empty() ? llvm::StringRef(options.target)
                                                     : llvm::StringRef(kDefaultTarget);
  llvm::Expected<Target> target = parseTarget(stated);
  if (!target)
    return target.takeError();
  run.target = *target;
  llvm::StringRef joined = !options.topology.empty() ? options.topology : entry.topology;
  if (!joined.empty()) {
    llvm::Expected<Topology> topology = topologyNamed(joined);
    if (!topology)
      return topology.takeError();
    run.topology = *topology;
  }
  if (!entry.transports.empty()) {
    llvm::Expected<Transports> enabled = parseTransports(entry.transports);
    if (!enabled)
      return enabled.takeError();
    run.topology.enabled = *enabled;
  }
  run.seed = options.hasSeed ? options.seed : entry.seed;
  run.lateRank = options.late;
  if (options.steps > 0)
    run.maxSteps = options.steps;
  if (options.memory > 0)
    run.maxGmBytes = options.memory;
  run.inputs = bindings(options.inputs);
  run.outputs = bindings(options.outputs);
  // Names in `fill … from` are relative to the program, those of --in and --out to the shell.
  run.directory = llvm::sys::path::parent_path(path).str();
  run.keepTrace = !options.trace.empty();
  run.audits = !options.noAudit;
  return run;
}

/// `test "name"` or `host main`, as it stands in the text.
static std::string titleOf(const Entry &entry) {
  return entry.isTest ? "test \"" + entry.name + "\"" : "host " + entry.name;
}

/// A word as a shell takes it.
static std::string shellWord(llvm::StringRef word) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_-./=,:+").contains(c); };
  if (!word.empty() && llvm::all_of(word, isPlain))
    return word.str();
  if (word.find_first_of("\"$`\\!") == llvm::StringRef::npos)
    return "\"" + word.str() + "\"";
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The words that run the entry again just so.
static std::string replayCommand(const Options &options, const Entry &entry, llvm::StringRef path,
                                 const RunOptions &run) {
  std::string text =
      "pto " + options.command + " " + shellWord(path) + " --seed " + std::to_string(run.seed);
  if (entry.isTest)
    text += " --filter " + shellWord(entry.name);
  else if (entry.name != "main")
    text += " --host " + entry.name;
  for (const std::string &input : options.inputs)
    text += " --in " + shellWord(input);
  if (options.ranks > 0)
    text += " --ranks " + std::to_string(run.ranks);
  if (options.blocks > 0)
    text += " --blocks " + std::to_string(run.blocks);
  if (!options.target.empty())
    text += " --target " + shellWord(options.target);
  if (run.lateRank >= 0)
    text += " --late " + std::to_string(run.lateRank);
  if (!options.topology.empty())
    text += " --topology " + shellWord(options.topology);
  for (const std::string &define : options.defines)
    text += " -D " + shellWord(define);
  return text;
}

/// What is known of a test before it runs.
static TestResult describe(const Entry &entry, const RunOptions &run, llvm::StringRef file) {
  TestResult test;
  test.name = entry.name;
  test.isTest = entry.isTest;
  test.file = file.str();
  test.line = entry.place.line;
  test.ranks = run.ranks;
  test.blocks = run.blocks;
  test.target = run.target.text();
  return test;
}

/// A proof by one seed is a proof; a run that must end in a finding proves nothing.
static void noteProof(TestResult &test, const Entry &entry, const RunResult &run) {
  if (!test.isClean || !run.isAudited || !entry.expectedViolations.empty()) {
    test.isProved.reset();
    return;
  }
  if (test.isProved.value_or(false))
    return;
  test.isProved = run.proof.holds();
  test.openPairs.clear();
  for (const OpenPair &pair : run.proof.pairs)
    test.openPairs.push_back(pair.text);
  test.moreOpenPairs = run.proof.more;
}

/// The timeline of a run, if it was asked for.
static llvm::Error keepTrace(const Options &options, const Trace &trace) {
  if (options.trace.empty())
    return llvm::Error::success();
  return writeFile(options.trace, [&](llvm::raw_ostream &out) { writeChromeTrace(out, trace); });
}

llvm::Expected<TestResult> runEntry(const Module &module, const Entry &entry,
                                    const Options &options, llvm::StringRef path,
                                    llvm::raw_ostream &out) {
  llvm::Expected<RunOptions> run = runOptions(entry, options, path);
  if (!run)
    return run.takeError();
  TestResult test = describe(entry, *run,
                             entry.place.file < module.files.size()
                                 ? llvm::StringRef(module.files[entry.place.file])
                                 : path);
  for (test.schedules = 0; test.schedules != options.seeds; ++run->seed) {
    llvm::Expected<RunResult> result = pto::run(module, entry, *run, out);
    if (!result) {
      test.failure = test.file + ": " + titleOf(entry) + ": " + llvm::toString(result.takeError());
      if (options.command == "run")
        return llvm::createStringError(std::make_error_code(std::errc::io_error), test.failure);
      test.isClean = false; // The other tests say more.
      test.seed = run->seed;
      test.replay = replayCommand(options, entry, path, *run);
      test.schedules = 1;
      return test;
    }
    ++test.schedules;
    test.seed = run->seed;
    test.timePs = result->timePs;
    test.findings = std::move(result->findings);
    test.isClean = llvm::none_of(test.findings,
                                 [](const Finding &f) { return f.severity == Severity::Error; });
    test.replay = replayCommand(options, entry, path, *run);
    noteProof(test, entry, *result);
    test.hixlEngines.assign(result->hixlEngines.begin(), result->hixlEngines.end());
    if (llvm::Error failed = keepTrace(options, result->trace))
      return failed;
    if (!test.isClean)
      break;
  }
  return test;
}

TestResult refusedEntry(const Refusal &refusal, const Options &options, const Sources &sources,
                        llvm::StringRef path) {
  const program::Entry &from = refusal.entry;
  Sink sink(sources);
  Place place = sink.place(from.range);
  Entry entry;
  entry.name = from.name;
  entry.isTest = from.isTest;
  entry.ranks = from.ranks;
  entry.blocks = from.blocks;
  entry.seed = from.seed;
  entry.target = from.target;
  entry.topology = from.topology;
  entry.transports = from.transports;
  entry.place.line = place.line;
  llvm::Expected<RunOptions> stated = runOptions(entry, options, path);
  const RunOptions run = stated ? *stated : RunOptions();
  if (!stated) // Such a target may be what the test is about.
    llvm::consumeError(stated.takeError());
  TestResult test = describe(entry, run, place.file);
  test.seed = run.seed;
  test.schedules = 0;
  test.refusals = refusal.findings;
  for (uint16_t rule : from.expectedViolations)
    if (llvm::none_of(refusal.findings,
                      [&](const Finding &finding) { return finding.rule == Rule(rule); }))
      sink.report<Rule::ViolationExpected>(from.range, info(Rule(rule)).slug)
          .details.push_back("nothing was run: `" + info(refusal.findings.front().rule).slug.str() +
                             "`, which it expects too, was found before");
  test.findings = sink.takeFindings();
  test.isClean = test.findings.empty();
  test.replay = replayCommand(options, entry, path, run);
  return test;
}

Exit report(const Options &options, const Sources &sources, const Result &result) {
  if (!options.junit.empty())
    if (llvm::Error failed =
            writeFile(options.junit, [&](llvm::raw_ostream &out) { writeJunit(out, result); }))
      return fail(options, std::move(failed));
  if (options.format == "json") {
    writeJson(llvm::outs(), result);
  } else {
    renderText(llvm::errs(), sources, result.findings);
    if (!result.failure.empty())
      llvm::errs() << "pto: error: " << result.failure << '\n';
    writeTests(llvm::outs(), sources, result);
  }
  bool compileErrors =
      llvm::any_of(result.findings, [](const Finding &f) { return f.severity == Severity::Error; });
  if (compileErrors)
    return Exit::Errors;
  bool hasFailed =
      !result.failure.empty() ||
      llvm::any_of(result.tests, [](const TestResult &test) { return !test.failure.empty(); });
  return hasFailed ? Exit::Usage : result.hasErrors() ? Exit::Run : Exit::Fine;
}

} // namespace pto
