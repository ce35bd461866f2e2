// Implements Operations with the fused functions.

#include "models/operations/fused/fused_operations.h"

#include "models/operations/attention.h"
#include "models/operations/fused/attention.h"
#include "models/operations/fused/delta.h"
#include "models/operations/fused/linear.h"
#include "models/operations/fused/loss.h"
#include "models/operations/fused/norm.h"
#include "models/operations/fused/state_space.h"

namespace ablate::models {
namespace {

class FusedOperations final : public Operations {
 public:
  at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) const override {
    return fused::embed(table, ids);
  }
  at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) const override {
    return fused::linear(x, weight);
  }
  Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                  Norm norm, at::ScalarType type) const override {
    return fused::add_norm(residual, delta, gain, norm, type);
  }
  at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) const override {
    return fused::attention(qkv, mask);
  }
  at::Tensor attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                            const AttentionStep& step,
                            std::vector<at::Tensor>& kept) const override {
    if (step.group > 1) return Operations::attention_step(qkv, mask, step, kept);
    return fused::attention_step(qkv, mask, step, kept);
  }
  at::Tensor state_space(const StateSpaceRows& rows) const override {
    return fused::state_space(rows);
  }
  at::Tensor delta_rule(const DeltaRows& rows) const override { return fused::delta_rule(rows); }
  at::Tensor generalised_delta(const GeneralisedDeltaRows& rows) const override {
    return fused::generalised_delta(rows);
  }
  at::Tensor activated_convolution(const at::Tensor& channels, const ShortConvolution& convolution,
                                   const at::Tensor& from) const override {
    return fused::activated_convolution(channels, convolution, from);
  }
  at::Tensor cross_attention(const at::Tensor& q, const at::Tensor& kv,
                             const AttentionMask& mask) const override {
    return attention_across(q, kv, mask);
  }
  at::Tensor activated(const at::Tensor& x, const at::Tensor& weight,
                       Activation kind) const override {
    return fused::activated(x, weight, kind);
  }
  at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                    const std::vector<train::LaneTargets>& targets) const override {
    return fused::losses(hidden, head, targets);
  }
};

}  // namespace

std::unique_ptr<Operations> fused_operations() { return std::make_unique<FusedOperations>(); }

}  // namespace ablate::models
