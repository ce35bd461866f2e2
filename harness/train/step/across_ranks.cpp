#include "harness/train/step/across_ranks.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>

#include <vector>

namespace ablate::train {

bool add_across(Ranks& ranks, const at::Tensor& gradient, Totals& totals, bool stop) {
  const bool asked = ranks.leads() && stop;
  std::vector<at::Tensor> rows = {totals.losses.cpu(),
                                  at::full({1, totals.losses.size(1)}, asked ? 1.0 : 0.0)};
  if (totals.facts.defined()) rows.push_back(totals.facts.cpu());
  const at::Tensor small =
      at::cat(rows);  // beside the gradient: each exchange takes its time to begin
  ranks.sum({gradient, small});
  const std::int64_t heads = totals.losses.size(0);
  totals.losses.copy_(small.narrow(0, 0, heads));
  if (totals.facts.defined()) totals.facts.copy_(small.narrow(0, heads + 1, totals.facts.size(0)));
  return small[heads][0].item<float>() > 0;
}

}  // namespace ablate::train
