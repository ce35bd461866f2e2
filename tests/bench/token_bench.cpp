// What a further token costs at inference as a text grows, by mixer:
//
//   token/NAME/read:N  a step of decoding after N tokens, of a model of width 64 with blocks of that mixer;
//                      `kept` counts the bytes that it keeps of the text

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/bench/mixer_models.h"

namespace ablate::bench {
namespace {

constexpr std::int64_t kOrdinary = 64, kPart = 64;  // tokens read at once

/// A model and a text that it has read.
class Reader {
 public:
  Reader(const MixerModel& given, std::int64_t read) {
    train::keep_tensor_memory();
    train::use_threads(1);
    Json model = {{"width", 64}, {"heads", 4}, {"context", read + kPart}};
    model.update(given.model);
    train::NetworkSettings settings;
    settings.model = Params(models::transformer_spec().params, model);
    settings.hosting.vocabulary = {.ordinary = kOrdinary};
    network_ = models::build_network("transformer", settings);
    train::initialise(*network_, {1});
    network_->parameters_changed();
    state_ = network_->decoding(1).value();
    for (std::int64_t at = 0; at < read; at += kPart)
      network_->step(state_, inputs(at, std::min(kPart, read - at)), {std::min(kPart, read - at)});
    // One more, so that a cache which grows by doubling has room: steps are timed, not its growth.
    network_->step(state_, inputs(read, 1), {1});
    next_ = inputs(read + 1, 1);
  }

  /// Reads one token more, and forgets it again.
  at::Tensor step() {
    train::DecodingState state = state_;
    return network_->step(state, next_, {1});
  }

  std::int64_t kept() const {
    std::int64_t bytes = 0;
    for (const std::vector<at::Tensor>& layer : state_.mixers)
      for (const at::Tensor& tensor : layer)
        bytes += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
    return bytes;
  }

 private:
  static train::Inputs inputs(std::int64_t at, std::int64_t count) {
    train::Inputs made;
    made.positions = at::arange(at, at + count, at::kLong).view({1, 1, count});
    made.tokens = made.positions.remainder(kOrdinary) + std::int64_t{special_count};
    made.visible_from = at::zeros_like(made.positions);
    made.visible_until = made.positions + 1;
    return made;
  }

  std::unique_ptr<train::Network> network_;
  train::DecodingState state_;
  train::Inputs next_;
};

const bool added = [] {
  for (const MixerModel& model : mixer_models())
    for (const std::int64_t read : {64, 512, 4096})
      benchmark::RegisterBenchmark(fmt::format("token/{}/read:{}", model.name, read).c_str(),
                                   [model, read](benchmark::State& state) {
                                     const at::NoGradGuard no_gradient;
                                     Reader reader(model, read);
                                     for (auto _ : state) benchmark::DoNotOptimize(reader.step());
                                     state.counters["kept"] = static_cast<double>(reader.kept());
                                   })
          ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
}  // namespace ablate::bench
