//===- result.h - what a command found, as one object -----------*- C++ -*-===//
//
// The JSON object of `--format json` and `--report json`; docs/reference/result.schema.json is its
// schema, and a test holds the output to it.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_REPORT_RESULT_H
#define PTO_REPORT_RESULT_H

#include "base/source.h"
#include "diag/finding.h"

#include "llvm/Support/raw_ostream.h"

namespace pto {

/// A run of one test or host, or its absence.
struct TestResult {
  std::string name;
  std::string file;
  uint32_t line = 0;
  bool isTest = false;
  bool isClean = true;
  int32_t ranks = 0;
  int32_t blocks = 0;
  std::string target;
  uint64_t seed = 0; ///< The seed of the run that is reported: the first one that found something.
  unsigned schedules = 1;        ///< Seeds that were run.
  std::optional<int64_t> timePs; ///< Virtual time at the end of that run, if there was one.
  std::vector<Finding> findings;
  /// What it expects and what was found before running, so that it was not run.
  std::vector<Finding> refusals;
  std::string failure; ///< The environment failed, so that it did not run: what, in one line.
  std::string replay;  ///< The command that runs it again with this seed.
  /// Of a clean run that was judged: whether it speaks for all schedules, or what prevents it.
  std::optional<bool> isProved;
  std::vector<std::string> openPairs;
  uint64_t moreOpenPairs = 0;
  std::vector<std::string> hixlEngines; ///< Kinds of HIXL's engines that it used.
};

/// A file of which no test could run.
struct BrokenFile {
  std::string file;
  std::optional<Finding> error; ///< The first one of the compiler; none: it cannot be read.
  std::string failure;          ///< Why it cannot be read, in one line.
};

/// How many tests used a kind of HIXL's engines.
struct EngineUse {
  std::string engine;
  size_t tests = 0;
};

/// What was covered, and what was not.
struct Coverage {
  std::string target;
  int32_t ranks = 0;
  int32_t blocks = 0;
  std::vector<uint64_t> seeds;
  std::vector<std::string> unknowns; ///< What only a run can decide, or what nobody could.
};

/// A repair that --fix wrote into a file, or did not.
struct AppliedFix {
  std::string file;
  std::string slug;
  std::string label;
  std::string why; ///< Why it was not written; else empty.
};

/// An entry of a baseline that nothing matches any more.
struct StaleFinding {
  std::string file;
  std::string slug;
  std::string message;
  size_t count = 0;
};

/// What --baseline did.
struct BaselineUse {
  size_t known = 0; ///< Findings that are not among those of the result.
  std::vector<StaleFinding> stale;
};

struct Result {
  std::vector<Finding> findings; ///< Decided before running.
  std::vector<TestResult> tests;
  Coverage covered;
  std::vector<AppliedFix> fixed;
  std::vector<AppliedFix> unfixed; ///< Repairs that --fix could not write, each with the reason.
  std::optional<BaselineUse> baseline;
  std::string failure; ///< The environment failed: what, in one line.
  std::vector<BrokenFile> brokenFiles;

  [[nodiscard]] bool hasErrors() const;
  /// By engine, in the order of their names.
  [[nodiscard]] std::vector<EngineUse> hixlUse() const;
  /// "clean", "findings" or "failed"
  [[nodiscard]] llvm::StringRef verdict() const;
};

/// Findings of the tests with their carets, a line a test, and a last line that counts them.
void writeTests(llvm::raw_ostream &out, const Sources &sources, const Result &result);
void writeJson(llvm::raw_ostream &out, const Result &result);
/// JUnit XML, for CI systems: a case for each test, and one for each file that has no tests to run.
void writeJunit(llvm::raw_ostream &out, const Result &result);

} // namespace pto

#endif
