// The heads of several tokens ahead: multi-token prediction.

#pragma once

#include <vector>

#include "models/layers/heads.h"

namespace ablate::models {

/// All heads share the last norm and the output table.
///
/// Source: Gloeckle et al. 2024, "Better & Faster Large Language Models via Multi-token
/// Prediction", arXiv:2404.19737, section 2 (transformer heads) and table S4 (linear ones);
/// DeepSeek-AI 2024, arXiv:2412.19437, section 2.2 (sequential modules).
class FutureHeads {
 public:
  /// Adds the parameters of the heads that the shape has, after a trunk of `shape.trunk` blocks.
  /// Requires: bank and embeddings outlive this.
  FutureHeads(Bank& bank, const Embeddings& embeddings, const TransformerShape& shape);

  /// Whether a head reads the previous head's stream, not the trunk's.
  bool chained() const { return shape_.future_kind == FutureKind::sequential; }

  /// The first head's block, where it has one of its own, over the trunk's stream. `sums`: as Stack::run.
  ResidualStream first(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums) const;

  /// The state that predicts `ahead` tokens ahead, from the trunk's stream or, where chained, from
  /// that of the previous head; `heads` brings the last norm.
  train::HeadState state(const Heads& heads, std::int64_t ahead, const at::Tensor& from,
                         const train::Inputs& inputs) const;

 private:
  train::HeadState sequential(const Heads& heads, std::int64_t ahead, const at::Tensor& from,
                              const train::Inputs& inputs) const;

  const Bank& bank_;
  const Embeddings& embeddings_;
  TransformerShape shape_;
  std::vector<Stack> blocks_;  // by head, the first one's too where heads are blocks on the trunk
  struct Module {
    std::size_t token_norm = 0, stream_norm = 0, project = 0;
  };
  std::vector<Module> modules_;        // sequential, from 2 tokens ahead
  std::vector<std::size_t> matrices_;  // linear, from 2 tokens ahead
};

}  // namespace ablate::models
