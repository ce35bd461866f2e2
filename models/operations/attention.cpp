// Attention with per-position visibility, in ATen.

#include "models/operations/attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/version.h>

#include <algorithm>
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

AttentionHeads heads_of(const at::Tensor& qkv, const AttentionMask& mask) {
  const std::vector<at::Tensor> parts =
      qkv.view({qkv.size(0), qkv.size(1), qkv.size(2), 3, mask.heads, qkv.size(3) / 3 / mask.heads})
          .unbind(3);
  const at::Tensor angles = angles_of(mask);
  const auto by_head = [&](const at::Tensor& x) { return x.to(qkv.scalar_type()).transpose(2, 3); };
  return {by_head(rotated(parts[0], angles)), by_head(rotated(parts[1], angles)),
          by_head(parts[2])};
}

at::Tensor lost_by_distance(const at::Tensor& slopes, const at::Tensor& positions,
                            const at::Tensor& keys) {
  const at::Tensor apart = (positions.unsqueeze(-1) - keys.unsqueeze(-2)).abs().unsqueeze(2);
  return apart.to(slopes.scalar_type()) * slopes.view({-1, 1, 1});
}

AttentionMask with_seen(AttentionMask mask) {
  const std::int64_t time = mask.visible_from.size(2);
  mask.seen = seen_of(mask.visible_from, mask.visible_until, time);
  if (mask.also_from.defined())
    mask.seen = mask.seen.logical_or(seen_of(mask.also_from, mask.also_until, time));
  if (mask.slopes.defined())
    mask.lost = lost_by_distance(mask.slopes, mask.positions, mask.positions);
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
  const bool by_distance = mask.slopes.defined();
  if (mask.visibility != train::Visibility::general && !by_distance) return mask;
  const AttentionMask whole = with_seen(mask);
  const at::Tensor seen = whole.seen.flatten(0, 1);
  mask.blind = (mask.visible_until <= mask.visible_from).flatten(0, 1).unsqueeze(1).unsqueeze(-1);
  // A row of -inf would give NaN in some of the library's kernels. Such a row sees everything here,
  // and its output is set to zero afterwards.
  const at::Tensor hidden = seen.logical_or(mask.blind).logical_not();
  const at::Tensor shown = by_distance ? whole.lost.flatten(0, 1).neg().to(type)
                                       : at::zeros(hidden.sizes(), seen.options().dtype(type));
  mask.bias = shown.masked_fill(hidden, -std::numeric_limits<double>::infinity());
  return mask;
}

at::Tensor plain_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionMask& mask) {
  const at::Tensor unseen = ~mask.seen;
  // A finite score for unseen keys, so that a row that sees nothing gives zeros instead of NaN.
  at::Tensor scores = at::matmul(q, k.transpose(-1, -2)) / std::sqrt(q.size(-1));
  if (mask.lost.defined()) scores = scores - mask.lost;
  const at::Tensor probabilities =
      scores.masked_fill(unseen, -1e30).softmax(-1).masked_fill(unseen, 0);
  return at::matmul(probabilities.to(v.scalar_type()), v);
}

at::Tensor with_room(const at::Tensor& kept, std::vector<std::int64_t> sizes, std::int64_t unit,
                     std::int64_t end, const at::TensorOptions& options) {
  const std::int64_t room = kept.defined() ? kept.size(3) : 0;
  const std::int64_t wanted = (end + unit - 1) / unit;
  if (room >= wanted) return kept;
  sizes[3] = std::max(wanted, 2 * room);
  at::Tensor larger = at::zeros(sizes, options);
  if (room > 0) larger.narrow(3, 0, room).copy_(kept);
  return larger;
}

at::Tensor Operations::attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                                      const AttentionStep& step,
                                      std::vector<at::Tensor>& kept) const {
  const std::int64_t lanes = qkv.size(0), batch = qkv.size(1), time = qkv.size(2);
  const AttentionHeads heads = heads_of(qkv, mask);
  const auto of_groups = [&](const at::Tensor& x) { return x.slice(2, 0, mask.heads, step.group); };
  const at::Tensor own[] = {of_groups(heads.keys), of_groups(heads.values)};
  const at::Tensor index = step.places.view({1, batch, 1, time, 1}).expand_as(own[0]);
  if (kept.empty()) kept.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    kept[i] = with_room(kept[i], own[i].sizes().vec(), 1, step.end, qkv.options());
    kept[i].scatter_(3, index, own[i]);
  }
  if (mask.slopes.defined()) {  // the keys' positions, which are whole numbers below 2^24
    const at::Tensor positions = mask.positions.to(at::kFloat).reshape({lanes, batch, 1, time, 1});
    kept.resize(3);
    kept[2] = with_room(kept[2], positions.sizes().vec(), 1, step.end, positions.options());
    kept[2].scatter_(3, step.places.view({1, batch, 1, time, 1}).expand_as(positions), positions);
  }
  if (step.first) return attention(qkv, prepared(mask, qkv.scalar_type()));
  AttentionMask seen = with_source(mask.visible_from, mask.visible_until, step.end, mask.heads);
  if (mask.slopes.defined())
    seen.lost =
        lost_by_distance(mask.slopes, mask.positions, kept[2].narrow(3, 0, step.end).flatten(2));
  const auto of_heads = [&](const at::Tensor& x) {
    const at::Tensor read = x.narrow(3, 0, step.end);
    return step.group == 1 ? read : read.repeat_interleave(step.group, 2);
  };
  return plain_attention(heads.queries, of_heads(kept[0]), of_heads(kept[1]), seen)
      .transpose(2, 3)
      .reshape({lanes, batch, time, qkv.size(3) / 3})
      .to(qkv.scalar_type());
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
