// The encoder-decoder transformer as a bank of lanes: two stacks.

#pragma once

#include <memory>
#include <vector>

#include "models/bank_network.h"
#include "models/layers/stack.h"
#include "models/specs/encoder_decoder_spec.h"

namespace ablate::models {

/// An encoder that reads all inputs in both directions, and a decoder that predicts the targets
/// from left to right with cross-attention over the encoder's output in every block. One token
/// table, one output head, no biases.
///
/// Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.1; shared parameters: Raffel et al.
/// 2020, arXiv:1910.10683, section 3.2.
class EncoderDecoder final : public BankNetwork {
 public:
  /// Builds the network with uninitialised parameters. Throws as build_encoder_decoder.
  explicit EncoderDecoder(const train::NetworkSettings& settings);

  /// The decoder's final states, float32 [lane, batch, time, width]. Requires: inputs with a
  /// source.
  at::Tensor hidden(const train::Inputs& inputs) override;
  at::Tensor hidden_at(const train::Inputs& inputs, const at::Tensor& positions) override;
  at::Tensor trunk(const train::Inputs& inputs) override;

  /// The encoder's states over the inputs' own tokens (not the source), for reading a text without
  /// predicting a continuation.
  at::Tensor document_states(const train::Inputs& inputs) override;
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override;
  std::vector<train::ChosenExperts> routes(const train::Inputs& inputs) override;
  std::optional<train::DecodingState> decoding(std::int64_t rows) const override;
  const Heads& heads() const override { return heads_; }

 private:
  at::Tensor read(const train::Inputs& inputs, DecodingStep& step) const override;

  /// Starts the decoder's pass.
  Pass decoder_pass(const train::Inputs& inputs) const;

  /// Runs both stacks; returns the decoder's stream.
  ResidualStream run(Pass& pass) const;

  /// The encoder's output over the source, after its norm: [lane, batch, source time, width].
  at::Tensor source_states(const train::Inputs& inputs) const;

  /// Runs the encoder over the inputs' own tokens; returns its stream and norm. `sums`: as in
  /// Stack::run. `routes`: as in Pass.
  Normed encode(const train::Inputs& inputs, std::vector<at::Tensor>* sums,
                std::vector<train::ChosenExperts>* routes = nullptr) const;

  // In the order in which they add parameters, which is the order of a weight file.
  EncoderDecoderShape shape_;
  Embeddings embeddings_;
  Stack encoder_;
  Stack decoder_;
  std::size_t encoder_norm_;
  Heads heads_;
};

/// Builds an encoder-decoder with uninitialised parameters. Throws std::invalid_argument for
/// invalid model parameters, and for a precision that the processor does not support.
std::unique_ptr<train::Network> build_encoder_decoder(const train::NetworkSettings& settings);

}  // namespace ablate::models
