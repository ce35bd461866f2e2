// A training step of every objective on every backbone that hosts it: batches of the built-in
// language drawn, forward, backward, clipping and AdamW, as the trainer does it.
//
//   train/OBJECTIVE/BACKBONE/PRECISION/lanes:N    five blocks of width 64, 32 texts of 64 tokens

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "harness/train/step/host_step.h"
#include "models/specs/bfloat16_spec.h"
#include "tests/bench/hosted.h"

namespace ablate::bench {
namespace {

constexpr int kUntimedSteps = 3;  // steps that are not timed

class HostedTraining {
 public:
  HostedTraining(const ObjectiveSpec& spec, const BackboneSpec& backbone, bool bfloat16,
                 std::size_t lanes)
      : hosted_(spec, backbone),
        lanes_(lanes),
        network_(hosted_.network(static_cast<std::int64_t>(lanes), bfloat16)),
        parameters_(network_->parameters()),
        optimizer_(parameters_, std::vector<train::AdamWSettings>(lanes)),
        step_(train::host_step({.network = *network_,
                                .heads = hosted_.objective.needs.heads.size(),
                                .optimizer = optimizer_,
                                .device = "cpu",
                                .seeds = std::vector<std::uint64_t>(lanes, 1)})) {
    network_->parameters_changed();
  }

  void step() {
    const std::vector<data::Batch> batches(lanes_, hosted_.batches.step(steps_).batch);
    train::StepOrder order = {
        .step = steps_++, .lanes = batches, .learning_rates = std::vector<double>(lanes_, 1e-3)};
    for (const data::Scored& scored : batches.front().scored)
      order.gradient_scales.insert(order.gradient_scales.end(), lanes_,
                                   static_cast<float>(1 / std::max(scored.weight(), 1.0)));
    benchmark::DoNotOptimize(step_->run(order));
  }

 private:
  Hosted hosted_;
  std::size_t lanes_;
  std::unique_ptr<train::Network> network_;
  train::FlatParameters parameters_;
  train::AdamW optimizer_;
  std::unique_ptr<train::BankStep> step_;
  std::int64_t steps_ = 0;
};

void run_training(benchmark::State& state, const ObjectiveSpec& spec, const BackboneSpec& backbone,
                  bool bfloat16, std::size_t lanes) {
  if (bfloat16 && !models::bfloat16_refusal().empty())
    return state.SkipWithError(models::bfloat16_refusal().c_str());
  train::keep_tensor_memory();
  train::use_threads(1);
  HostedTraining training(spec, backbone, bfloat16, lanes);
  for (int i = 0; i < kUntimedSteps; ++i) training.step();
  for (auto _ : state) training.step();
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kHostedRows * kHostedContext) *
                             static_cast<double>(lanes),
                         benchmark::Counter::kIsRate);
}

const bool added_hosted = [] {
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    for (const BackboneSpec& backbone : models::backbone_specs()) {
      if (!hosting_refusal(spec, backbone).empty()) continue;
      for (const bool bfloat16 : {false, true})
        for (const std::size_t lanes : {1, 4})
          benchmark::RegisterBenchmark(
              fmt::format("train/{}/{}/{}/lanes:{}", spec.name, backbone.name,
                          bfloat16 ? "bfloat16" : "float32", lanes)
                  .c_str(),
              run_training, spec, backbone, bfloat16, lanes)
              ->Unit(benchmark::kMillisecond)
              ->UseRealTime();
    }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
