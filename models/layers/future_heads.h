// The heads of multi-token prediction.

#pragma once

#include <vector>

#include "models/layers/heads.h"

namespace ablate::models {

/// Heads that predict the next token and later ones. All heads share the last norm and the output
/// table.
///
/// Source: Gloeckle et al. 2024, "Better & Faster Large Language Models via Multi-token
/// Prediction", arXiv:2404.19737, section 2 (transformer heads) and table S4 (linear ones);
/// DeepSeek-AI 2024, arXiv:2412.19437, section 2.2 (sequential modules).
class FutureHeads {
 public:
  /// Adds the parameters of the shape's heads, after a trunk of `shape.trunk` blocks. Requires:
  /// bank and embeddings outlive this object.
  FutureHeads(Bank& bank, const Embeddings& embeddings, const TransformerShape& shape);

  /// Whether each head reads the previous head's stream instead of the trunk's.
  bool chained() const { return shape_.future_kind == FutureKind::sequential; }

  /// Runs the first head's block, if it has one, on the trunk's stream. `sums`: as in Stack::run.
  ResidualStream first(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums) const;

  /// The state of the head that predicts `ahead` tokens ahead (1: the next token). `from` is the
  /// trunk's stream or, if chained, that of the previous head; `heads` supplies the last norm.
  train::HeadState state(const Heads& heads, std::int64_t ahead, const at::Tensor& from,
                         const train::Inputs& inputs) const;

 private:
  /// `state` for sequential modules, from 2 tokens ahead.
  train::HeadState sequential(const Heads& heads, std::int64_t ahead, const at::Tensor& from,
                              const train::Inputs& inputs) const;

  const Bank& bank_;
  const Embeddings& embeddings_;
  TransformerShape shape_;
  std::vector<Stack> blocks_;  // by head; starts with the first head for transformer heads
  struct Module {
    std::size_t token_norm = 0, stream_norm = 0, project = 0;
  };
  std::vector<Module> modules_;        // sequential, from 2 tokens ahead
  std::vector<std::size_t> matrices_;  // linear, from 2 tokens ahead
};

}  // namespace ablate::models
