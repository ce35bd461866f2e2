// The pre-norm transformer as a bank of lanes.

#pragma once

#include <memory>
#include <vector>

#include "models/low_precision.h"
#include "models/operations.h"
#include "models/transformer_spec.h"

namespace ablate {

/// Embedding, then blocks of (norm, attention, norm, feed-forward), each layer added to the
/// residual stream, then a norm. No biases.
///
/// Source: Vaswani et al. 2017, arXiv 1706.03762, with the norm before each layer (Xiong et al.
/// 2020, arXiv 2002.04745).
class Transformer final : public Network {
 public:
  explicit Transformer(const NetworkSettings& settings);

  std::vector<Parameter>& parameters() override { return parameters_; }
  std::int64_t lanes() const override { return lanes_; }
  at::Tensor hidden(const Inputs& inputs) override;
  at::Tensor losses(const at::Tensor& hidden, const std::vector<LaneTargets>& targets) override;
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) override;
  std::vector<at::Tensor> layers(const Inputs& inputs) override;
  void parameters_changed() override;

 private:
  /// Where a block's weights stand among the parameters.
  struct Block {
    std::size_t attention_norm, qkv, out, feed_forward_norm, up, down;
  };

  struct Initial {
    double deviation = 0;
    double constant = 0;
    bool decayed = true;
  };
  std::size_t add(std::string name, std::vector<std::int64_t> sizes, Initial initial);
  Block add_block(std::int64_t index);
  const at::Tensor& value(std::size_t index) const { return parameters_[index].value; }
  at::Tensor matrix(std::size_t index) const;
  at::Tensor embed(const Inputs& inputs) const;
  at::Tensor run(const Inputs& inputs, std::vector<at::Tensor>* layers) const;
  OutputHead output_head() const;

  TransformerShape shape_;
  std::int64_t lanes_;
  at::Device device_;
  bool bfloat16_;
  std::unique_ptr<Operations> operations_;
  std::unique_ptr<LowPrecision> low_;  // elsewhere than on the CPU, in bfloat16; else null
  std::vector<Parameter> parameters_;
  std::size_t tokens_ = 0, positions_ = 0, norm_ = 0, head_ = 0;
  std::vector<Block> blocks_;
  at::Tensor turns_;  // of rotary positions, else undefined
};

}  // namespace ablate
