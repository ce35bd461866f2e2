// The head of a window of tokens ahead, order aside: a table of its own on the last state.
//
// As many labels as the window has tokens are one target. Of a distribution over tokens they are its parts,
// and the loss is the cross-entropy. Of a summary they are a set, in which a token may stand several times, and
// the loss is the sum over the vocabulary of the binary cross-entropy of whether a token is in it.
//
// Sources: Zuhri et al. 2025, arXiv:2508.19228, section 3 (a linear head of its own); Mahajan et al. 2025,
// arXiv:2510.14751, section 3.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/core.h>

#include "harness/base/error.h"
#include "models/heads/head.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

/// The labels of several lanes by place, [lanes, places, labels] each.
struct Places {
  at::Tensor positions;  // [lanes, places]
  at::Tensor ids, weights;
};

class FutureWindowHead final : public Head {
 public:
  explicit FutureWindowHead(const HeadSite& site)
      : Head(site),
        labels_(site.params.integer("window")),
        is_set_(site.params.text("of") == "summary"),
        name_(fmt::format("future_window.{}", site.number)) {}

  void finish(const Output& output) override {
    Head::finish(output);
    table_ = bank().parameters.add(name_, {shape().vocabulary, shape().width},
                                   {.deviation = kHeadDeviation});
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(
        hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& some) {
          const Places places = by_place(some);
          const at::Tensor logits = of_lanes(hidden, first, places.positions);
          return (is_set_ ? of_sets(logits, places) : of_distributions(logits, places)).sum(-1);
        });
  }

  /// Of a set, every label costs what the whole set does; of a distribution, its own token.
  train::TargetCosts costs(const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) const override {
    if (!is_set_) return Head::costs(hidden, lane, targets);
    Places places = by_place(stacked({targets}));
    const at::Tensor logits = of_lanes(hidden, lane, places.positions).to(at::kDouble);
    places.weights = at::ones_like(places.weights).div_(labels_).to(at::kDouble);
    const at::Tensor costs = of_sets(logits, places).select(0, 0);
    return {costs.repeat_interleave(labels_), at::zeros_like(targets.targets).to(at::kBool)};
  }

  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) const override {
    return of_lanes(hidden, lane, positions.unsqueeze(0)).select(0, 0);
  }

 private:
  /// The labels by place. Lists that are filled up end with labels of weight 0, which make a last place.
  Places by_place(const BankTargets& targets) const {
    const std::int64_t count = targets.ids.size(1);
    const std::int64_t places = (count + labels_ - 1) / labels_;
    const auto grouped = [&](const at::Tensor& list) {
      const at::Tensor whole = at::constant_pad_nd(list, {0, places * labels_ - count});
      return whole.view({list.size(0), places, labels_});
    };
    return {grouped(targets.positions).select(-1, 0), grouped(targets.ids),
            grouped(targets.weights)};
  }

  /// Logits [lanes, places, vocabulary] of the lanes from `first` on.
  at::Tensor of_lanes(const at::Tensor& hidden, std::int64_t first,
                      const at::Tensor& positions) const {
    const std::int64_t lanes = positions.size(0);
    const at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
    const at::Tensor table = bank().parameters.value(table_).narrow(0, first, lanes);
    return at::bmm(states, table.transpose(1, 2));
  }

  /// Calls `take` for each number of a label with where it stands in the vocabulary, [lanes, places,
  /// vocabulary], and its weight, [lanes, places, 1].
  template <class Take>
  void each_label(const at::Tensor& logits, const Places& places, const Take& take) const {
    const at::Tensor vocabulary = at::arange(logits.size(-1), places.ids.options());
    for (std::int64_t label = 0; label < labels_; ++label)
      take(places.ids.select(-1, label).unsqueeze(-1) == vocabulary,
           places.weights.select(-1, label).unsqueeze(-1));
  }

  /// [lanes, places].
  at::Tensor of_distributions(const at::Tensor& logits, const Places& places) const {
    at::Tensor target = at::zeros_like(logits.detach());
    each_label(logits, places, [&](const at::Tensor& there, const at::Tensor& weight) {
      target += there * weight;
    });
    return (logits.log_softmax(-1) * target).sum(-1).neg();
  }

  /// [lanes, places]. The weight of a place is that of its labels together.
  at::Tensor of_sets(const at::Tensor& logits, const Places& places) const {
    at::Tensor is_in = at::zeros_like(logits.detach(), at::kBool);
    each_label(logits, places, [&](const at::Tensor& there, const at::Tensor& weight) {
      is_in |= there & (weight > 0);
    });
    const at::Tensor costs = at::softplus(logits) - logits * is_in;
    return costs.sum(-1) * places.weights.sum(-1);
  }

  std::int64_t labels_;  // of a place
  bool is_set_;
  std::string name_;  // phases may have several
  std::size_t table_ = 0;
};

}  // namespace

std::unique_ptr<Head> build_future_window_head(const HeadSite& site) {
  return std::make_unique<FutureWindowHead>(site);
}

}  // namespace ablate::models
