// Attention with per-position visibility, in ATen.

#include "models/operations/attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/version.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)
#define ABLATE_LIBRARY_ATTENTION 1
#endif

namespace ablate::models {

bool has_library_attention() {
#ifdef ABLATE_LIBRARY_ATTENTION
  return true;
#else
  return false;
#endif
}

namespace {

/// True where position i of [lane, batch, time] sees j of [0, count): [lane, batch, 1, time,
/// count].
at::Tensor seen_of(const at::Tensor& from, const at::Tensor& until, std::int64_t count) {
  const at::Tensor j = at::arange(count, from.options());
  return at::logical_and(j >= from.unsqueeze(-1), j < until.unsqueeze(-1)).unsqueeze(2);
}

}  // namespace

at::Tensor angles_of(const AttentionMask& mask) {
  if (!mask.rotary.defined()) return {};
  const at::Tensor& positions = mask.positions;
  return mask.rotary.index_select(0, positions.flatten())
      .view({positions.size(0), positions.size(1), positions.size(2), 1, 2, mask.rotary.size(2)});
}

at::Tensor rotated(const at::Tensor& x, const at::Tensor& angles) {
  if (!angles.defined()) return x;
  const at::Tensor swapped = x.roll({x.size(-1) / 2}, {-1});
  return x * angles.select(-2, 0) + swapped * angles.select(-2, 1);
}

AttentionMask with_seen(AttentionMask mask) {
  mask.seen = seen_of(mask.visible_from, mask.visible_until, mask.visible_from.size(2));
  return mask;
}

AttentionMask with_source(const at::Tensor& from, const at::Tensor& until, std::int64_t source_time,
                          std::int64_t heads) {
  AttentionMask mask;
  mask.heads = heads;
  mask.seen = seen_of(from, until, source_time);
  return mask;
}

AttentionMask with_bias(AttentionMask mask, at::ScalarType type) {
  if (mask.visibility != train::Visibility::general) return mask;
  const at::Tensor seen = with_seen(mask).seen.flatten(0, 1);
  mask.blind = (mask.visible_until <= mask.visible_from).flatten(0, 1).unsqueeze(1).unsqueeze(-1);
  // A row of -inf would give NaN in some of the library's kernels. Such a row sees everything here,
  // and its output is set to zero afterwards.
  const at::Tensor hidden = seen.logical_or(mask.blind).logical_not();
  mask.bias = at::zeros(hidden.sizes(), seen.options().dtype(type))
                  .masked_fill(hidden, -std::numeric_limits<double>::infinity());
  return mask;
}

at::Tensor plain_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionMask& mask) {
  const at::Tensor unseen = ~mask.seen;
  // A finite score for unseen keys, so that a row that sees nothing gives zeros instead of NaN.
  const at::Tensor scores = at::matmul(q, k.transpose(-1, -2)) / std::sqrt(q.size(-1));
  const at::Tensor probabilities =
      scores.masked_fill(unseen, -1e30).softmax(-1).masked_fill(unseen, 0);
  return at::matmul(probabilities.to(v.scalar_type()), v);
}

at::Tensor attention_across(const at::Tensor& q, const at::Tensor& kv, const AttentionMask& mask) {
  const std::int64_t width = q.size(3), heads = mask.heads;
  const auto by_head = [&](const at::Tensor& x, std::int64_t parts) {
    return x.view({x.size(0), x.size(1), x.size(2), parts, heads, width / heads});
  };
  const at::Tensor queries = by_head(q, 1).select(3, 0).transpose(2, 3);
  const at::Tensor split = by_head(kv, 2);
  const at::Tensor out = plain_attention(queries, split.select(3, 0).transpose(2, 3),
                                         split.select(3, 1).transpose(2, 3), mask);
  return out.transpose(2, 3).reshape(q.sizes()).to(q.scalar_type());
}

#ifdef ABLATE_LIBRARY_ATTENTION

at::Tensor library_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             const AttentionMask& mask) {
  const auto rows = [&](const at::Tensor& x) { return x.to(v.scalar_type()).flatten(0, 1); };
  const bool causal = mask.visibility == train::Visibility::causal;
  at::Tensor out =
      mask.bias.defined()
          ? at::scaled_dot_product_attention(rows(q), rows(k), rows(v), mask.bias)
          : at::scaled_dot_product_attention(rows(q), rows(k), rows(v), {}, 0.0, causal);
  if (mask.blind.defined()) out = out.masked_fill(mask.blind, 0);
  return out.view(v.sizes());
}

#else

at::Tensor library_attention(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                             const AttentionMask&) {
  throw std::logic_error("attention: LibTorch before 2.1 has no fused attention");
}

#endif

}  // namespace ablate::models
