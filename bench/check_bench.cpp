//===- check_bench.cpp - how checking grows with the text --------------------===//
//
// Reports time per size and the fitted order; both must be linear (`BigO` prints N).
//
//===----------------------------------------------------------------------===//
#include "source_text.h"

#include "check/check.h"
#include "parse/parse.h"

#include <benchmark/benchmark.h>

using namespace pto;

static constexpr int64_t kSmallest = 64 << 10;
static constexpr int64_t kLargest = 4 << 20;

/// The input of a size, and its counters.
static std::string prepare(benchmark::State &state) {
  std::string text = makeSource(size_t(state.range(0)));
  state.SetComplexityN(int64_t(text.size()));
  return text;
}

static void reportBytes(benchmark::State &state, const std::string &text) {
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(text.size()));
}

static void parseSource(benchmark::State &state) {
  std::string text = prepare(state);
  for (auto _ : state) {
    Sources sources;
    Sink sink(sources);
    auto tree = parse(sources, sources.add("bench.pto", text), sink);
    benchmark::DoNotOptimize(tree.get());
    if (sink.hasErrors())
      state.SkipWithError("the generated source has errors");
  }
  reportBytes(state, text);
}

static void parseAndCheckSource(benchmark::State &state) {
  std::string text = prepare(state);
  for (auto _ : state) {
    Sources sources;
    Sink sink(sources);
    auto tree = parse(sources, sources.add("bench.pto", text), sink);
    Unit unit;
    unit.file = tree.get();
    auto program = check(unit, CheckOptions(), sources, sink);
    benchmark::DoNotOptimize(program.get());
    if (sink.hasErrors())
      state.SkipWithError("the generated source has errors");
  }
  reportBytes(state, text);
}

static void sizes(benchmark::internal::Benchmark *bench) {
  bench->RangeMultiplier(4)
      ->Range(kSmallest, kLargest)
      ->Unit(benchmark::kMillisecond)
      ->Complexity(benchmark::oAuto);
}

BENCHMARK(parseSource)->Apply(sizes);
BENCHMARK(parseAndCheckSource)->Apply(sizes);
BENCHMARK_MAIN();
