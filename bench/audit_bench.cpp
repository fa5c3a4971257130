//===- audit_bench.cpp - what judging a run costs ------------------------------===//
//
// The same program with and without the audit: puts of one size through SDMA and through UB, each
// with its signal, back and forth between two ranks. Bytes per second count the payload. The last
// benchmark runs longer and longer and reports the memory of the process: it has to stay.
//
//===----------------------------------------------------------------------===//
#include "driver/compile.h"
#include "world/world.h"

#include "llvm/Support/FormatVariadic.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

using namespace pto;

/// A ping-pong of `rounds` puts of `words` i32.
static std::string programText(bool isAsync, int64_t words, int64_t rounds) {
  llvm::StringRef put = isAsync ? "wait(tput_async(inbox@peer, data, s));"
                                : "tput(inbox@peer, data, staging); pipe_barrier(ALL); dsb();";
  llvm::StringRef ready = isAsync ? "tile scratch: u8[256]; let s = session<SDMA>(scratch);"
                                  : "tile staging: i32[1, 1024];";
  return llvm::formatv("window data: i32[{0}] = 1;\nwindow inbox: i32[{0}];\n"
                       "window ready: signal = 0;\n"
                       "kernel exchange() {{\n  let peer = 1 - rank;\n  {1}\n"
                       "  for round in 0..{2} {{\n"
                       "    if round % 2 == rank {{ {3} tnotify(ready@peer, 1, AtomicAdd); }\n"
                       "    else {{ twait(ready, round / 2 + 1, GE); }\n  }\n}\n"
                       "test \"ping-pong\" (ranks = 2) {{ launch exchange(); }\n",
                       words, ready, rounds, put)
      .str();
}

static Module compileText(const std::string &text) {
  Sources sources;
  FileId file = sources.add("bench.pto", text);
  Sink sink(sources);
  CompileOptions options;
  Compilation compilation = compile(sources, file, options, sink);
  if (!compilation.isRunnable) {
    llvm::errs() << "the bench's own program does not compile: " << sink.findings().front().message
                 << '\n';
    std::exit(1);
  }
  return std::move(compilation.module);
}

static void runProgram(benchmark::State &state, const Module &module, bool audits) {
  RunOptions options;
  options.audits = audits;
  for (auto _ : state) {
    llvm::Expected<RunResult> result = run(module, module.entries.front(), options, llvm::nulls());
    if (!result || !result->findings.empty())
      state.SkipWithError("the bench's own program is not clean");
  }
}

static constexpr int64_t kRounds = 200;

static void pingPong(benchmark::State &state, bool isAsync, bool audits) {
  int64_t bytes = state.range(0);
  Module module = compileText(programText(isAsync, bytes / 4, kRounds));
  runProgram(state, module, audits);
  state.SetBytesProcessed(state.iterations() * kRounds * bytes);
}

#define SIZES Arg(4 << 10)->Arg(64 << 10)->Arg(1 << 20)
BENCHMARK_CAPTURE(pingPong, async_plain, true, false)->SIZES;
BENCHMARK_CAPTURE(pingPong, async_audited, true, true)->SIZES;
BENCHMARK_CAPTURE(pingPong, tput_plain, false, false)->SIZES;
BENCHMARK_CAPTURE(pingPong, tput_audited, false, true)->SIZES;

/// Rounds grow tenfold and the peak of the process's memory should not.
static void longRun(benchmark::State &state) {
  Module module = compileText(programText(true, 1024, state.range(0)));
  runProgram(state, module, true);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = double(usage.ru_maxrss) / 1024;
}
BENCHMARK(longRun)->Arg(1000)->Arg(10000)->Arg(100000)->Iterations(1);

BENCHMARK_MAIN();
