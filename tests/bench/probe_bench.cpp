// Probes that need no files and take seconds, on a model of five blocks with initial weights and the small
// language of the probes' tests, with the probe's default settings.
//
//   probe/PROBE/OBJECTIVE

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "harness/plan/resolve/pair.h"
#include "harness/probes/specs.h"
#include "harness/train/network/tensor_memory.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::bench {
namespace {

namespace small = probes::testing;

constexpr std::int64_t kProbeContext = 24;  // as the fixture has it

const small::SmallWorld& small_world() {
  static const small::SmallWorld made(Json{{"held_out_tokens", 8000}});
  return made;
}

/// What a probe is given.
class Measured {
 public:
  Measured(const std::string& objective, const Json& probe)
      : trial_(small::trial_of({{"type", objective}})),
        model_(small::any_model(small_world().vocabulary())),
        phase_(small::phase_of(trial_, model_)),
        probe_(small::probe_of(probe)),
        network_(built(1, 64, 5, kProbeContext)) {
    train::initialise(*network_, {1});
    network_->parameters_changed();
  }

  probes::Measurement measure() {
    const probes::Subject subject{
        .seed = 1,
        .model = model_,
        .phase = phase_,
        .corpus = small_world().corpus,
        .language = &small_world().language,
        .network = *network_,
        .untrained =
            [this] {
              auto fresh = built(1, 64, 5, kProbeContext);
              train::initialise(*fresh, {1});
              return fresh;
            },
    };
    return probes::measure(subject, probe_, {});
  }

 private:
  std::unique_ptr<train::Network> built(std::int64_t lanes, std::int64_t width, std::int64_t depth,
                                        std::int64_t context) const {
    return built(lanes, width, depth, context, phase_.objective.needs);
  }

  std::unique_ptr<train::Network> built(std::int64_t lanes, std::int64_t width, std::int64_t depth,
                                        std::int64_t context, const Needs& needs) const {
    train::NetworkSettings settings;
    settings.model =
        Params(models::transformer_spec().params,
               {{"depth", depth}, {"width", width}, {"heads", 2}, {"context", context}});
    settings.hosting = {small_world().vocabulary(), needs, phase_.shape};
    settings.lanes = lanes;
    return models::build_network("transformer", settings);
  }

  plan::Trial trial_;
  plan::ResolvedModel model_;
  plan::ResolvedPhase phase_;
  plan::ResolvedProbe probe_;
  std::unique_ptr<train::Network> network_;
};

void run_probe(benchmark::State& state, const std::string& objective, const Json& probe) {
  train::keep_tensor_memory();
  at::set_num_threads(1);
  Measured measured(objective, probe);
  for (auto _ : state) benchmark::DoNotOptimize(measured.measure());
}

struct ProbeCase {
  const char* probe;
  const char* objective;
};

// Those of infilling, minimal pairs and tagged words read files that the planner prepares;
// forgetting is held_out after other phases; fine_tuning takes a minute; speculative_decoding and
// text_quality ask for more than the fixture's backbone has.
constexpr ProbeCase kProbeCases[] = {{"held_out", "causal_lm"},       {"held_out", "masked_lm"},
                                     {"cloze", "causal_lm"},          {"cloze", "masked_lm"},
                                     {"classification", "causal_lm"}, {"hidden_state", "causal_lm"},
                                     {"generation", "causal_lm"},     {"generation", "masked_lm"}};

const bool added_probes = [] {
  for (const ProbeCase& each : kProbeCases)
    benchmark::RegisterBenchmark(fmt::format("probe/{}/{}", each.probe, each.objective).c_str(),
                                 run_probe, each.objective, Json{{"type", each.probe}})
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace ablate::bench
