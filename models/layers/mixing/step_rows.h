// What a recurrence reads in a step of decoding.

#pragma once

#include "models/layers/pass.h"

namespace ablate::models {

/// The rows of a step, whose places are counted from the first one of the step; all [lane, batch, ...].
struct StepRows {
  at::Tensor from;   // int64 [.., time]: the first place of a document; below 0: it was read before
  at::Tensor blind;  // [.., time]: true at padding, which is of the document of the last place read
  at::Tensor counts;  // int64 [.., 1]: places that are read

  StepRows(const AttentionMask& mask, const DecodingStep& step, std::int64_t lanes);

  /// The last `before.size(2)` places of those that were kept and those of `own` that are read, both
  /// [lane, batch, places, channels]: what a convolution reads in the next step.
  at::Tensor latest(const at::Tensor& before, const at::Tensor& own) const;
};

}  // namespace ablate::models
