// The encoder-decoder transformer as a bank of lanes: two stacks.

#pragma once

#include <memory>
#include <vector>

#include "models/layers/heads.h"
#include "models/layers/stack.h"
#include "models/specs/encoder_decoder_spec.h"

namespace ablate::models {

/// An encoder that reads all inputs in both directions, and a decoder that predicts the targets
/// from left to right and sees, in every block, what the encoder made of its inputs. One token
/// table, one output head, no biases.
///
/// Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.1; shared parameters: Raffel et al.
/// 2020, arXiv:1910.10683, section 3.2.
class EncoderDecoder final : public train::Network {
 public:
  explicit EncoderDecoder(const train::NetworkSettings& settings);

  std::vector<train::Parameter>& parameters() override { return bank_.parameters.all(); }
  std::int64_t lanes() const override { return bank_.lanes; }

  /// Of the decoder. Requires: inputs with a source.
  at::Tensor hidden(const train::Inputs& inputs) override;
  at::Tensor losses(const at::Tensor& hidden,
                    const std::vector<train::LaneTargets>& targets) override {
    return heads_.losses(hidden, targets);
  }
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) override {
    return heads_.logits(hidden, lane, positions);
  }

  /// Of the encoder over the inputs' own tokens: what reads a text that nothing is to follow.
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override;
  void parameters_changed() override { bank_.parameters.renew(); }

 private:
  Normed encode(const train::Inputs& inputs, std::vector<at::Tensor>* sums) const;

  EncoderDecoderShape shape_;
  // In the order in which they add their parameters, which is that of a file of weights.
  Bank bank_;
  Embeddings embeddings_;
  Stack encoder_;
  Stack decoder_;
  std::size_t encoder_norm_;
  Heads heads_;
};

/// Builds one. Throws std::invalid_argument for a model or a precision that cannot be.
std::unique_ptr<train::Network> build_encoder_decoder(const train::NetworkSettings& settings);

}  // namespace ablate::models
