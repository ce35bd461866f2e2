// A known amount of work: what tests/nights plants a slowdown with.

#include <benchmark/benchmark.h>

#include <cstdint>

namespace ablate {
namespace {

/// A chain of multiplications, each of which needs the one before: thousands of them by argument,
/// so that work/110 takes a tenth longer than work/100.
void work(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t value = 1;
    for (std::int64_t i = 0; i < 1000 * state.range(0); ++i) {
      value = value * 6364136223846793005u + 1442695040888963407u;
      benchmark::DoNotOptimize(value);
    }
  }
}

BENCHMARK(work)->Arg(100)->Arg(103)->Arg(105)->Arg(110)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ablate
