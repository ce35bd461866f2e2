// The generalised delta rule, in ATen.

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// What the recurrence reads of some rows; all but `from` [lane, batch, time, heads, key width] unless
/// stated otherwise.
struct GeneralisedDeltaRows {
  at::Tensor reads;
  at::Tensor keys;     // what is read of the state to be taken out of it
  at::Tensor removes;  // where that is taken out
  at::Tensor writes;
  at::Tensor values;  // [lane, batch, time, heads, value width]
  at::Tensor decays;  // log of what each row of a state is multiplied by, in [-e^(-1/2), 0]
  at::Tensor from;    // as in StateSpaceRows
};

/// The outputs of the recurrence, [lane, batch, time, heads, value width]: with state S_j, reset to 0 at
/// the first position of a document,
///
///   S_i = diag(exp(decays_i)) S_(i-1) - removes_i (keys_i^T S_(i-1)) + writes_i values_i^T
///   y_i = reads_i^T S_i
///
/// `state` [lane, batch, heads, key width, value width] is that before the first position, undefined where
/// there is none, and is left as that after the last one. Rows are read in chunks of 32 positions, in
/// which a decay to the first position and its inverse both fit into float32. No sum contains anything of
/// another document. Differentiable. Source: Peng et al. 2025, "RWKV-7 Goose", arXiv:2503.14456, section 4.1.
at::Tensor generalised_delta_scan(const GeneralisedDeltaRows& rows, at::Tensor& state);

}  // namespace ablate::models
