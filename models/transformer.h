// The pre-norm transformer as a bank of lanes: one stack, attention by visibility.

#pragma once

#include <memory>
#include <vector>

#include "models/frame.h"
#include "models/future_heads.h"
#include "models/stack.h"

namespace ablate {

/// Embedding, blocks, a norm, heads. No biases.
class Transformer final : public Network {
 public:
  explicit Transformer(const NetworkSettings& settings);

  std::vector<Parameter>& parameters() override { return frame_.parameters().all(); }
  std::int64_t lanes() const override { return frame_.lanes(); }
  bool chained() const override { return heads_.chained(); }
  at::Tensor hidden(const Inputs& inputs) override;
  at::Tensor trunk(const Inputs& inputs) override;
  HeadState state(std::size_t head, const at::Tensor& from, const Inputs& inputs) override;
  at::Tensor losses(const at::Tensor& hidden, const std::vector<LaneTargets>& targets) override {
    return frame_.losses(hidden, targets);
  }
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) override {
    return frame_.logits(hidden, lane, at);
  }
  at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t lane,
                         const at::Tensor& at) override {
    return frame_.pair_logits(hidden, lane, at);
  }
  std::vector<at::Tensor> layers(const Inputs& inputs) override;
  void parameters_changed() override { frame_.parameters().renew(); }

 private:
  Flow run(Pass& pass, std::vector<at::Tensor>* sums) const;

  const Needs needs_;
  TransformerShape shape_;
  Frame frame_;
  Stack trunk_;
  FutureHeads heads_;
};

}  // namespace ablate
