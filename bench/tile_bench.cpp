//===- tile_bench.cpp - arithmetic on tiles against a plain loop -------------===//
//
// A row of 16 KiB of results, as a tile of UB would have; bytes per second count what is written.
//
//===----------------------------------------------------------------------===//
#include "simd/simd.h"

#include <benchmark/benchmark.h>

#include <vector>

using namespace pto;

static constexpr size_t kCount = 8192;

static std::vector<uint8_t> numbers(ScalarType type) {
  std::vector<uint8_t> bytes(kCount * info(type).bytes());
  for (size_t i = 0; i != kCount; ++i)
    storeScalar(type, bytes.data() + i * info(type).bytes(), fromDouble(type, 1 + double(i) / 64));
  return bytes;
}

static void report(benchmark::State &state, const std::vector<uint8_t> &out) {
  benchmark::DoNotOptimize(out.data());
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(out.size()));
}

static void addTiles(benchmark::State &state, ScalarType type) {
  std::vector<uint8_t> a = numbers(type), b = numbers(type), d = a;
  for (auto _ : state)
    computeRow(TileFn::Add, type, d.data(), a.data(), b.data(), kCount);
  report(state, d);
}

/// What a machine without vectors would do: one element after the other.
static void addPlainly(benchmark::State &state, ScalarType type) {
  std::vector<uint8_t> a = numbers(type), b = numbers(type), d = a;
  size_t size = info(type).bytes();
  for (auto _ : state)
    for (size_t i = 0; i != kCount * size; i += size) {
      double sum =
          toDouble(type, loadScalar(type, &a[i])) + toDouble(type, loadScalar(type, &b[i]));
      storeScalar(type, &d[i], fromDouble(type, sum));
    }
  report(state, d);
}

static void convertTiles(benchmark::State &state, ScalarType to) {
  std::vector<uint8_t> a = numbers(ScalarType::F32), d = numbers(to);
  for (auto _ : state)
    convertRow({to, ScalarType::F32, RoundMode::CAST_RINT, false}, d.data(), a.data(), kCount);
  report(state, d);
}

static void convertPlainly(benchmark::State &state, ScalarType to) {
  std::vector<uint8_t> a = numbers(ScalarType::F32), d = numbers(to);
  size_t size = info(to).bytes();
  for (auto _ : state)
    for (size_t i = 0; i != kCount; ++i)
      storeScalar(to, &d[i * size],
                  convert(to, ScalarType::F32, loadScalar(ScalarType::F32, &a[i * 4])));
  report(state, d);
}

BENCHMARK_CAPTURE(addTiles, f32, ScalarType::F32);
BENCHMARK_CAPTURE(addPlainly, f32, ScalarType::F32);
BENCHMARK_CAPTURE(addTiles, f16, ScalarType::F16);
BENCHMARK_CAPTURE(addPlainly, f16, ScalarType::F16);
BENCHMARK_CAPTURE(convertTiles, bf16, ScalarType::BF16);
BENCHMARK_CAPTURE(convertPlainly, bf16, ScalarType::BF16);
BENCHMARK_MAIN();
