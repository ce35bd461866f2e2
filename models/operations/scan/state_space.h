// A state-space layer whose decay each position sets, in ATen: the recurrence and the short convolution
// before it.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// What the recurrence reads of some rows.
struct StateSpaceRows {
  at::Tensor units;   // [lane, batch, time, heads, head_width]
  at::Tensor steps;   // [lane, batch, time, heads]: at least 0
  at::Tensor rates;   // [lane, heads]: of decay, at most 0
  at::Tensor skip;    // [lane, heads]: of the units themselves
  at::Tensor writes;  // [lane, batch, time, state]
  at::Tensor reads;   // [lane, batch, time, state]
  at::Tensor from;  // int64 [lane, batch, time]: the first position of a document; ascending. Less
                    // than 0: the document reaches back into what was read before
};

/// The outputs of the recurrence, [lane, batch, time, heads, head_width]: with state h_j, reset to 0 at the first
/// position of a document,
///
///   h_i = exp(steps_i rates) h_(i-1) + steps_i writes_i units_i^T     y_i = reads_i^T h_i + skip units_i
///
/// `state` [lane, batch, heads, state, head_width] is that before the first position, undefined where
/// there is none, and is left as that after the last one. Rows are read in chunks of 64 positions, so that
/// the cost grows with their length, not with its square; no sum contains anything of another document.
/// Differentiable. Source: Dao and Gu 2024, "Transformers are SSMs", arXiv:2405.21060, section 6.
at::Tensor state_space_scan(const StateSpaceRows& rows, at::Tensor& state);

/// A convolution of each channel over the last positions of its document.
struct ShortConvolution {
  at::Tensor weight;  // [lane, channels, taps]; the last tap is the position itself
  at::Tensor bias;    // [lane, channels]
};

/// Of `channels` [lane, batch, time, channels] with `from` as above. `before` [lane, batch, taps - 1, channels] is
/// what was read before the first position; undefined: nothing. Differentiable.
at::Tensor convolved(const at::Tensor& channels, const ShortConvolution& convolution,
                     const at::Tensor& from, const at::Tensor& before);

}  // namespace ablate::models
