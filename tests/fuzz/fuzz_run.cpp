//===- fuzz_run.cpp - any program, run under the audit ------------------------===//
//
// What compiles may trap, hang in virtual time or be found wanting, but a run ends, stays inside
// its memory, and says the same again under the same seed. That it is watched changes nothing of
// it.
//
//===----------------------------------------------------------------------===//
#include "base/check.h"
#include "driver/compile.h"
#include "world/world.h"

using namespace pto;

namespace {
struct Told {
  std::string text; ///< What was printed, then what was found.
  int64_t timePs = 0;
  bool isRun = false;
};
} // namespace

static Told runOnce(const Module &module, const Entry &entry, const RunOptions &options) {
  Told told;
  llvm::raw_string_ostream out(told.text);
  llvm::Expected<RunResult> result = run(module, entry, options, out);
  if (!result) {
    llvm::consumeError(result.takeError());
    return told;
  }
  told.isRun = true;
  told.timePs = result->timePs;
  for (const Finding &finding : result->findings)
    out << info(finding.rule).slug << ' ' << finding.message << '\n';
  return told;
}

static void runEntry(const Module &module, const Entry &entry) {
  RunOptions options;
  options.maxSteps = 5000;
  options.maxGmBytes = 1u << 24;
  options.directory = "no such folder";
  options.ranks = entry.ranks > 0 ? std::min(entry.ranks, 4) : 2;
  Told first = runOnce(module, entry, options);
  Told again = runOnce(module, entry, options);
  PTO_CHECK(first.isRun == again.isRun && first.text == again.text && first.timePs == again.timePs,
            "a seed names a run");
  options.audits = false;
  Told unwatched = runOnce(module, entry, options);
  PTO_CHECK(first.timePs == unwatched.timePs, "the audit only watches");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Sources sources;
  FileId file =
      sources.add("fuzz.pto", llvm::StringRef(reinterpret_cast<const char *>(data), size));
  CompileOptions options;
  options.refusesExpected = true;
  Sink sink(sources);
  Compilation made = compile(sources, file, options, sink);
  if (!made.isRunnable)
    return 0;
  constexpr size_t kMostEntries = 3;
  for (size_t i = 0; i != std::min(made.module.entries.size(), kMostEntries); ++i)
    runEntry(made.module, made.module.entries[i]);
  return 0;
}
