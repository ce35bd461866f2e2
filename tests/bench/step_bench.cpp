// A training step: forward, backward, clipping and AdamW, on made-up rows of a language's shape.
//
// The share of positions that are scored tells objectives apart here: causal LM scores all of them,
// masked LM 15 %. Sizes S and M are those of the README's table.

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include "harness/train/adamw.h"
#include "harness/train/tensor_memory.h"
#include "models/bfloat16_spec.h"
#include "models/registry.h"
#include "models/transformer_spec.h"

namespace ablate {
namespace {

struct Size {
  Json model;
  Token vocabulary;
  std::int64_t batch;
};

Size size_of(std::int64_t which) {
  if (which == 0) return {{{"depth", 2}, {"width", 64}, {"heads", 4}, {"context", 64}}, 80, 32};
  return {{{"depth", 4}, {"width", 256}, {"heads", 4}, {"context", 128}}, 4096, 16};
}

// Rows of random tokens in which every position sees its past, or everything.
Inputs random_inputs(std::int64_t lanes, const Size& size, std::int64_t time, bool causal,
                     Rng& rng) {
  const at::TensorOptions options = at::TensorOptions().dtype(at::kLong);
  const std::vector<std::int64_t> sizes = {lanes, size.batch, time};
  Inputs inputs;
  inputs.tokens = at::empty(sizes, options);
  for (std::int64_t i = 0; i < inputs.tokens.numel(); ++i)
    inputs.tokens.data_ptr<std::int64_t>()[i] = rng.below(size.vocabulary);
  inputs.positions = at::arange(time, options).expand(sizes).contiguous();
  inputs.visible_from = at::zeros(sizes, options);
  inputs.visible_until = causal ? inputs.positions.add(1) : at::full(sizes, time, options);
  return inputs;
}

std::vector<LaneTargets> random_targets(std::int64_t lanes, std::int64_t positions, double share,
                                        Token vocabulary, Rng& rng) {
  std::vector<LaneTargets> all;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    std::vector<std::int64_t> at, ids;
    for (std::int64_t i = 0; i < positions; ++i)
      if (rng.chance(share)) at.push_back(i), ids.push_back(rng.below(vocabulary));
    const auto count = static_cast<std::int64_t>(at.size());
    all.push_back({at::from_blob(at.data(), {count}, at::kLong).clone(),
                   at::from_blob(ids.data(), {count}, at::kLong).clone(), at::ones({count})});
  }
  return all;
}

void move(Inputs& inputs, std::vector<LaneTargets>& targets, const at::Device& device) {
  for (at::Tensor* tensor :
       {&inputs.tokens, &inputs.positions, &inputs.visible_from, &inputs.visible_until})
    *tensor = tensor->to(device);
  for (LaneTargets& lane : targets)
    for (at::Tensor* tensor : {&lane.at, &lane.targets, &lane.weights})
      *tensor = tensor->to(device);
}

// size (0: S, 1: M), percent scored, bfloat16, fused, lanes
void step_on(benchmark::State& state, const std::string& device) {
  keep_tensor_memory();
  at::set_num_threads(1);
  const bool bfloat16 = state.range(2) != 0;
  if (bfloat16 && device == "cpu" && !bfloat16_refusal().empty())
    return state.SkipWithError(bfloat16_refusal().c_str());
  const Size size = size_of(state.range(0));
  NetworkSettings settings;
  settings.model = Params(transformer_spec().params, size.model);
  settings.vocabulary = {.ordinary = size.vocabulary - special_count};
  settings.bfloat16 = bfloat16;
  settings.fused = state.range(3) != 0;
  settings.lanes = state.range(4);
  settings.device = device;
  const std::int64_t time = settings.model.integer("context");
  const double share = static_cast<double>(state.range(1)) / 100;

  const auto network = build_network("transformer", settings);
  initialise(*network, std::vector<std::uint64_t>(static_cast<std::size_t>(settings.lanes), 1));
  FlatParameters parameters(*network);
  AdamW optimizer(parameters, std::vector<AdamWSettings>(static_cast<std::size_t>(settings.lanes)));
  const std::vector<double> rates(static_cast<std::size_t>(settings.lanes), 1e-3);
  Rng rng(1);
  Inputs inputs = random_inputs(settings.lanes, size, time, share == 1, rng);
  auto targets = random_targets(settings.lanes, size.batch * time, share, size.vocabulary, rng);
  move(inputs, targets, device);
  const at::Tensor shares = at::full({settings.lanes}, 1.0 / static_cast<double>(size.batch * time),
                                     at::TensorOptions().device(device));
  std::int64_t steps = 0;
  for (auto _ : state) {
    network->losses(network->hidden(inputs), targets).backward(shares);
    benchmark::DoNotOptimize(optimizer.step(steps++, rates).cpu());
    network->parameters_changed();
  }
  state.counters["tokens/s"] = benchmark::Counter(
      static_cast<double>(steps * settings.lanes * size.batch * time), benchmark::Counter::kIsRate);
}

void step(benchmark::State& state) { step_on(state, "cpu"); }

// The norms of every step are read, so the time includes what the device was given to do.
void step_on_gpu(benchmark::State& state) {
  if (!at::hasCUDA()) return state.SkipWithError("this LibTorch sees no CUDA device");
  step_on(state, "cuda:0");
}

BENCHMARK(step_on_gpu)
    ->ArgNames({"M", "scored", "bfloat16", "fused", "lanes"})
    ->ArgsProduct({{0}, {100}, {0, 1}, {1}, {1, 8, 32}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK(step)
    ->ArgNames({"M", "scored", "bfloat16", "fused", "lanes"})
    ->ArgsProduct({{0}, {100, 15}, {0, 1}, {0, 1}, {1}})
    ->ArgsProduct({{0}, {100}, {0, 1}, {1}, {8}})
    ->ArgsProduct({{1}, {100, 15}, {0, 1}, {1}, {1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ablate
