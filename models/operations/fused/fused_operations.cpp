// Implements Operations with the fused functions.

#include "models/operations/fused/fused_operations.h"

#include <ATen/Functions.h>

#include <algorithm>

#include "models/operations/attention.h"
#include "models/operations/fused/attention.h"
#include "models/operations/fused/delta.h"
#include "models/operations/fused/linear.h"
#include "models/operations/fused/loss.h"
#include "models/operations/fused/norm.h"
#include "models/operations/fused/state_space.h"
#include "models/operations/plain_operations.h"

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
    return mask.slopes.defined() ? by_distance(qkv, mask) : fused::attention(qkv, mask);
  }
  at::Tensor attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                            const AttentionStep& step,
                            std::vector<at::Tensor>& kept) const override {
    if (mask.slopes.defined())
      return Operations::attention_step(qkv.to(at::kFloat), mask, step, kept).to(qkv.scalar_type());
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

 private:
  /// Attention whose scores lose by distance: written out, a few rows at once, so that the memory for their
  /// scores is bounded where no gradient is wanted.
  at::Tensor by_distance(const at::Tensor& qkv, const AttentionMask& mask) const {
    const std::int64_t batch = qkv.size(1), time = qkv.size(2);
    const std::int64_t rows = std::max<std::int64_t>(1, kScoresAtOnce / (mask.heads * time * time));
    std::vector<at::Tensor> lanes;
    for (std::int64_t lane = 0; lane < qkv.size(0); ++lane) {
      std::vector<at::Tensor> parts;
      for (std::int64_t first = 0; first < batch; first += rows) {
        const std::int64_t count = std::min(rows, batch - first);
        const auto part = [&](const at::Tensor& x) {
          return x.defined() ? x.narrow(0, lane, 1).narrow(1, first, count) : x;
        };
        AttentionMask own = mask;
        for (at::Tensor AttentionMask::*field :
             {&AttentionMask::positions, &AttentionMask::visible_from,
              &AttentionMask::visible_until, &AttentionMask::also_from, &AttentionMask::also_until})
          own.*field = part(mask.*field);
        parts.push_back(plain_->attention(part(qkv).to(at::kFloat),
                                          plain_->prepared(std::move(own), at::kFloat)));
      }
      lanes.push_back(at::cat(parts, 1));
    }
    return at::cat(lanes).to(qkv.scalar_type());
  }

  static constexpr std::int64_t kScoresAtOnce = std::int64_t{1} << 24;
  const std::unique_ptr<Operations> plain_ =
      plain_operations(/*batched=*/false, /*library_attention=*/false);
};

}  // namespace

std::unique_ptr<Operations> fused_operations() { return std::make_unique<FusedOperations>(); }

}  // namespace ablate::models
