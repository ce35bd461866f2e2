// The pre-norm transformer as a bank of lanes: one stack with per-position visibility.

#pragma once

#include <memory>
#include <vector>

#include "models/layers/future_heads.h"
#include "models/layers/heads.h"
#include "models/layers/stack.h"

namespace ablate::models {

/// Embeddings, blocks, a final norm and heads, without biases.
class Transformer final : public train::Network {
 public:
  /// Builds the network with uninitialised parameters. Throws as build_transformer.
  explicit Transformer(const train::NetworkSettings& settings);

  std::vector<train::Parameter>& parameters() override { return bank_.parameters.all(); }
  std::int64_t lanes() const override { return bank_.lanes; }
  bool chained() const override { return future_heads_.chained(); }
  at::Tensor hidden(const train::Inputs& inputs) override;
  at::Tensor trunk(const train::Inputs& inputs) override;
  train::HeadState state(std::size_t head, const at::Tensor& from,
                         const train::Inputs& inputs) override;
  at::Tensor losses(const at::Tensor& hidden,
                    const std::vector<train::LaneTargets>& targets) override {
    return heads_.losses(hidden, targets);
  }
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) override {
    return heads_.logits(hidden, lane, positions);
  }
  at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t first,
                         const at::Tensor& positions) override {
    return heads_.pair_logits(hidden, first, positions);
  }
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override;
  void parameters_changed() override { bank_.parameters.renew(); }

 private:
  /// The trunk's stream for the inputs of the pass; `sums`: as in Stack::run.
  ResidualStream run(Pass& pass, std::vector<at::Tensor>* sums) const;

  const Needs needs_;
  TransformerShape shape_;
  // In the order in which they add parameters, which is the order of a weight file.
  Bank bank_;
  Embeddings embeddings_;
  Stack trunk_;
  FutureHeads future_heads_;
  Heads heads_;
};

/// Builds a transformer with uninitialised parameters. Throws std::invalid_argument for invalid
/// model parameters, and for a precision that the processor does not support.
std::unique_ptr<train::Network> build_transformer(const train::NetworkSettings& settings);

}  // namespace ablate::models
