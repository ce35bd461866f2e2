// The first layer of a network: embeddings of tokens and positions.

#pragma once

#include <optional>
#include <string>

#include "models/layers/bank.h"
#include "models/layers/stack.h"

namespace ablate::models {

/// Token embeddings with learned or rotary positions, or none. They are the first parameters of every
/// network.
class Embeddings {
 public:
  /// Adds the token table to the bank's parameters and, where positions are learned, the position
  /// table. Requires: the bank outlives this object.
  Embeddings(Bank& bank, const Shape& shape);

  /// The embeddings of a second, narrower network in the bank. The names of their parameters begin with
  /// `prefix`. `table`: whose token table they share, projected to their width; null: they have their
  /// own.
  Embeddings(Bank& bank, const Shape& shape, const std::string& prefix, const Embeddings* table);

  /// The residual stream, float32 [lane, batch, time, width], of ids [lane, batch, time] at positions
  /// of the same shape. `inner`: second positions; undefined: 0.
  at::Tensor embed(const at::Tensor& tokens, const at::Tensor& positions,
                   const at::Tensor& inner = {}) const;

  /// Starts a forward pass with the visibility of the inputs. `layer`: index of its first dropout.
  Pass pass(const train::Inputs& inputs, std::int64_t layer) const;

  /// The same for a step of decoding, whose inputs' visibility is counted from the beginning of rows.
  Pass pass(const train::Inputs& inputs, DecodingStep& step) const;

  /// The index of the token table among the bank's parameters; a tied output head uses it.
  std::size_t token_table() const { return tokens_; }

 private:
  /// The visibility and positions of inputs.
  AttentionMask mask(const train::Inputs& inputs) const;

  const Bank& bank_;
  std::int64_t heads_;  // attention heads
  at::Tensor rotary_;   // see AttentionMask::rotary; undefined unless positions are rotary
  at::Tensor slopes_;   // see AttentionMask::slopes; undefined unless scores fall with the distance
  std::size_t tokens_ = 0;
  std::optional<std::size_t> positions_;        // of learned positions
  std::optional<std::size_t> project_;          // of a table that is wider
  bool inner_ = false;                          // whether places have second positions
  std::optional<std::size_t> inner_positions_;  // their table, where positions are learned
};

}  // namespace ablate::models
