// Where a network begins: the tables of tokens and positions.

#pragma once

#include "models/layers/bank.h"
#include "models/layers/stack.h"

namespace ablate::models {

/// Token embeddings with learned or rotary positions. The first parameters of every network.
class Embeddings {
 public:
  /// Adds the table of tokens and, unless positions are rotary, that of positions. Requires: the
  /// bank outlives this.
  Embeddings(Bank& bank, const TransformerShape& shape);

  /// The residual stream, float32 [lane, batch, time, width], of ids [lane, batch, time] at
  /// positions of the same shape.
  at::Tensor embed(const at::Tensor& tokens, const at::Tensor& positions) const;

  /// A forward pass in which each position sees what the inputs say. `layer`: the first place of
  /// dropout.
  Pass pass(const train::Inputs& inputs, std::int64_t layer) const;

  /// The index of the token table among the bank's parameters: a tied output head reads it.
  std::size_t token_table() const { return tokens_; }

 private:
  const Bank& bank_;
  std::int64_t heads_;  // attention heads
  at::Tensor rotary_;   // cosines and sines of rotary positions; undefined where learned
  std::size_t tokens_ = 0, positions_ = 0;
};

}  // namespace ablate::models
