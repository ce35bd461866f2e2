// A training step: drawing a random batch, forward, backward, clipping and AdamW.
//
//   step/SIZE/OBJECTIVE/PRECISION/KERNELS/lanes:N
//
// The model is that of tests/bench/versus/peer.py (learned positions, tied head), so that the
// figures can be set side by side; `step_default` is the model that an experiment gets by default
// (rotary positions, free head). `mixer/NAME/OBJECTIVE/context:N` has blocks of one mixer, float32, with as
// many parameters as near as whole blocks come, and 2,048 tokens a step, or one row where that is longer.
//
// `bytes/token` is the memory that steps take on the CPU for each of their tokens, beside parameters, gradients and
// the optimizer's state.

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "harness/train/optimizer/adamw.h"
#include "models/registry.h"
#include "models/specs/bfloat16_spec.h"
#include "models/specs/transformer_spec.h"
#include "tests/bench/mixer_models.h"
#include "tests/bench/random_batch.h"

namespace ablate::bench {
namespace {

constexpr int kWarmUp = 3;  // steps that are not timed: the heap grows, the library chooses kernels

struct Case {
  Size size;
  Scoring scoring;
  bool bfloat16 = false;
  bool fused = true;
  std::int64_t lanes = 1;
  std::string device = "cpu";
  bool as_peer = true;
  Json layers = Json::object();  // settings of the model's layers
};

train::NetworkSettings settings_of(const Case& given) {
  Json model = {{"depth", given.size.depth},
                {"width", given.size.width},
                {"heads", given.size.heads},
                {"context", given.size.context}};
  if (given.as_peer) model.update({{"positions", "learned"}, {"head", "tied"}});
  model.update(given.layers);
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params, model);
  settings.hosting.vocabulary = {.ordinary =
                                     static_cast<Token>(given.size.vocabulary - special_count)};
  settings.lanes = given.lanes;
  settings.bfloat16 = given.bfloat16;
  settings.device = given.device;
  settings.fused = given.fused;
  return settings;
}

/// A bank in training on random text.
class Training {
 public:
  explicit Training(const Case& given)
      : case_(given),
        network_(models::build_network("transformer", settings_of(given))),
        parameters_(network_->parameters()),
        optimizer_(parameters_, std::vector<train::AdamWSettings>(lanes())),
        rates_(lanes(), 1e-3) {
    train::initialise(*network_, std::vector<std::uint64_t>(lanes(), 1));
    network_->parameters_changed();
  }

  /// One step of every lane. Reads the gradients' norms, so that a device has done its work.
  void step() {
    const RandomBatch batch =
        on_device(random_batch(case_.size, case_.scoring, case_.lanes, rng_), case_.device);
    const at::Tensor shares = at::full({case_.lanes}, 1 / batch.scored,
                                       at::TensorOptions().device(at::Device(case_.device)));
    network_->losses(network_->hidden(batch.inputs), batch.targets).backward(shares);
    benchmark::DoNotOptimize(optimizer_.step(steps_++, rates_).cpu());
    network_->parameters_changed();
  }

  std::int64_t tokens() const { return case_.lanes * case_.size.batch * case_.size.context; }

 private:
  std::size_t lanes() const { return static_cast<std::size_t>(case_.lanes); }

  Case case_;
  std::unique_ptr<train::Network> network_;
  train::FlatParameters parameters_;
  train::AdamW optimizer_;
  std::vector<double> rates_;
  Rng rng_{1};
  std::int64_t steps_ = 0;
};

void run_step(benchmark::State& state, const Case& given) {
  train::keep_tensor_memory();
  train::use_threads(1);
  if (given.device != "cpu" && !at::hasCUDA())
    return state.SkipWithError("this LibTorch sees no CUDA device");
  if (given.device == "cpu" && given.bfloat16 && !models::bfloat16_refusal().empty())
    return state.SkipWithError(models::bfloat16_refusal().c_str());
  train::release_tensor_memory();
  Training training(given);
  const std::int64_t before = train::tensor_bytes_kept();
  for (int i = 0; i < kWarmUp; ++i) training.step();
  for (auto _ : state) training.step();
  state.counters["tokens/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * training.tokens()), benchmark::Counter::kIsRate);
  if (given.device == "cpu")
    state.counters["bytes/token"] = static_cast<double>(train::tensor_bytes_kept() - before) /
                                    static_cast<double>(training.tokens());
}

void add(const char* family, const Case& given) {
  const std::string name = fmt::format("{}/{}/{}/{}/{}/lanes:{}", family, given.size.name,
                                       given.scoring.name, given.bfloat16 ? "bfloat16" : "float32",
                                       given.fused ? "fused" : "plain", given.lanes);
  benchmark::RegisterBenchmark(name.c_str(), run_step, given)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

const bool added_step = [] {
  for (const Size& size : kSizes)
    for (const Scoring& scoring : kScorings)
      for (const bool bfloat16 : {false, true})
        for (const bool fused : {false, true}) add("step", {size, scoring, bfloat16, fused});
  for (const bool bfloat16 : {false, true}) {
    for (const Size& size : kGrownSizes) add("step", {size, kCausal, bfloat16, true});
    for (const std::int64_t lanes : {2, 4, 8}) add("step", {kS, kCausal, bfloat16, true, lanes});
    for (const Size& size : kTableSizes)
      for (const Scoring& scoring : kScorings)
        add("step_default", {size, scoring, bfloat16, true, 1, "cpu", false});
    for (const std::int64_t lanes : {1, 8, 32})
      add("step_on_gpu", {kS, kCausal, bfloat16, true, lanes, "cuda:0"});
  }
  for (const std::int64_t context : {64, 512, 2048, 8192})
    for (const Scoring& scoring : kScorings)
      for (const MixerModel& model : mixer_models()) {
        const std::int64_t rows = std::max<std::int64_t>(1, 2048 / context);
        Case given{{"S", 2, 64, 4, context, 64, rows}, scoring, false, true, 1, "cpu", false};
        given.layers = model.model;
        const std::string name =
            fmt::format("mixer/{}/{}/context:{}", model.name, scoring.name, context);
        benchmark::RegisterBenchmark(name.c_str(), run_step, given)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
