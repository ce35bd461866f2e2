// What all networks have in common.

#include "models/bank_network.h"

namespace ablate::models {

at::Tensor BankNetwork::accumulate(const train::Inputs& inputs,
                                   const std::vector<train::HeadTargets>& targets,
                                   const at::Tensor& scales) {
  if (heads().count() > 1) return heads().accumulate(trunk(inputs), inputs, targets, scales);
  const at::Tensor total = heads().at(0).losses(hidden(inputs), targets[0]);
  total.backward(scales.select(0, 0));
  return total.detach().unsqueeze(0);
}

at::Tensor BankNetwork::head_hidden(std::size_t head, const train::Inputs& inputs,
                                    train::HeadStreams& streams) {
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

at::Tensor BankNetwork::losses(const at::Tensor& hidden, const train::HeadTargets& targets) {
  return heads().at(0).losses(hidden, targets);
}

at::Tensor BankNetwork::logits(const at::Tensor& hidden, std::int64_t lane,
                               const at::Tensor& positions) {
  return heads().output().logits(hidden, lane, positions);
}

}  // namespace ablate::models
