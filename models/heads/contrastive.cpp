// The head that compares states: which of a step's places belongs to a place.
//
// The logit of two places is the cosine of their states, after a layer with tanh that both share,
// divided by the temperature. The classes of a place are the partners of all places of its lane and
// step. Source: Gao et al. 2021, "SimCSE", arXiv:2104.08821, section 3; the loss is InfoNCE, van den
// Oord et al. 2018, arXiv:1807.03748, section 2.3.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/heads/head.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

constexpr double kShortest = 1e-8;  // length that a state is divided by, at least

// The logit of what cannot be. Not minus infinity, of which places that fill a list up would make a
// loss that no weight of 0 takes away.
constexpr double kNever = -1e30;

class ContrastiveHead final : public Head {
 public:
  explicit ContrastiveHead(const HeadSite& site)
      : Head(site), temperature_(site.params.number("temperature")) {}

  void finish(const Output& output) override {
    Head::finish(output);
    const std::int64_t width = shape().width;
    pool_ = bank().parameters.add_matrix("contrastive_pool", width, width);
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(
        hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& some) {
          const at::Tensor each =
              compared(hidden, first, some).log_softmax(-1).diagonal(0, 1, 2).neg();
          return (each * some.weights).sum(-1);
        });
  }

  train::TargetCosts costs(const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) const override {
    const at::Tensor logits = compared(hidden, lane, stacked({targets})).select(0, 0);
    return train::costs_under(logits, at::arange(logits.size(0), targets.positions.options()));
  }

 private:
  /// The states at positions [lanes, chosen] of the lanes from `first` on, of length 1: [lanes,
  /// chosen, width].
  at::Tensor pooled(const at::Tensor& hidden, std::int64_t first,
                    const at::Tensor& positions) const {
    const std::int64_t lanes = positions.size(0);
    const at::Tensor weight =
        bank().parameters.value(pool_).narrow(0, first, lanes).transpose(1, 2);
    const at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
    const at::Tensor pooled = at::tanh(at::bmm(states, weight));
    return pooled / pooled.norm(2, {-1}, true).clamp_min(kShortest);
  }

  /// The logits [lanes, chosen, chosen] of each place with the partner of each. Places of weight 0
  /// fill a lane's list up, and are no partners.
  at::Tensor compared(const at::Tensor& hidden, std::int64_t first,
                      const BankTargets& targets) const {
    const at::Tensor cosines = at::bmm(pooled(hidden, first, targets.positions),
                                       pooled(hidden, first, targets.ids).transpose(1, 2));
    return (cosines / temperature_).masked_fill((targets.weights == 0).unsqueeze(1), kNever);
  }

  double temperature_;
  std::size_t pool_ = 0;
};

}  // namespace

std::unique_ptr<Head> build_contrastive_head(const HeadSite& site) {
  return std::make_unique<ContrastiveHead>(site);
}

}  // namespace ablate::models
