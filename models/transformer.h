// The pre-norm transformer as a bank of lanes: one stack with per-position visibility.

#pragma once

#include <memory>
#include <vector>

#include "models/bank_network.h"
#include "models/layers/stack.h"
#include "models/specs/transformer_spec.h"

namespace ablate::models {

/// Embeddings, blocks, a final norm and heads, without biases.
class Transformer final : public BankNetwork {
 public:
  /// Builds the network with uninitialised parameters. Throws as build_transformer.
  explicit Transformer(const train::NetworkSettings& settings);

  at::Tensor hidden(const train::Inputs& inputs) override;
  at::Tensor hidden_at(const train::Inputs& inputs, const at::Tensor& positions) override;
  at::Tensor trunk(const train::Inputs& inputs) override;
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override;
  std::vector<train::ChosenExperts> routes(const train::Inputs& inputs) override;
  std::optional<train::DecodingState> decoding(std::int64_t rows) const override;
  const Heads& heads() const override { return heads_; }

 private:
  at::Tensor read(const train::Inputs& inputs, DecodingStep& step) const override;

  /// The trunk's stream for the inputs of the pass; `sums`: as in Stack::run.
  ResidualStream run(Pass& pass, std::vector<at::Tensor>* sums) const;

  // In the order in which they add parameters, which is the order of a weight file.
  Shape shape_;
  Embeddings embeddings_;
  Stack trunk_;
  Heads heads_;
};

/// Builds a transformer with uninitialised parameters. Throws std::invalid_argument for invalid
/// model parameters, and for a precision that the processor does not support.
std::unique_ptr<train::Network> build_transformer(const train::NetworkSettings& settings);

}  // namespace ablate::models
