// Transforms alone: texts of 512 tokens to examples, on one core.

#include <benchmark/benchmark.h>

#include "objectives/registry.h"

namespace ablate {
namespace {

constexpr std::int64_t kLength = 512;
constexpr Token kOrdinary = 32000;

/// Words of 1.5 tokens on average.
std::vector<std::uint8_t> some_marks(Rng rng) {
  std::vector<std::uint8_t> marks(kLength);
  for (std::uint8_t& mark : marks) mark = rng.probability(2.0 / 3) ? word_mark : no_mark;
  return marks;
}

void time_transform(benchmark::State& state, const ObjectiveSpec& spec, const Json& settings) {
  const Params params(spec.params, settings);
  Context context{{.ordinary = kOrdinary}, kLength};
  context.vocabulary.sentinels = static_cast<Token>(spec.build(params, context).needs.sentinels);
  const Objective objective = spec.build(params, context);
  Rng rng(1);
  std::vector<Token> tokens(kLength);
  for (Token& token : tokens) token = special_count + static_cast<Token>(rng.below(kOrdinary));
  const std::vector<std::uint8_t> marks = some_marks(rng.fork("marks"));
  const Text text{.tokens = tokens, .marks = marks};
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(objective.transform(text, rng.fork(++index)));
  state.counters["tokens/s"] = benchmark::Counter(static_cast<double>(state.iterations() * kLength),
                                                  benchmark::Counter::kIsRate);
}

/// Masked LM at settings beside its defaults.
void transform_masked(benchmark::State& state) {
  static const Json settings[] = {{{"count", "exact"}},       {{"rate", 0.4}},
                                  {{"prediction_rate", 0.1}}, {{"unit", "whole_word"}},
                                  {{"unit", "span"}},         {{"unit", "ngram"}}};
  const Json& one = settings[state.range(0)];
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    if (spec.name == "masked_lm") time_transform(state, spec, one);
  state.SetLabel(one.dump());
}

// With its defaults, by name: a number would mean another objective when one is added.
const bool added_transform = [] {
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    benchmark::RegisterBenchmark(("transform/" + std::string(spec.name)).c_str(), time_transform,
                                 spec, Json::object());
  return true;
}();

BENCHMARK(transform_masked)->DenseRange(0, 5);

}  // namespace
}  // namespace ablate
