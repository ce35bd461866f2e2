// The head for pairs of segments: a class of each pair, from the state of one place.
//
// Source: Devlin et al. 2019, "BERT", arXiv:1810.04805, section 3.1, with the layer of its code.

#include "models/heads/pair.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>

#include "models/heads/head.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {

at::Tensor pair_logits(const at::Tensor& hidden, const at::Tensor& pool, const at::Tensor& classes,
                       std::int64_t first, const at::Tensor& positions) {
  const std::int64_t lanes = positions.size(0);
  if (lanes == 1) {
    const at::Tensor states = chosen(hidden, first, positions.select(0, 0));
    const at::Tensor pooled = at::tanh(at::mm(states, pool.select(0, first).t()));
    return at::mm(pooled, classes.select(0, first).t()).unsqueeze(0);
  }
  const at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
  const auto of_lanes = [&](const at::Tensor& weight) {
    return weight.narrow(0, first, lanes).transpose(1, 2);
  };
  return at::bmm(at::tanh(at::bmm(states, of_lanes(pool))), of_lanes(classes));
}

namespace {

class PairHead final : public Head {
 public:
  using Head::Head;

  void finish(const Output& output) override {
    Head::finish(output);
    Parameters& parameters = bank().parameters;
    const std::int64_t width = shape().width;
    pool_ = parameters.add_matrix("pair_pool", width, width);
    classes_ = parameters.add("pair", {2, width}, {.deviation = kHeadDeviation});
  }

  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) const override {
    return of_lanes(hidden, lane, positions.unsqueeze(0)).select(0, 0);
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(
        hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& some) {
          const at::Tensor logits = of_lanes(hidden, first, some.positions);
          const at::Tensor each = at::nll_loss(logits.flatten(0, 1).log_softmax(-1),
                                               some.ids.flatten(), {}, at::Reduction::None);
          return (each.view(some.weights.sizes()) * some.weights).sum(-1);
        });
  }

 private:
  /// The logits at positions [lanes, chosen] of the lanes from `first` on.
  at::Tensor of_lanes(const at::Tensor& hidden, std::int64_t first,
                      const at::Tensor& positions) const {
    const Parameters& parameters = bank().parameters;
    return pair_logits(hidden, parameters.value(pool_), parameters.value(classes_), first,
                       positions);
  }

  std::size_t pool_ = 0, classes_ = 0;
};

}  // namespace

std::unique_ptr<Head> build_pair_head(const HeadSite& site) {
  return std::make_unique<PairHead>(site);
}

}  // namespace ablate::models
