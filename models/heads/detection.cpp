// The head that tells replaced tokens from those of the text: one logit of each place, that its token
// was replaced, from a layer with GELU.
//
// Source: Clark et al. 2020, "ELECTRA", arXiv:2003.10555, section 2, with the layer of its code.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/heads/head.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

class DetectionHead final : public Head {
 public:
  using Head::Head;

  void finish(const Output& output) override {
    Head::finish(output);
    const std::int64_t width = shape().width;
    layer_ = bank().parameters.add_matrix("detection_layer", width, width);
    logit_ = bank().parameters.add("detection", {1, width}, {.deviation = kHeadDeviation});
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(hidden.is_cpu(), targets,
                          [&](std::int64_t first, const BankTargets& some) {
                            const at::Tensor logits = replaced(hidden, first, some.positions);
                            // -log sigmoid(logit) where the token was replaced, and of minus the logit where not.
                            const at::Tensor signs = 1 - 2 * some.ids.to(logits.scalar_type());
                            return (at::softplus(signs * logits) * some.weights).sum(-1);
                          });
  }

  train::HeadTargets of_filled(train::HeadTargets targets, const Filling& filling) const override {
    for (std::size_t lane = 0; lane < targets.size(); ++lane)
      targets[lane].targets = filling.replaced.select(0, static_cast<std::int64_t>(lane))
                                  .flatten()
                                  .index_select(0, targets[lane].positions);
    return targets;
  }

  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) const override {
    const at::Tensor one = replaced(hidden, lane, positions.unsqueeze(0)).select(0, 0);
    return at::stack({at::zeros_like(one), one}, -1);
  }

 private:
  /// The logits at positions [lanes, chosen] of the lanes from `first` on: [lanes, chosen].
  at::Tensor replaced(const at::Tensor& hidden, std::int64_t first,
                      const at::Tensor& positions) const {
    const std::int64_t lanes = positions.size(0);
    const auto of_lanes = [&](std::size_t weight) {
      return bank().parameters.value(weight).narrow(0, first, lanes).transpose(1, 2);
    };
    const at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
    return at::bmm(at::gelu(at::bmm(states, of_lanes(layer_))), of_lanes(logit_)).squeeze(-1);
  }

  std::size_t layer_ = 0, logit_ = 0;
};

}  // namespace

std::unique_ptr<Head> build_detection_head(const HeadSite& site) {
  return std::make_unique<DetectionHead>(site);
}

}  // namespace ablate::models
