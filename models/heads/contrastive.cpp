// The head that compares states: which of a step's places belongs to a place.
//
// The logit of two places is the cosine of their states, after a projection that both share, divided
// by the temperature, or times a learned scale that begins there and stays at most 100. The classes of a
// place are the partners of all places of its lane and step.
//
//   directions  one    a place among the partners of all
//               both   also a partner among the places of all; the mean of the two losses
//               all    the same among the places and the partners of all, except itself (NT-Xent)
//   hard negatives     a third state for each pair, as far behind the partner as that is behind the
//                      place: a further class for every place
//
// With the loss "sigmoid" each place and each partner are a pair of their own, whose label is whether they
// belong together: the logit gains a learned bias, and the loss of a place is that of all of its pairs.
//
// Sources: Gao et al. 2021, "SimCSE", arXiv:2104.08821, section 3 (one direction, and hard negatives
// with the weight of their footnote 8); Radford et al. 2021, "CLIP", arXiv:2103.00020, figure 3 (both) and
// section 2.5 (the scale); Zhai et al. 2023, "SigLIP", arXiv:2303.15343, section 3.2 and algorithm 1 (sigmoid);
// Chen et al. 2020, "SimCLR", arXiv:2002.05709, section 2.1 and algorithm 1 (all, and the projection of
// two layers). The loss is InfoNCE, van den Oord et al. 2018, arXiv:1807.03748, section 2.3.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <cmath>

#include "models/heads/head.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

constexpr double kShortest = 1e-8;  // length that a state is divided by, at least

// The logit of what cannot be. Not minus infinity, of which places that fill a list up would make a
// loss that no weight of 0 takes away.
constexpr double kNever = -1e30;

constexpr double kLargestScale = 100;
constexpr double kFirstBias = -10;  // SigLIP's: most pairs do not belong together

class ContrastiveHead final : public Head {
 public:
  explicit ContrastiveHead(const HeadSite& site)
      : Head(site),
        temperature_(site.params.number("temperature")),
        directions_(site.params.text("directions")),
        projection_(site.params.text("projection")) {
    if (site.params.has("hard_negative_weight"))
      hard_weight_ = site.params.number("hard_negative_weight");
    learns_scale_ = site.params.has("scale");
    sigmoid_ = site.params.has("loss");
  }

