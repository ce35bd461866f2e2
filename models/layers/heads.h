// Where a network ends: the last norm and the output heads.

#pragma once

#include <vector>

#include "models/layers/embeddings.h"

namespace ablate::models {

/// The last norm, the output head of tokens and, where the needs ask for it, that of pairs. The
/// last parameters of every network.
class Heads {
 public:
  /// Adds the norm and the heads; a tied head is the token table. Requires: the bank outlives this.
  Heads(Bank& bank, const Embeddings& embeddings, const TransformerShape& shape);

  /// The stream and its norm, both float32 [lane, batch, time, width].
  Normed last(const ResidualStream& residual) const;

  /// As train::Network::losses. Throws std::invalid_argument unless each lane has its targets.
  at::Tensor losses(const at::Tensor& hidden, const std::vector<train::LaneTargets>& targets) const;

  /// As train::Network::logits: float32 [chosen, vocabulary].
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& positions) const;

  /// As train::Network::pair_logits: [chosen, 2]. Requires: a shape with a head for pairs.
  at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t lane,
                         const at::Tensor& positions) const;

 private:
  OutputHead output_head() const;

  const Bank& bank_;
  Norm kind_;
  double scale_ = 1;  // of the logits
  std::size_t norm_ = 0, head_ = 0, pool_ = 0, pair_ = 0;
};

}  // namespace ablate::models
