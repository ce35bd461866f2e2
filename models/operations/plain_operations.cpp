// The operations of a backbone in ATen alone: any device, any precision, the reference of the fused
// ones.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/operations/attention.h"
#include "models/operations/operations.h"

namespace ablate::models {
namespace {

// [lane, rows, in] times [lane, out, in] transposed.
at::Tensor lane_product(const at::Tensor& x, const at::Tensor& weight, bool batched) {
  if (batched) return at::bmm(x, weight.transpose(1, 2));
  std::vector<at::Tensor> lanes;
  for (std::int64_t lane = 0; lane < x.size(0); ++lane)
    lanes.push_back(at::mm(x.select(0, lane), weight.select(0, lane).t()));
  return at::stack(lanes);
}

// Turns pairs of units (d, d + head_width / 2) of `x` [lane, batch, time, heads, head_width].
// Source: Su et al. 2021, "RoFormer", arXiv 2104.09864.
at::Tensor turn(const at::Tensor& x, const AttentionMask& sight) {
  if (!sight.angles.defined()) return x;
  const at::Tensor swapped = x.roll({x.size(4) / 2}, {-1});
  return x * sight.angles.select(-2, 0) + swapped * sight.angles.select(-2, 1);
}

class PlainOperations final : public Operations {
 public:
  PlainOperations(bool batched, bool library_attention)
      : batched_(batched), library_attention_(library_attention && has_library_attention()) {}

  at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) const override {
    const at::Tensor first =
        at::arange(table.size(0), ids.options()).mul(table.size(1)).view({-1, 1, 1});
    return table.flatten(0, 1)
        .index_select(0, (ids + first).flatten())
        .view({ids.size(0), ids.size(1), ids.size(2), table.size(2)});
  }

  at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) const override {
    const at::Tensor y = lane_product(x.flatten(1, 2), weight.to(x.scalar_type()), batched_);
    return y.view({x.size(0), x.size(1), x.size(2), weight.size(1)});
  }

  Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                  Norm norm, at::ScalarType type) const override {
    const at::Tensor sum = delta.defined() ? residual + delta.to(residual.scalar_type()) : residual;
    const at::Tensor centred = norm == Norm::layer ? sum - sum.mean({-1}, true) : sum;
    const at::Tensor scale = (centred * centred).mean({-1}, true).add(kNormEpsilon).rsqrt();
    const at::Tensor lane_gain = gain.view({gain.size(0), 1, 1, gain.size(1)});
    return {sum, (centred * scale * lane_gain).to(type)};
  }

  AttentionMask prepared(AttentionMask sight, at::ScalarType type) const override {
    if (sight.rotary.defined())
      sight.angles = sight.rotary.index_select(0, sight.positions.flatten())
                         .view({sight.positions.size(0), sight.positions.size(1),
                                sight.positions.size(2), 1, 2, sight.rotary.size(2)});
    return library_attention_ ? with_bias(std::move(sight), type) : with_seen(std::move(sight));
  }

  at::Tensor attention(const at::Tensor& qkv, const AttentionMask& sight) const override {
    const std::int64_t width = qkv.size(3) / 3;
    const std::int64_t head_width = width / sight.heads;
    const at::Tensor split =
        qkv.view({qkv.size(0), qkv.size(1), qkv.size(2), 3, sight.heads, head_width});
    const at::Tensor q = turn(split.select(3, 0), sight).transpose(2, 3);
    const at::Tensor k = turn(split.select(3, 1), sight).transpose(2, 3);
    const at::Tensor v =
        split.select(3, 2).transpose(2, 3);  // [lane, batch, heads, time, head_width]
    const at::Tensor out =
        library_attention_ ? library_attention(q, k, v, sight) : plain_attention(q, k, v, sight);
    return out.transpose(2, 3)
        .reshape({qkv.size(0), qkv.size(1), qkv.size(2), width})
        .to(qkv.scalar_type());
  }

  at::Tensor cross_attention(const at::Tensor& q, const at::Tensor& kv,
                             const AttentionMask& sight) const override {
    return attention_across(q, kv, sight);
  }

  at::Tensor activated(const at::Tensor& x, const at::Tensor& weight,
                       Activation kind) const override {
    const at::Tensor units = linear(x, weight);
    if (kind == Activation::gelu) return at::gelu(units);
    const std::vector<at::Tensor> halves = units.chunk(2, -1);
    return at::silu(halves[0]) * halves[1];
  }

  at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                    const std::vector<train::LaneTargets>& targets) const override {
    std::vector<at::Tensor> at, ids, weights;
    for (const train::LaneTargets& lane : targets) {
      at.push_back(lane.at);
      ids.push_back(lane.targets);
      weights.push_back(lane.weights);
    }
    const at::Tensor rows = hidden.flatten(1, 2);
    if (batched_) return cost(rows, head, at::stack(at), at::stack(ids), at::stack(weights));
    std::vector<at::Tensor> lanes;
    for (std::size_t lane = 0; lane < targets.size(); ++lane) {
      const auto index = static_cast<std::int64_t>(lane);
      const OutputHead own = {head.table.narrow(0, index, 1), head.scale, head.products};
      lanes.push_back(cost(rows.narrow(0, index, 1), own, at[lane].unsqueeze(0),
                           ids[lane].unsqueeze(0), weights[lane].unsqueeze(0)));
    }
    return at::cat(lanes);
  }

 private:
  // Of lanes with equally many targets: rows [lane, batch * time, width], the rest [lane, scored].
  at::Tensor cost(const at::Tensor& rows, const OutputHead& head, const at::Tensor& at,
                  const at::Tensor& ids, const at::Tensor& weights) const {
    const at::Tensor chosen = rows.gather(1, at.unsqueeze(-1).expand({-1, -1, rows.size(2)}));
    const at::Tensor products =
        lane_product(chosen.to(head.products), head.table.to(head.products), batched_);
    const at::Tensor logits = products.to(rows.scalar_type()) * head.scale;
    const at::Tensor probabilities =
        logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1);
    return -(probabilities * weights).sum(-1);
  }

  bool batched_;
  bool library_attention_;
};

}  // namespace

std::unique_ptr<Operations> plain_operations(bool batched, bool library_attention) {
  return std::make_unique<PlainOperations>(batched, library_attention);
}

}  // namespace ablate::models
