// Initial weights: a function of the lane's seed and the parameter's name.

#include "harness/train/network/network.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>

#include "harness/base/rng.h"

namespace ablate::train {
namespace {

/// The initial values of one lane, computed on the CPU so that they are the same on every device.
at::Tensor initial_values(const Parameter& parameter, std::uint64_t seed) {
  const at::Tensor values = at::empty(parameter.value.sizes().slice(1), at::kFloat);
  Rng rng = Rng(seed, Stream::initial_weights).fork(parameter.name);
  float* value = values.data_ptr<float>();
  if (parameter.distribution) {
    parameter.distribution(rng, {value, static_cast<std::size_t>(values.numel())});
    return values;
  }
  for (std::int64_t i = 0; i < values.numel(); ++i)
    value[i] = static_cast<float>(parameter.deviation > 0 ? parameter.deviation * rng.normal()
                                                          : parameter.initial);
  return values;
}

}  // namespace

at::Tensor Network::hidden_at(const Inputs& inputs, const at::Tensor& positions) {
  const at::NoGradGuard no_gradient;
  return hidden(inputs).flatten(1, 2).index_select(1, positions).unsqueeze(1);
}

TargetCosts costs_under(const at::Tensor& logits, const at::Tensor& targets) {
  const at::Tensor logs = logits.to(at::kDouble).log_softmax(-1);
  return {logs.gather(1, targets.unsqueeze(1)).squeeze(1).neg(), logs.argmax(-1).eq(targets)};
}

void initialise(Network& network, const std::vector<std::uint64_t>& seeds) {
  if (static_cast<std::int64_t>(seeds.size()) != network.lanes())
    reject("initialise: got {} seeds for {} lanes; give one seed for each lane", seeds.size(),
           network.lanes());
  const at::NoGradGuard no_gradient;
  for (Parameter& parameter : network.parameters())
    for (std::size_t lane = 0; lane < seeds.size(); ++lane)
      parameter.value.select(0, static_cast<std::int64_t>(lane))
          .copy_(initial_values(parameter, seeds[lane]));
  network.parameters_changed();
}

}  // namespace ablate::train
