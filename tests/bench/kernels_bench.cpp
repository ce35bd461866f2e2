// Each kernel beside its plain twin in ATen, at the sizes of S: [2048, 64], 32 rows of 4 heads.

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>

#include "harness/train/tensor_memory.h"
#include "models/operations.h"

namespace ablate {
namespace {

at::Tensor wave(std::vector<std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return at::arange(count, at::kFloat).mul(0.7).sin().view(sizes).requires_grad_(true);
}

// One operation forth and back; `make` returns what is differentiated.
template <class Make>
void forth_and_back(benchmark::State& state, const Make& make) {
  keep_tensor_memory();
  at::set_num_threads(1);
  const auto operations = state.range(0) != 0 ? fused_operations() : plain_operations(false);
  const at::Tensor gradient = at::ones_like(make(*operations).detach());
  for (auto _ : state) make(*operations).backward(gradient);
}

void linear(benchmark::State& state) {
  const at::Tensor x = wave({1, 32, 64, 64}), weight = wave({1, 192, 64});
  forth_and_back(state, [&](const Operations& op) { return op.linear(x, weight); });
}

void activated(benchmark::State& state) {
  const at::Tensor x = wave({1, 32, 64, 64}), weight = wave({1, 256, 64});
  forth_and_back(state,
                 [&](const Operations& op) { return op.activated(x, weight, Activation::gelu); });
}

void add_norm(benchmark::State& state) {
  const at::Tensor x = wave({1, 32, 64, 64}), delta = wave({1, 32, 64, 64}), gain = wave({1, 64});
  forth_and_back(state, [&](const Operations& op) {
    return op.add_norm(x, delta, gain, Norm::layer, at::kFloat).normed;
  });
}

void attention(benchmark::State& state) {
  const at::Tensor qkv = wave({1, 32, 64, 192});
  const at::Tensor positions = at::arange(64, at::kLong).expand({1, 32, 64}).contiguous();
  const Sight sight = {positions, at::zeros_like(positions), positions + 1, at::ones({64, 2, 16}),
                       4};
  forth_and_back(state, [&](const Operations& op) { return op.attention(qkv, sight); });
}

void losses(benchmark::State& state) {
  const at::Tensor hidden = wave({1, 32, 64, 64}), table = wave({1, 80, 64});
  const at::Tensor at = at::arange(2048, at::kLong);
  const std::vector<LaneTargets> targets = {{at, at.remainder(80), at::ones({2048})}};
  forth_and_back(state, [&](const Operations& op) {
    return op.losses(hidden, {table, 1, at::kFloat}, targets);
  });
}

BENCHMARK(linear)->ArgName("fused")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(activated)->ArgName("fused")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(add_norm)->ArgName("fused")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(attention)->ArgName("fused")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(losses)->ArgName("fused")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ablate
