#include "report/result.h"

#include "diag/render.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace pto {

static bool isError(const Finding &finding) { return finding.severity == Severity::Error; }

bool Result::hasErrors() const {
  return llvm::any_of(findings, isError) ||
         llvm::any_of(tests, [](const TestResult &test) { return !test.isClean; });
}

std::vector<EngineUse> Result::hixlUse() const {
  std::map<std::string, size_t> counts;
  for (const TestResult &test : tests)
    for (const std::string &engine : test.hixlEngines)
      ++counts[engine];
  std::vector<EngineUse> uses;
  for (const auto &[engine, tests] : counts)
    uses.push_back({engine, tests});
  return uses;
}

llvm::StringRef Result::verdict() const {
  if (!failure.empty())
    return "failed";
  return hasErrors() ? "findings" : "clean";
}

static std::string count(size_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

/// "3 tests: 2 ok, 1 failed"
static void writeCount(llvm::raw_ostream &out, llvm::ArrayRef<TestResult> tests) {
  auto clean = size_t(llvm::count_if(tests, [](const TestResult &test) { return test.isClean; }));
  out << count(tests.size(), "test") << ": " << clean << " ok, " << tests.size() - clean
      << " failed\n";
}

/// The same for each file, where there are several; their tests stand together.
static void writeFileCounts(llvm::raw_ostream &out, llvm::ArrayRef<TestResult> tests) {
  auto isLast = [&](size_t i) {
    return i + 1 == tests.size() || tests[i + 1].file != tests[i].file;
  };
  if (tests.empty() || tests.front().file == tests.back().file)
    return;
  for (size_t i = 0, first = 0; i != tests.size(); ++i) {
    if (!isLast(i))
      continue;
    out << tests[i].file << ": ";
    writeCount(out, tests.slice(first, i + 1 - first));
    first = i + 1;
  }
}

/// How far a clean run reaches, and ends the line.
static void writeProof(llvm::raw_ostream &out, const TestResult &test) {
  constexpr size_t kPairsShown = 2;
  if (!test.isClean || !test.isProved) {
    out << '\n';
    return;
  }
  out << (*test.isProved ? ", proved for all schedules\n" : ", clean in this schedule\n");
  for (const std::string &pair : llvm::ArrayRef(test.openPairs).take_front(kPairsShown))
    out << "  may come in the other order: " << pair << '\n';
  uint64_t more = test.moreOpenPairs + test.openPairs.size();
  if (more > kPairsShown)
    out << "  and " << more - kPairsShown << " more\n";
}

/// "notify-before-drain at a.pto:3:1"
static std::string whereText(const Finding &finding) {
  const Place &at = finding.sites.front().place;
  return info(finding.rule).slug.str() + " at " + at.file + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

/// "(2 ranks, 1 block, a3, seed 0)", or why it was not run.
static void writeHow(llvm::raw_ostream &out, const TestResult &test) {
  if (!test.refusals.empty()) {
    out << " (refused before running: ";
    llvm::interleaveComma(test.refusals, out,
                          [&](const Finding &finding) { out << whereText(finding); });
    out << ")\n";
    return;
  }
  out << " (" << count(size_t(test.ranks), "rank") << ", " << count(size_t(test.blocks), "block")
      << ", " << test.target << ", ";
  if (test.schedules == 1)
    out << "seed " << test.seed << ')';
  else if (test.isClean)
    out << test.schedules << " seeds)";
  else
    out << "seed " << test.seed << " of " << test.schedules << " tried)";
  writeProof(out, test);
}

/// "HIXL: 12 tests on client-server, 3 on comm-domain"; a test may use several.
static void writeEngineUse(llvm::raw_ostream &out, llvm::ArrayRef<EngineUse> uses) {
  if (uses.empty())
    return;
  out << "HIXL: ";
  llvm::interleaveComma(uses, out, [&](const EngineUse &use) {
    out << (&use == uses.begin() ? count(use.tests, "test") : std::to_string(use.tests)) << " on "
        << use.engine;
  });
  out << '\n';
}

void writeTests(llvm::raw_ostream &out, const Sources &sources, const Result &result) {
  llvm::ArrayRef<TestResult> tests = result.tests;
  size_t hosts = 0;
  for (const TestResult &test : tests) {
    renderText(out, sources, test.findings);
    if (!test.failure.empty())
      out << "error: " << test.failure << '\n';
    hosts += !test.isTest;
    out << (test.isTest ? "test \"" + test.name + "\"" : "host " + test.name) << ": "
        << (test.isClean ? "ok" : "FAILED");
    writeHow(out, test);
    if (!test.isClean)
      out << "replay: " << test.replay << '\n';
  }
  if (hosts != tests.size()) {
    writeFileCounts(out, tests);
    writeEngineUse(out, result.hixlUse());
    writeCount(out, tests);
  }
  auto refused = size_t(llvm::count_if(
      result.brokenFiles, [](const BrokenFile &file) { return file.error.has_value(); }));
  if (refused > 0)
    out << count(refused, "file") << (refused == 1 ? " does" : " do")
        << " not compile; no test there was run\n";
}

static llvm::json::Object refusalJson(const Finding &finding) {
  const Place &at = finding.sites.front().place;
  return llvm::json::Object{{"slug", info(finding.rule).slug},
                            {"file", llvm::json::fixUTF8(at.file)},
                            {"line", int64_t(at.line)},
                            {"column", int64_t(at.column)},
                            {"message", llvm::json::fixUTF8(finding.message)}};
}

static llvm::json::Object testJson(const TestResult &test) {
  llvm::json::Object object{{"name", llvm::json::fixUTF8(test.name)},
                            {"file", llvm::json::fixUTF8(test.file)},
                            {"line", int64_t(test.line)},
                            {"verdict", !test.failure.empty() ? "failed"
                                        : test.isClean        ? "clean"
                                                              : "findings"},
                            {"seed", llvm::json::Value(test.seed)}};
  if (test.timePs)
    object["time_ps"] = *test.timePs;
  if (test.isProved) {
    object["proof"] = *test.isProved ? "all schedules" : "this schedule";
    llvm::json::Array pairs;
    for (const std::string &pair : test.openPairs)
      pairs.push_back(llvm::json::fixUTF8(pair));
    if (!pairs.empty())
      object["open"] = std::move(pairs);
  }
  if (!test.hixlEngines.empty())
    object["hixl_engines"] = llvm::json::Array(test.hixlEngines);
  if (test.refusals.empty())
    return object;
  llvm::json::Array refusals;
  for (const Finding &finding : test.refusals)
    refusals.push_back(refusalJson(finding));
  object["refused"] = std::move(refusals);
  return object;
}

static llvm::json::Object coverageJson(const Result &result) {
  const Coverage &covered = result.covered;
  llvm::json::Array seeds, unknowns;
  for (uint64_t seed : covered.seeds)
    seeds.push_back(llvm::json::Value(seed));
  for (const std::string &unknown : covered.unknowns)
    unknowns.push_back(llvm::json::fixUTF8(unknown));
  llvm::json::Object object{{"target", covered.target},
                            {"ranks", covered.ranks},
                            {"blocks", covered.blocks},
                            {"seeds", std::move(seeds)},
                            {"unknown", std::move(unknowns)}};
  auto wasRun = [](const TestResult &test) { return test.refusals.empty(); };
  auto isProved = [](const TestResult &test) { return test.isProved.value_or(false); };
  auto isOpen = [](const TestResult &test) { return !test.isProved.value_or(true); };
  if (llvm::any_of(result.tests, wasRun)) {
    bool holds = llvm::any_of(result.tests, isProved) && llvm::none_of(result.tests, isOpen) &&
                 !result.hasErrors();
    object["proof"] = holds ? "all schedules" : "this schedule";
  }
  llvm::json::Object uses;
  for (const EngineUse &use : result.hixlUse())
    uses[use.engine] = int64_t(use.tests);
  if (!uses.empty())
    object["hixl_engines"] = std::move(uses);
  return object;
}

static llvm::json::Array fixedJson(llvm::ArrayRef<AppliedFix> fixed) {
  llvm::json::Array rows;
  for (const AppliedFix &fix : fixed) {
    llvm::json::Object row{{"file", llvm::json::fixUTF8(fix.file)},
                           {"slug", fix.slug},
                           {"label", llvm::json::fixUTF8(fix.label)}};
    if (!fix.why.empty())
      row["why"] = fix.why;
    rows.push_back(std::move(row));
  }
  return rows;
}

static llvm::json::Object baselineJson(const BaselineUse &use) {
  llvm::json::Array stale;
  for (const StaleFinding &row : use.stale)
    stale.push_back(llvm::json::Object{{"file", llvm::json::fixUTF8(row.file)},
                                       {"slug", row.slug},
                                       {"message", llvm::json::fixUTF8(row.message)},
                                       {"count", int64_t(row.count)}});
  return llvm::json::Object{{"known", int64_t(use.known)}, {"stale", std::move(stale)}};
}

void writeJson(llvm::raw_ostream &out, const Result &result) {
  llvm::json::Array findings, tests;
  for (const Finding &finding : result.findings)
    findings.push_back(toJson(finding));
  for (const TestResult &test : result.tests) {
    for (const Finding &finding : test.findings)
      findings.push_back(toJson(finding));
    tests.push_back(testJson(test));
  }
  llvm::json::Object object{{"verdict", result.verdict()},
                            {"findings", std::move(findings)},
                            {"tests", std::move(tests)},
                            {"covered", coverageJson(result)}};
  if (!result.fixed.empty())
    object["fixed"] = fixedJson(result.fixed);
  if (!result.unfixed.empty())
    object["unfixed"] = fixedJson(result.unfixed);
  if (result.baseline)
    object["baseline"] = baselineJson(*result.baseline);
  if (!result.failure.empty())
    object["failure"] = llvm::json::fixUTF8(result.failure);
  out << llvm::formatv("{0:2}", llvm::json::Value(std::move(object))) << '\n';
}

/// Characters that XML keeps for itself; what XML cannot hold becomes '?'.
static std::string xml(llvm::StringRef text) {
  std::string out;
  for (char c : llvm::json::fixUTF8(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += (unsigned char)c < 0x20 && c != '\n' && c != '\t' ? '?' : c;
  }
  return out;
}

/// What a case holds: nothing where all is well.
static std::string junitBody(const TestResult &test) {
  std::string body;
  llvm::raw_string_ostream out(body);
  for (const Finding &finding : test.findings)
    if (!test.isClean)
      out << "    <failure type=\"" << info(finding.rule).slug << "\" message=\""
          << xml(finding.message) << "\">" << xml(test.replay) << "</failure>\n";
  if (!test.failure.empty())
    out << "    <error message=\"" << xml(test.failure) << "\"/>\n";
  if (!test.refusals.empty())
    out << "    <system-out>refused before running: ";
  llvm::interleave(
      test.refusals, out,
      [&](const Finding &finding) {
        out << xml(whereText(finding)) << ": " << xml(finding.message);
      },
      "\n");
  if (!test.refusals.empty())
    out << "</system-out>\n";
  return body;
}

static void writeCase(llvm::raw_ostream &out, llvm::StringRef file, llvm::StringRef name,
                      llvm::StringRef body) {
  out << "  <testcase classname=\"" << xml(file) << "\" name=\"" << xml(name) << '"';
  if (body.empty())
    out << "/>\n";
  else
    out << ">\n" << body << "  </testcase>\n";
}

static void writeBroken(llvm::raw_ostream &out, const BrokenFile &file) {
  std::string type = "cannot-be-read", message = file.failure, where;
  if (file.error) {
    type = info(file.error->rule).slug;
    message = "does not compile: " + file.error->message;
    where = whereText(*file.error);
  }
  writeCase(out, file.file, "compiles",
            "    <error type=\"" + type + "\" message=\"" + xml(message) + "\">" + xml(where) +
                "</error>\n");
}

void writeJunit(llvm::raw_ostream &out, const Result &result) {
  size_t failed = 0, broken = result.brokenFiles.size();
  for (const TestResult &test : result.tests)
    (test.failure.empty() ? failed : broken) += !test.isClean;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"pto\" tests=\""
      << result.tests.size() + result.brokenFiles.size() << "\" failures=\"" << failed
      << "\" errors=\"" << broken << "\">\n";
  for (const BrokenFile &file : result.brokenFiles)
    writeBroken(out, file);
  for (const TestResult &test : result.tests)
    writeCase(out, test.file, test.name, junitBody(test));
  out << "</testsuite>\n";
}

} // namespace pto
