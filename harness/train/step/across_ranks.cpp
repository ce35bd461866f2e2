#include "harness/train/step/across_ranks.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <vector>

namespace ablate::train {

bool add_across(Ranks& ranks, const at::Tensor& gradient, std::int64_t facts, Totals& totals,
                bool stop) {
  const std::int64_t heads = totals.losses.size(0), lanes = totals.losses.size(1);
  if (facts > 0 && !totals.facts.defined())
    totals.facts = at::zeros({facts, lanes}, totals.losses.options());
  const bool asked = ranks.leads() && stop;
  std::vector<at::Tensor> rows = {totals.losses.cpu(), at::full({1, lanes}, asked ? 1.0 : 0.0)};
  if (facts > 0) rows.push_back(totals.facts.cpu());
  const at::Tensor small =
      at::cat(rows);  // beside the gradient: each exchange takes its time to begin
  ranks.sum({gradient, small});
  totals.losses.copy_(small.narrow(0, 0, heads));
  if (facts > 0) totals.facts.copy_(small.narrow(0, heads + 1, facts));
  return small[heads][0].item<float>() > 0;
}

}  // namespace ablate::train
