// The last layers of a network: the final norm and the output heads.

#pragma once

#include <vector>

#include "models/layers/embeddings.h"

namespace ablate::models {

/// The final norm, the token head and, if the objective needs it, the pair head. They are the last
/// parameters of every network.
class Heads {
 public:
  /// Adds the norm and the heads; a tied token head uses the token table. Requires: the bank
  /// outlives this object.
  Heads(Bank& bank, const Embeddings& embeddings, const TransformerShape& shape);

  /// The complete stream and its final norm, both float32 [lane, batch, time, width].
  Normed last(const ResidualStream& residual) const;

  /// As train::Network::losses. Throws std::invalid_argument unless every lane has targets.
  at::Tensor losses(const at::Tensor& hidden, const std::vector<train::LaneTargets>& targets) const;

  /// As train::Network::logits: float32 [chosen, vocabulary].
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& positions) const;

  /// As train::Network::pair_logits, in float32. Requires: a shape with a pair head.
  at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t first,
                         const at::Tensor& positions) const;

 private:
  /// The token head in the type of the bank's products.
  OutputHead output_head() const;

  const Bank& bank_;
  Norm kind_;
  double scale_ = 1;  // of the logits
  std::size_t norm_ = 0, head_ = 0, pool_ = 0, pair_ = 0;
};

}  // namespace ablate::models
