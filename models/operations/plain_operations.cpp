// The operations of a backbone in plain ATen, for every device and precision; the reference for the
// fused ones.

#include "models/operations/plain_operations.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>

#include "models/operations/attention.h"
#include "models/operations/lane_rows.h"

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

at::Tensor normed(const at::Tensor& x, Norm norm) {
  if (norm == Norm::layer) return at::layer_norm(x, {x.size(-1)}, {}, {}, kNormEpsilon);
  return x * (x * x).mean({-1}, true).add(kNormEpsilon).rsqrt();
}

class PlainOperations final : public Operations {
 public:
  PlainOperations(bool batched, bool library_attention)
      : batched_(batched), library_attention_(library_attention && has_library_attention()) {}

  at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) const override {
    return lane_rows(table, ids.flatten(1))
        .view({ids.size(0), ids.size(1), ids.size(2), table.size(2)});
  }

  at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) const override {
    const at::Tensor y = lane_product(x.flatten(1, 2), weight.to(x.scalar_type()), batched_);
    return y.view({x.size(0), x.size(1), x.size(2), weight.size(1)});
  }

  Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                  Norm norm, at::ScalarType type) const override {
    const at::Tensor sum = delta.defined() ? residual + delta.to(residual.scalar_type()) : residual;
    const at::Tensor lane_gain = gain.view({gain.size(0), 1, 1, gain.size(1)});
    return {sum, (normed(sum, norm) * lane_gain).to(type)};
  }

  AttentionMask prepared(AttentionMask mask, at::ScalarType type) const override {
    mask.angles = angles_of(mask);
    return library_attention_ ? with_bias(std::move(mask), type) : with_seen(std::move(mask));
  }

  at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) const override {
    const std::int64_t width = qkv.size(3) / 3;
    const std::int64_t head_width = width / mask.heads;
    // Not select(), whose gradients are each written into a tensor of zeros as large as `qkv`.
    const std::vector<at::Tensor> parts =
        qkv.view({qkv.size(0), qkv.size(1), qkv.size(2), 3, mask.heads, head_width}).unbind(3);
    // All [lane, batch, heads, time, head_width].
    const at::Tensor q = rotated(parts[0], mask.angles).transpose(2, 3);
    const at::Tensor k = rotated(parts[1], mask.angles).transpose(2, 3);
    const at::Tensor v = parts[2].transpose(2, 3);
    const at::Tensor out =
        library_attention_ ? library_attention(q, k, v, mask) : plain_attention(q, k, v, mask);
    return out.transpose(2, 3)
        .reshape({qkv.size(0), qkv.size(1), qkv.size(2), width})
        .to(qkv.scalar_type());
  }

  at::Tensor cross_attention(const at::Tensor& q, const at::Tensor& kv,
                             const AttentionMask& mask) const override {
    return attention_across(q, kv, mask);
  }

  at::Tensor activated(const at::Tensor& x, const at::Tensor& weight,
                       Activation kind) const override {
    const at::Tensor units = linear(x, weight);
    if (kind == Activation::gelu) return at::gelu(units);
    const std::vector<at::Tensor> gate_and_values = units.chunk(2, -1);
    return at::silu(gate_and_values[0]) * gate_and_values[1];
  }

  at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                    const std::vector<train::LaneTargets>& targets) const override {
    const at::Tensor rows = hidden.flatten(1, 2);
    if (batched_) return cost(rows, head, stacked(targets));
    std::vector<at::Tensor> lanes;
    for (std::size_t lane = 0; lane < targets.size(); ++lane) {
      const auto index = static_cast<std::int64_t>(lane);
      const OutputHead own = {head.table.narrow(0, index, 1), head.scale, head.products};
      lanes.push_back(cost(rows.narrow(0, index, 1), own, stacked({targets[lane]})));
    }
    return at::cat(lanes);
  }

 private:
  // The losses [lane] of lanes with equally many targets, of rows [lane, batch * time, width].
  at::Tensor cost(const at::Tensor& rows, const OutputHead& head,
                  const BankTargets& targets) const {
    // The states are scaled, not the logits, which are many more.
    const at::Tensor chosen = lane_rows(rows, targets.positions) * head.scale;
    const at::Tensor logits =
        lane_product(chosen.to(head.products), head.table.to(head.products), batched_);
    const at::Tensor losses =
        at::nll_loss(logits.to(rows.scalar_type()).log_softmax(-1).flatten(0, 1),
                     targets.ids.flatten(), {}, at::Reduction::None);
    return (losses.view(targets.weights.sizes()) * targets.weights).sum(-1);
  }

  bool batched_;
  bool library_attention_;
};

}  // namespace

std::unique_ptr<Operations> plain_operations(bool batched, bool library_attention) {
  return std::make_unique<PlainOperations>(batched, library_attention);
}

at::Tensor Operations::activated_convolution(const at::Tensor& channels,
                                             const ShortConvolution& convolution,
                                             const at::Tensor& from) const {
  return at::silu(convolved(channels, convolution, from, {}));
}

}  // namespace ablate::models
