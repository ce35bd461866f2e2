// What happens on the host around a training step: batches, the exact optimum.
//
//   layout/OBJECTIVE/FORM/PACKING    a step's batch of 32 texts of 64 tokens, as a model reads it
//   optimum/OBJECTIVE                the exact predictor's loss on 400 texts of 64 tokens

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "tests/bench/hosted.h"
#include "tests/harness/data/in_order.h"

namespace ablate::bench {
namespace {

void count_tokens(benchmark::State& state, std::int64_t tokens) {
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(tokens), benchmark::Counter::kIsRate);
}

/// A training step's batch: drawn, transformed and laid out.
void layout(benchmark::State& state, const ObjectiveSpec& spec, const BackboneSpec& backbone,
            data::Packing packing) {
  const Hosted hosted(spec, backbone, packing);
  std::int64_t step = 0;
  for (auto _ : state) benchmark::DoNotOptimize(hosted.batches.step(step++));
  count_tokens(state, state.iterations() * kHostedRows * kHostedContext);
}

void optimum(benchmark::State& state, const ObjectiveSpec& spec) {
  const Objective objective = with_defaults(spec, world().content.ordinary, kHostedContext);
  const data::Batches batches(world().held_out, objective,
                              {.rows = kHostedRows, .context = kHostedContext});
  const data::SampledBatch drawn = data::in_order(batches, 0, 400);
  for (auto _ : state) {
    Loss total;
    for (const data::PlacedExample& placed : drawn.examples)
      total += objective.optimum(world().language.chain(), placed.text, placed.example);
    benchmark::DoNotOptimize(total);
  }
}

/// The first backbone of that form that hosts an objective; null where none does.
const BackboneSpec* host_of(const ObjectiveSpec& spec, bool encoder) {
  for (const BackboneSpec& backbone : models::backbone_specs())
    if (backbone.offer.encoder == encoder && hosting_refusal(spec, backbone).empty())
      return &backbone;
  return nullptr;
}

const bool added_data = [] {
  for (const ObjectiveSpec& spec : objectives::objective_specs()) {
    for (const bool encoder : {false, true})
      if (const BackboneSpec* const backbone = host_of(spec, encoder))
        for (const char* const packing : {"isolated", "joined", "padded"})
          benchmark::RegisterBenchmark(
              fmt::format("layout/{}/{}/{}", spec.name, encoder ? "encoder_decoder" : "one_stack",
                          packing)
                  .c_str(),
              layout, spec, *backbone, data::packing_named(packing));
    if (with_defaults(spec, 64, kHostedContext).optimum)
      benchmark::RegisterBenchmark(fmt::format("optimum/{}", spec.name).c_str(), optimum, spec)
          ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
