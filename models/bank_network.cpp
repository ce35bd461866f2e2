// What all networks have in common.

#include "models/bank_network.h"

#include <ATen/Functions.h>
#include <c10/core/GradMode.h>

#include "models/layers/balance.h"
#include "models/layers/decoding.h"
#include "models/specs/layer_settings.h"

namespace ablate::models {

BankNetwork::BankNetwork(const train::NetworkSettings& settings)
    : bank_(settings), weighs_(has_experts(settings.model)) {}

train::Inputs BankNetwork::weighed(const train::Inputs& inputs,
                                   const std::vector<train::HeadTargets>& targets,
                                   const at::Tensor& scales) const {
  train::Inputs with = inputs;
  if (weighs_) with.target_weights = target_weights(inputs, targets, scales);
  return with;
}

train::Totals BankNetwork::accumulate(const train::Inputs& inputs,
                                      const std::vector<train::HeadTargets>& targets,
                                      const at::Tensor& scales) {
  if (heads().count() == 1) {
    const at::Tensor total =
        heads().at(0).losses(hidden(weighed(inputs, targets, scales)), targets[0]);
    total.backward(scales.select(0, 0));
    return {total.detach().unsqueeze(0), {}};
  }
  const std::optional<std::size_t> filler = heads().filler(targets);
  if (!filler) {
    const train::Inputs read = weighed(inputs, targets, scales);
    return {heads().accumulate(trunk(read), read, targets, scales), {}};
  }
  // The network that fills runs forward and backward before the other one, to which no gradient leads.
  const Head& head = heads().at(*filler);
  const auto part = static_cast<std::int64_t>(*filler);
  const at::Tensor scale = scales.select(0, part);
  at::Tensor hidden =
      head.state({}, weighed(inputs, {targets[*filler]}, scale.unsqueeze(0))).hidden;
  const at::Tensor total = head.losses(hidden, targets[*filler]);
  total.backward(scale);
  hidden = hidden.detach();
  const Filling filling = head.filling(hidden, inputs, targets[*filler]);
  train::Filled batch = heads().filled(inputs, targets, filling);
  batch.inputs = weighed(batch.inputs, batch.targets, scales);
  const at::Tensor losses =
      heads().accumulate(trunk(batch.inputs), batch.inputs, batch.targets, scales);
  losses.select(0, part).copy_(total.detach());
  return {losses, filling.facts};
}

train::Filled BankNetwork::filled(const train::Inputs& inputs,
                                  std::vector<train::HeadTargets> targets) {
  const std::optional<std::size_t> filler = heads().filler(targets);
  if (!filler) return {inputs, std::move(targets)};
  const c10::NoGradGuard no_gradient;
  const Head& head = heads().at(*filler);
  const Filling filling = head.filling(head.state({}, inputs).hidden, inputs, targets[*filler]);
  return heads().filled(inputs, std::move(targets), filling);
}

at::Tensor BankNetwork::head_hidden(std::size_t head, const train::Inputs& inputs,
                                    train::HeadStreams& streams) {
  if (heads().fills(head)) return heads().at(head).state({}, inputs).hidden;
  if (!streams.trunk.defined()) streams.trunk = trunk(inputs);
  HeadState state =
      heads().at(head).state(heads().continues(head) ? streams.last : streams.trunk, inputs);
  streams.last = std::move(state.stream);
  return std::move(state.hidden);
}

train::TargetCosts BankNetwork::costs(std::size_t head, const at::Tensor& hidden, std::int64_t lane,
                                      const train::LaneTargets& targets) {
  return heads().at(head).costs(hidden, lane, targets);
}

at::Tensor BankNetwork::step(train::DecodingState& state, const train::Inputs& inputs,
                             const std::vector<std::int64_t>& counts) {
  const at::NoGradGuard no_gradient;
  DecodingStep step = begin_step(state, inputs, counts);
  at::Tensor hidden = read(inputs, step);
  finish_step(state, counts);
  return hidden;
}

at::Tensor BankNetwork::losses(const at::Tensor& hidden, const train::HeadTargets& targets) {
  return heads().at(0).losses(hidden, targets);
}

at::Tensor BankNetwork::logits(const at::Tensor& hidden, std::int64_t lane,
                               const at::Tensor& positions) {
  return heads().output().logits(hidden, lane, positions);
}

}  // namespace ablate::models
