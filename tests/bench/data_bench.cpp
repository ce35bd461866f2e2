// What happens on the host around a training step: batches, the exact optimum.

#include <benchmark/benchmark.h>

#include "harness/data/batches/batches.h"
#include "harness/data/language/language.h"
#include "objectives/registry.h"
#include "tests/harness/data/in_order.h"

namespace ablate {
namespace {

const ObjectiveSpec& spec_at(std::int64_t index) {
  return objectives::objective_specs()[static_cast<std::size_t>(index)];
}

/// With as many sentinels as the objective needs.
Objective build(const ObjectiveSpec& spec, Token ordinary, std::int64_t length) {
  const Params params(spec.params, Json::object());
  Context context{{.ordinary = ordinary}, length};
  context.vocabulary.sentinels = static_cast<Token>(spec.build(params, context).needs.sentinels);
  return spec.build(params, context);
}

void count_tokens(benchmark::State& state, std::int64_t tokens) {
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(tokens), benchmark::Counter::kIsRate);
}

struct World {
  Params dials{data::language_params(), Json::object()};
  data::Language language{dials};
  data::CorpusContent content = data::draw_corpus(language, dials);
  data::Part held_out{.tokens = content.held_out.tokens, .marks = content.held_out.marks};
};

const World& world() {
  static const World made;
  return made;
}

data::Batches batches(std::int64_t objective) {
  return {world().held_out,
          build(spec_at(objective), world().content.ordinary, 64),
          {.rows = 32, .context = 64}};
}

/// A training step's batch of 32 texts of 64 tokens: drawn, transformed and laid out.
void layout(benchmark::State& state) {
  const data::Batches drawn = batches(state.range(0));
  std::int64_t step = 0;
  for (auto _ : state) benchmark::DoNotOptimize(drawn.step(step++));
  state.SetLabel(std::string(spec_at(state.range(0)).name));
  count_tokens(state, state.iterations() * 32 * 64);
}

/// The exact predictor's loss on 400 held-out texts of 64 tokens of the default language.
void optimum(benchmark::State& state) {
  const Objective objective = build(spec_at(state.range(0)), world().content.ordinary, 64);
  if (!objective.optimum) return state.SkipWithError("none is known");
  const data::SampledBatch drawn = data::in_order(batches(state.range(0)), 0, 400);
  for (auto _ : state) {
    Loss total;
    for (const data::PlacedExample& placed : drawn.examples)
      total += objective.optimum(world().language.chain(), placed.text, placed.example);
    benchmark::DoNotOptimize(total);
  }
  state.SetLabel(std::string(spec_at(state.range(0)).name));
}

void each_objective(benchmark::internal::Benchmark* benchmark) {
  for (std::int64_t i = 0; i < std::ssize(objectives::objective_specs()); ++i) benchmark->Arg(i);
}

BENCHMARK(layout)->Apply(each_objective);
BENCHMARK(optimum)->Apply(each_objective)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ablate
