#include "models/layers/mixing/step_rows.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace ablate::models {

StepRows::StepRows(const AttentionMask& mask, const DecodingStep& step, std::int64_t lanes) {
  const auto of_lanes = [&](const at::Tensor& x) { return x.unsqueeze(0).expand({lanes, -1, -1}); };
  const at::Tensor read = of_lanes(step.read);
  counts = read.sum({2}, true);
  const at::Tensor own = mask.visible_from - of_lanes(step.before.unsqueeze(1));
  // Where nothing is read, all that was read before stays.
  const at::Tensor last = own.gather(2, (counts - 1).clamp_min(0)).masked_fill(counts == 0, -1);
  from = at::where(read, own, last);
  blind = read.logical_not();
}

at::Tensor StepRows::latest(const at::Tensor& before, const at::Tensor& own) const {
  const at::Tensor ends = counts + at::arange(before.size(2), counts.options());
  return at::cat({before, own}, 2).gather(2, ends.unsqueeze(-1).expand({-1, -1, -1, own.size(3)}));
}

}  // namespace ablate::models
