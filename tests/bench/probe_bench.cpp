// Every probe that needs no files of labels, on a model of five blocks with initial weights and the small language
// of the probes' tests; with the probe's default settings where nothing else is said.
//
//   probe/PROBE/OBJECTIVE

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <filesystem>

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
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kDepth = 5;

Params transformer_params(std::int64_t width, std::int64_t depth, std::int64_t context) {
  return Params(models::transformer_spec().params,
                {{"depth", depth}, {"width", width}, {"heads", 2}, {"context", context}});
}

const small::SmallWorld& small_world() {
  static const small::SmallWorld made(Json{{"held_out_tokens", 8000}});
  return made;
}

/// What a probe is given.
class Measured {
 public:
  Measured(const std::string& objective, const Json& probe)
      : trial_(small::trial_of({{"type", objective}})),
        backbone_(models::transformer_spec()),
        model_{&backbone_, transformer_params(kWidth, kDepth, kProbeContext),
               small_world().vocabulary()},
        phase_(small::phase_of(trial_, model_)),
        probe_(small::probe_of(probe)),
        network_(initial()) {
    network_->parameters_changed();
  }
  ~Measured() { std::filesystem::remove_all(cache_); }

  probes::Measurement measure() {
    const probes::Subject subject{
        .seed = 1,
        .model = model_,
        .phase = phase_,
        .corpus = small_world().corpus,
        // Text is judged by another model, which the language does not need.
        .language = probe_.spec->name == "text_quality" ? nullptr : &small_world().language,
        .network = *network_,
        .untrained = [this] { return initial(); },
        .cache = cache_,
        .bank =
            [this](std::int64_t lanes) {
              return built(lanes, kWidth, kDepth, kProbeContext, phase_.objective.needs);
            },
        .judge = [this](std::int64_t width, std::int64_t depth,
                        std::int64_t context) { return built(1, width, depth, context, {}); },
    };
    return probes::measure(subject, probe_, {});
  }

 private:
  std::unique_ptr<train::Network> initial() const {
    auto made = built(1, kWidth, kDepth, kProbeContext, phase_.objective.needs);
    train::initialise(*made, {1});
    return made;
  }

  std::unique_ptr<train::Network> built(std::int64_t lanes, std::int64_t width, std::int64_t depth,
                                        std::int64_t context, const Needs& needs) const {
    train::NetworkSettings settings;
    settings.model = transformer_params(width, depth, context);
    settings.hosting = {small_world().vocabulary(), needs, phase_.shape};
    settings.lanes = lanes;
    return models::build_network("transformer", settings);
  }

  plan::Trial trial_;
  BackboneSpec backbone_;
  plan::ResolvedModel model_;
  plan::ResolvedPhase phase_;
  plan::ResolvedProbe probe_;
  std::filesystem::path cache_ = small::scratch_folder("bench");
  std::unique_ptr<train::Network> network_;
};

void run_probe(benchmark::State& state, const std::string& objective, const Json& probe) {
  train::keep_tensor_memory();
  at::set_num_threads(1);
  Measured measured(objective, probe);
  for (auto _ : state) benchmark::DoNotOptimize(measured.measure());
}

struct ProbeCase {
  const char* objective;
  Json probe;
};

// Those of compression, infilling, minimal pairs, ratings and tagged words read what the planner prepares, and forgetting
// is held_out after other phases. Where the default takes a minute, less is asked for.
std::vector<ProbeCase> probe_cases() {
  return {
      {"causal_lm", {{"type", "held_out"}}},
      {"masked_lm", {{"type", "held_out"}}},
      {"causal_lm", {{"type", "cloze"}}},
      {"masked_lm", {{"type", "cloze"}}},
      {"causal_lm", {{"type", "classification"}}},
      {"causal_lm", {{"type", "hidden_state"}}},
      {"causal_lm", {{"type", "generation"}}},
      {"masked_lm", {{"type", "generation"}}},
      {"causal_lm", {{"type", "representation"}}},
      {"causal_lm",
       {{"type", "fine_tuning"},
        {"training_documents", 100},
        {"development_documents", 50},
        {"test_documents", 100},
        {"epochs", 1}}},
      {"causal_lm",
       {{"type", "seq2seq"},
        {"tokens", 6},
        {"training_pairs", 200},
        {"development_pairs", 50},
        {"test_pairs", 100},
        {"epochs", 1}}},
      {"multi_token_prediction", {{"type", "speculative_decoding"}, {"prompts", 16}}},
      {"causal_lm",
       {{"type", "text_quality"}, {"samples", 40}, {"judge_tokens", 20000}, {"judge_width", 128}}}};
}

const bool added_probes = [] {
  for (const ProbeCase& each : probe_cases())
    benchmark::RegisterBenchmark(
        fmt::format("probe/{}/{}", each.probe.at("type").get<std::string>(), each.objective)
            .c_str(),
        run_probe, each.objective, each.probe)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace ablate::bench
