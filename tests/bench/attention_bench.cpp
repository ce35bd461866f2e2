// Attention by visibility. Floor: its products alone by at::bmm, over the whole square whatever is
// visible; GFLOP/s count the same. `causal.alibi` also lowers the scores by distance.

#include <fmt/core.h>

#include "tests/bench/operation.h"

namespace ablate::bench {
namespace {

models::AttentionMask mask_of(const Size& size, const Scoring& scoring) {
  const std::vector<std::int64_t> sizes = {1, size.batch, size.context};
  const at::Tensor positions = at::arange(size.context, at::kLong).expand(sizes).contiguous();
  return {positions, at::zeros_like(positions),
          scoring.causal ? positions.add(1) : at::full_like(positions, size.context), at::Tensor(),
          size.heads};
}

void add_attention(const Size& size, const Scoring& scoring, bool by_distance,
                   at::ScalarType type) {
  const double flops =
      4.0 * static_cast<double>(size.batch * size.context * size.context * size.width);
  const auto operand = [=] {
    const at::Tensor qkv = wave({1, size.batch, size.context, 3 * size.width}, type);
    models::AttentionMask mask = mask_of(size, scoring);
    if (by_distance) mask.slopes = at::full({size.heads}, 0.0625, at::kFloat);
    return Operand{{qkv}, [=](const models::Operations& op) {
                     return std::vector<at::Tensor>{op.attention(qkv, op.prepared(mask, type))};
                   }};
  };
  add({fmt::format("attention/{}.{}{}", size.name, scoring.causal ? "causal" : "bidirectional",
                   by_distance ? ".alibi" : ""),
       type,
       {.flops = flops},
       {.flops = 2 * flops},
       operand,
       [=] { return attention_products(size, type, true); },
       [=] { return attention_products(size, type, false); }});
}

const bool added_attention = [] {
  for (const Size& size : kTableSizes)
    for (const Scoring& scoring : kScorings)
      for (const at::ScalarType type : kPrecisions)
        for (const bool by_distance : {false, true})
          if (scoring.causal || !by_distance) add_attention(size, scoring, by_distance, type);
  return true;
}();

}  // namespace
}  // namespace ablate::bench
