// What stands around the blocks of every transformer: embedding, last norm, output heads.

#pragma once

#include <memory>
#include <vector>

#include "models/layers/stack.h"

namespace ablate::models {

/// Declares its parameters in two steps, so that those of the blocks stand between them.
class Frame {
 public:
  /// Adds the tables of tokens and positions. Refuses what the settings' model or precision cannot
  /// be.
  Frame(const train::NetworkSettings& settings, const TransformerShape& shape);

  /// Adds the last norm and the output heads that the needs ask for.
  void add_output();

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  const Operations& operations() const { return *operations_; }
  std::int64_t lanes() const { return lanes_; }
  at::ScalarType type() const { return type_; }  // of products and activations

  /// Residual stream of ids [lane, batch, time] at positions of the same shape.
  at::Tensor embed(const at::Tensor& tokens, const at::Tensor& positions) const;

  /// A pass over what the inputs' positions see of each other. `layer`: the first place of dropout.
  Pass pass(const train::Inputs& inputs, std::int64_t layer) const;

  /// The stream after the last norm, float32.
  Normed last(const ResidualStream& flow) const;

  at::Tensor losses(const at::Tensor& hidden, const std::vector<train::LaneTargets>& targets) const;
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) const;
  at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) const;

 private:
  OutputHead output_head() const;

  TransformerShape shape_;
  std::int64_t lanes_;
  at::Device device_;
  at::ScalarType type_;
  std::unique_ptr<Operations> operations_;
  Parameters parameters_;
  at::Tensor rotary_;  // of rotary positions, else undefined
  std::size_t tokens_ = 0, positions_ = 0, norm_ = 0, head_ = 0, pool_ = 0, pair_ = 0;
};

}  // namespace ablate::models
