// The gated delta rule, in ATen.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// What the recurrence reads of some rows.
struct DeltaRows {
  at::Tensor reads;   // [lane, batch, time, heads, key width]
  at::Tensor keys;    // the same, of length at most 1
  at::Tensor values;  // [lane, batch, time, heads, value width]
  at::Tensor decays;  // [lane, batch, time, heads]: log of what a state is multiplied by, at most 0
  at::Tensor rates;   // the same: how much of a value is written, in [0, 1]
  at::Tensor from;    // as in StateSpaceRows
};

/// The outputs of the recurrence, [lane, batch, time, heads, value width]: with state S_j, reset to 0 at
/// the first position of a document,
///
///   S_i = exp(decays_i) (1 - rates_i keys_i keys_i^T) S_(i-1) + rates_i keys_i values_i^T
///   y_i = reads_i^T S_i
///
/// so that what a key held is replaced by its value, not added to. `state` [lane, batch, heads, key width,
/// value width] is that before the first position, undefined where there is none, and is left as that
/// after the last one. Rows are read in chunks of 64 positions; within one, what each position writes
/// beyond what its key held solves a triangular system. No sum contains anything of another document.
/// Differentiable. Source: Yang et al. 2024, "Gated Delta Networks", arXiv:2412.06464, section 3; the
/// chunks: Yang et al. 2024, arXiv:2406.06484, section 3.2.
at::Tensor delta_rule_scan(const DeltaRows& rows, at::Tensor& state);

}  // namespace ablate::models
