// The norm of queries and keys.

#pragma once

#include "models/layers/layer.h"

namespace ablate::models {

/// RMS norm of each head's queries and keys before their positions rotate them, with gains by unit of a head
/// for either. Nothing where the model has none. Source: Dehghani et al. 2023, arXiv:2302.05442, section 2;
/// with RMS norm by head, Yang et al. 2025, "Qwen3", arXiv:2505.09388, section 2.
class QueryKeyNorm {
 public:
  explicit QueryKeyNorm(const LayerSite& site);

  /// `qkv` [lane, batch, time, 3 * width], queries, keys and values, each by head; the same.
  at::Tensor normed(const Operations& op, const at::Tensor& qkv) const;

 private:
  const Parameters& parameters_;
  std::int64_t head_width_;
  bool present_;
  std::size_t queries_ = 0, keys_ = 0;
};

}  // namespace ablate::models
