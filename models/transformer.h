// The pre-norm transformer as a bank of lanes: one stack, attention by visibility.

#pragma once

#include <memory>
#include <vector>

#include "models/layers/frame.h"
#include "models/layers/future_heads.h"
#include "models/layers/stack.h"

namespace ablate::models {

/// Embedding, blocks, a norm, heads. No biases.
class Transformer final : public train::Network {
 public:
  explicit Transformer(const train::NetworkSettings& settings);

  std::vector<train::Parameter>& parameters() override { return frame_.parameters().all(); }
  std::int64_t lanes() const override { return frame_.lanes(); }
  bool chained() const override { return heads_.chained(); }
  at::Tensor hidden(const train::Inputs& inputs) override;
  at::Tensor trunk(const train::Inputs& inputs) override;
  train::HeadState state(std::size_t head, const at::Tensor& from,
                         const train::Inputs& inputs) override;
  at::Tensor losses(const at::Tensor& hidden,
                    const std::vector<train::LaneTargets>& targets) override {
    return frame_.losses(hidden, targets);
  }
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) override {
    return frame_.logits(hidden, lane, at);
  }
  at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t lane,
                         const at::Tensor& at) override {
    return frame_.pair_logits(hidden, lane, at);
  }
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override;
  void parameters_changed() override { frame_.parameters().renew(); }

 private:
  ResidualStream run(Pass& pass, std::vector<at::Tensor>* sums) const;

  const Needs needs_;
  TransformerShape shape_;
  Frame frame_;
  Stack trunk_;
  FutureHeads heads_;
};

}  // namespace ablate::models
