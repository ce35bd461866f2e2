// What all networks have in common: a bank's parameters and its heads.

#pragma once

#include <vector>

#include "models/heads/heads.h"

namespace ablate::models {

/// A network of which the members supply the trunk.
class BankNetwork : public train::Network {
 public:
  std::vector<train::Parameter>& parameters() override { return bank_.parameters.all(); }
  std::int64_t lanes() const override { return bank_.lanes; }
  train::Totals accumulate(const train::Inputs& inputs,
                           const std::vector<train::HeadTargets>& targets,
                           const at::Tensor& scales) override;
  train::Filled filled(const train::Inputs& inputs,
                       std::vector<train::HeadTargets> targets) override;
  at::Tensor head_hidden(std::size_t head, const train::Inputs& inputs,
                         train::HeadStreams& streams) override;
  train::TargetCosts costs(std::size_t head, const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) override;
  at::Tensor step(train::DecodingState& state, const train::Inputs& inputs,
                  const std::vector<std::int64_t>& counts) override;
  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) override;
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) override;
  void parameters_changed() override { bank_.parameters.renew(); }

  virtual const Heads& heads() const = 0;

  /// The residual stream that the heads start from: float32 [lane, batch, time, width].
  virtual at::Tensor trunk(const train::Inputs& inputs) = 0;

 protected:
  /// Throws as Bank.
  explicit BankNetwork(const train::NetworkSettings& settings);

  /// The final states of what a step of decoding reads: [lane, row, time, width].
  virtual at::Tensor read(const train::Inputs& inputs, DecodingStep& step) const = 0;

  Bank bank_;

 private:
  /// The inputs of a pass that these targets train, for layers that add to the loss.
  train::Inputs weighed(const train::Inputs& inputs, const std::vector<train::HeadTargets>& targets,
                        const at::Tensor& scales) const;

  const bool weighs_;  // whether there are any
};

}  // namespace ablate::models
