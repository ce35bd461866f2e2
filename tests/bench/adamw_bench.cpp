// Clipping and AdamW over the parameters of a model, with its plain twin. Floor: a copy that moves
// as many bytes: values, both moments and the gradient are read and written, and the gradient is
// read once more for its norm.

#include <fmt/core.h>

#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "harness/train/optimizer/adamw.h"
#include "tests/bench/operation.h"

namespace ablate::bench {
namespace {

/// Parameters without a model: one matrix.
class Parameters {
 public:
  explicit Parameters(std::int64_t count) {
    all_.push_back({"all", at::zeros({1, count}).requires_grad_(true), 0.02});
  }
  std::vector<train::Parameter>& parameters() { return all_; }

 private:
  std::vector<train::Parameter> all_;
};

void run_adamw(benchmark::State& state, std::int64_t count, bool fused) {
  train::keep_tensor_memory();
  train::use_threads(1);
  Parameters network(count);
  train::FlatParameters parameters(network.parameters());
  train::AdamW optimizer(parameters, {train::AdamWSettings{}}, fused);
  std::int64_t steps = 0;
  for (auto _ : state) benchmark::DoNotOptimize(optimizer.step(steps++, {1e-3}));
  state.counters["GB"] = benchmark::Counter(36e-9 * static_cast<double>(count * state.iterations()),
                                            benchmark::Counter::kIsRate);
}

const bool added_adamw = [] {
  for (const Size& size : kTableSizes) {
    const std::int64_t count =
        12 * size.depth * size.width * size.width + (size.vocabulary + size.context) * size.width;
    for (const bool fused : {false, true})
      benchmark::RegisterBenchmark(
          fmt::format("adamw/{}/float32/{}", size.name, fused ? "fused" : "plain").c_str(),
          run_adamw, count, fused)
          ->Unit(benchmark::kMicrosecond);
    const double bytes = 36.0 * static_cast<double>(count);
    add_floor(
        fmt::format("adamw/{}/float32/floor", size.name), {.bytes = bytes},
        [=] { return copy_of(bytes); }, at::kFloat);
  }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