  void finish(const Output& output) override {
    Head::finish(output);
    const std::int64_t width = shape().width;
    if (projection_ == "two_layers")
      layers_.push_back(bank().parameters.add_matrix("contrastive_layer", width, width));
    if (projection_ != "none")
      layers_.push_back(bank().parameters.add_matrix("contrastive_pool", width, width));
    if (learns_scale_)
      scale_ = bank().parameters.add("contrastive_scale", {1},
                                     {.constant = -std::log(temperature_),
                                      .decayed = false,
                                      .at_most = std::log(kLargestScale)});
    if (sigmoid_)
      bias_ = bank().parameters.add("contrastive_bias", {1},
                                    {.constant = kFirstBias, .decayed = false});
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(
        hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& some) {
          const std::vector<at::Tensor> logits = compared(hidden, first, some);
          const at::Tensor costs = sigmoid_ ? of_pairs(logits.front()) : of_classes(logits);
          return (costs * some.weights).sum(-1);
        });
  }

  /// `right`: whether the partner is the first choice of the place.
  train::TargetCosts costs(const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) const override {
    const std::vector<at::Tensor> logits = compared(hidden, lane, stacked({targets}));
    const at::Tensor own = at::arange(targets.positions.size(0), targets.positions.options());
    train::TargetCosts costs = train::costs_under(logits.front().select(0, 0), own);
    if (sigmoid_) {
      costs.nats = of_pairs(logits.front().to(at::kDouble)).select(0, 0);
      return costs;
    }
    for (std::size_t i = 1; i < logits.size(); ++i)
      costs.nats += train::costs_under(logits[i].select(0, 0), own).nats;
    costs.nats /= static_cast<double>(logits.size());
    return costs;
  }

 private:
  /// The cost of each place's own class, the mean over the directions: [lanes, chosen].
  static at::Tensor of_classes(const std::vector<at::Tensor>& logits) {
    at::Tensor all;
    for (const at::Tensor& each : logits) {
      const at::Tensor costs = each.log_softmax(-1).diagonal(0, 1, 2).neg();
      all = all.defined() ? all + costs : costs;
    }
    return logits.size() > 1 ? all / static_cast<double>(logits.size()) : all;
  }

  /// The costs of the labels of each place's pairs, added up: [lanes, chosen]. Only its own partner
  /// belongs to a place: softplus(logit), and for that one softplus(-logit).
  static at::Tensor of_pairs(const at::Tensor& logits) {
    return at::softplus(logits).sum(-1) - logits.diagonal(0, 1, 2);
  }

  /// Cosines [lanes, ...] of the lanes from `first` on, as logits.
  at::Tensor scaled(const at::Tensor& cosines, std::int64_t first) const {
    const auto number = [&](std::size_t index) {
      return bank().parameters.value(index).narrow(0, first, cosines.size(0)).unsqueeze(-1);
    };
    const at::Tensor logits =
        learns_scale_ ? cosines * number(scale_).exp() : cosines / temperature_;
    return sigmoid_ ? logits + number(bias_) : logits;
  }

  /// The states at positions [lanes, chosen] of the lanes from `first` on, of length 1: [lanes,
  /// chosen, width].
  at::Tensor pooled(const at::Tensor& hidden, std::int64_t first,
                    const at::Tensor& positions) const {
    const std::int64_t lanes = positions.size(0);
    at::Tensor states = lane_rows(hidden.narrow(0, first, lanes).flatten(1, 2), positions);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (i > 0) states = at::relu(states);
      states = at::bmm(states,
                       bank().parameters.value(layers_[i]).narrow(0, first, lanes).transpose(1, 2));
    }
    if (projection_ == "tanh") states = at::tanh(states);
    return states / states.norm(2, {-1}, true).clamp_min(kShortest);
  }

  /// The logits [lanes, chosen, classes] of each direction. The class of a place is its own number, which
  /// is that of its partner; further classes follow. Places of weight 0 fill a lane's list up, and are no
  /// class.
  std::vector<at::Tensor> compared(const at::Tensor& hidden, std::int64_t first,
                                   const BankTargets& targets) const {
    const at::Tensor places = pooled(hidden, first, targets.positions),
                     partners = pooled(hidden, first, targets.ids);
    const at::Tensor filled = (targets.weights == 0).unsqueeze(1);
    const auto logits = [&](const at::Tensor& of, const at::Tensor& among) {
      return scaled(at::bmm(of, among.transpose(1, 2)), first).masked_fill(filled, kNever);
    };
    const auto own = [&] { return at::eye(places.size(1), places.options()); };
    const auto of_others = [&](const at::Tensor& of) {
      return logits(of, of).masked_fill(own().to(at::kBool), kNever);
    };
    const auto with = [](const at::Tensor& classes, const at::Tensor& further) {
      return at::cat({classes, further}, -1);
    };
    std::vector<at::Tensor> all = {logits(places, partners)};
    if (directions_ != "one") all.push_back(logits(partners, places));
    if (directions_ == "all")
      all = {with(all[0], of_others(places)), with(all[1], of_others(partners))};
    if (hard_weight_) {
      const at::Tensor behind = targets.ids + (targets.ids - targets.positions);
      // The list is filled up by places that are the partners of none; nothing stands behind these.
      const at::Tensor negatives =
          pooled(hidden, first, behind.clamp(0, hidden.size(1) * hidden.size(2) - 1));
      all[0] = with(all[0], logits(places, negatives) + *hard_weight_ * own());
    }
    return all;
  }

  double temperature_;
  std::string directions_, projection_;
  std::optional<double> hard_weight_;
  bool learns_scale_ = false, sigmoid_ = false;
  std::size_t scale_ = 0, bias_ = 0;  // where there are such
  std::vector<std::size_t> layers_;   // of the projection
};

}  // namespace

std::unique_ptr<Head> build_contrastive_head(const HeadSite& site) {
  return std::make_unique<ContrastiveHead>(site);
}

}  // namespace ablate::models
