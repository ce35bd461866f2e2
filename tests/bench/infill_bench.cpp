// How fast texts of 512 tokens are made into examples of the objectives that move or hide spans, in
// tokens of text a second on one core.

#include <benchmark/benchmark.h>

#include "tests/objectives/example_of.h"

namespace ablate {
namespace {

constexpr std::int64_t kTextLength = 512;
constexpr Token kOrdinaryIds = 32000;

void run(benchmark::State& state, std::string_view name, const Json& given, Token ordinary) {
  const Objective objective = objectives::objective_of(name, given, ordinary, kTextLength);
  Rng rng(1);
  std::vector<Token> tokens(kTextLength);
  for (Token& token : tokens) token = special_count + static_cast<Token>(rng.below(ordinary));
  tokens.front() = begin_token;
  tokens.back() = end_token;
  const Text text{.tokens = tokens};
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(objective.transform(text, rng.fork(++index)));
  state.counters["tokens/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * kTextLength), benchmark::Counter::kIsRate);
}

void fill_in_the_middle(benchmark::State& state, double rate) {
  run(state, "fill_in_the_middle", {{"rate", rate}}, kOrdinaryIds);
}

void fill_in_the_middle_of_bytes(benchmark::State& state) {
  run(state, "fill_in_the_middle", {{"rate", 1}, {"split", "character"}}, 256);
}

void denoising(benchmark::State& state, const char* distribution) {
  run(state, "denoising", {{"law", distribution}}, kOrdinaryIds);
}

BENCHMARK_CAPTURE(fill_in_the_middle, half, 0.5);
BENCHMARK_CAPTURE(fill_in_the_middle, all, 1.0);
BENCHMARK(fill_in_the_middle_of_bytes);
BENCHMARK_CAPTURE(denoising, exact, "exact");
BENCHMARK_CAPTURE(denoising, reference, "reference");

}  // namespace
}  // namespace ablate
