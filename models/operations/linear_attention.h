// Linear attention with per-position visibility, in ATen.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ablate::models {

struct AttentionMask;

/// Linear attention over `qkv` [lane, batch, time, 3 * width], as Operations::linear_attention says:
/// position i gets
///
///     sum over visible j of (phi(q_i) . phi(k_j)) v_j  /  (sum of phi(q_i) . phi(k_j) + 1e-6)
///
/// with phi(x) = elu(x) + 1, by head. Rotary positions turn phi(q) and phi(k) in the numerator alone, so
/// that the denominator stays positive.
///
/// Rows in which positions see their document up to themselves, or all of it, are read in chunks of 64
/// positions, with the sums over what lies before and behind a chunk as states, so that the cost grows
/// with the length of a row, not with its square; no sum contains anything of another document. All
/// other rows are read as one chunk, quadratic like attention. Which rows these are is read from the
/// visibility on the processor, lane by lane, so that a lane's bits do not depend on the others; on a
/// device, where that would wait for it, from AttentionMask::visibility alone.
///
/// Sums are float32 (or float64, if `qkv` is). Source: Katharopoulos et al. 2020, "Transformers are
/// RNNs", arXiv:2006.16236, sections 3.2 to 3.4; with rotary positions: Su et al. 2021, "RoFormer",
/// arXiv:2104.09864, section 3.3, equation 19. The 1e-6 is that of the first paper's code.
at::Tensor linear_attention(const at::Tensor& qkv, const AttentionMask& mask);

/// What a step of decoding continues.
struct LinearAttentionStep {
  const at::Tensor& before;  // int64 [batch]: positions read before, by row
  const at::Tensor& read;    // bool [batch, time]: false at padding
};

/// The same for positions that follow those which `kept` is of: sums of products of keys and values [lane,
/// batch, heads, head_width, head_width], and of keys [lane, batch, 1, heads, head_width]; empty before the
/// first step. Leaves those that include this step there. The mask's visibility is counted from the first
/// position of a row. Requires: no position sees a later one.
at::Tensor linear_attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                                 const LinearAttentionStep& step, std::vector<at::Tensor>& kept);

}  // namespace ablate::models
