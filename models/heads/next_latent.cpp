// The head that predicts the states of later places: what a state will be once it has read the next token.
//
// With h the state after the final norm and e the embedding of a token, three layers f and the true tokens x,
//
//   g_1 = h_t + f(h_t, e(x_{t+1})),   g_i = g_{i-1} + f(g_{i-1}, e(x_{t+i}))
//
// The loss of a place is the mean over steps of smooth L1(h_{t+i}, g_i), a mean over the width, and of the
// divergence KL(p(h_{t+i}) || p(g_i)) of what both predict. The goals h_{t+i} and the table that predicts have no gradient:
// else all states could become one.
//
// Source: Teoh et al. 2025, "Next-Latent Prediction Transformers Learn Compact World Models", arXiv:2511.05963,
// section 3.2 and appendix C.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <fmt/core.h>

#include <array>

#include "models/heads/head.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

class NextLatentHead final : public Head {
 public:
  explicit NextLatentHead(const HeadSite& site)
      : Head(site),
        steps_(site.params.integer("steps")),
        of_states_(site.params.number("state_weight")),
        of_predictions_(site.params.number("prediction_weight")) {
    const std::int64_t width = site.shape.width;
    Parameters& parameters = site.bank.parameters;
    const std::string name =
        fmt::format("next_latent.{}.", site.number);  // phases may have several
    gain_ = parameters.add_gain(name + "norm", 2 * width);
    layers_[0] = parameters.add_matrix(name + "layer.0", width, 2 * width);
    layers_[1] = parameters.add_matrix(name + "layer.1", width, width);
    layers_[2] = parameters.add_matrix(name + "layer.2", width, width);
  }

  /// The state and, behind it, the prediction of each step: hidden is [lane, batch, time, (1 + steps) * width].
  HeadState state(const at::Tensor& from, const train::Inputs& inputs) const override {
    const HeadState own = Head::state(from, inputs);
    std::vector<at::Tensor> all = {own.hidden};
    for (std::int64_t step = 1; step <= steps_; ++step)
      all.push_back(all.back() + moved(all.back(), later(inputs.tokens, step)));
    return {own.stream, at::cat(all, -1)};
  }

  at::Tensor losses(const at::Tensor& hidden, const train::HeadTargets& targets) const override {
    return losses_by_lane(hidden.is_cpu(), targets,
                          [&](std::int64_t first, const BankTargets& some) {
                            return (distances(hidden, first, some).loss * some.weights).sum(-1);
                          });
  }

  /// A prediction is right if its first choice of a token, one step on, is that of the state itself.
  train::TargetCosts costs(const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) const override {
    const Distances found = distances(hidden, lane, stacked({targets}));
    return {found.loss.select(0, 0).to(at::kDouble), found.agree.select(0, 0)};
  }

  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                    const at::Tensor& positions) const override {
    const at::Tensor states = rows_of(hidden, lane, positions.unsqueeze(0), 1);
    return output().frozen_logits(states, lane).select(0, 0);
  }

 private:
  struct Distances {
    at::Tensor loss;   // [lanes, chosen]
    at::Tensor agree;  // bool [lanes, chosen]
  };

  /// What f makes of states and the ids of tokens at their places.
  at::Tensor moved(const at::Tensor& states, const at::Tensor& tokens) const {
    const Parameters& parameters = bank().parameters;
    const at::Tensor read =
        bank().operations->embed(parameters.value(embeddings().token_table()), tokens);
    at::Tensor x = at::cat({states, read.to(states.scalar_type())}, -1);
    x = at::layer_norm(x, {x.size(-1)}) * parameters.value(gain_).unsqueeze(1).unsqueeze(1);
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      if (layer > 0) x = at::gelu(x);
      x = bank()
              .operations->linear(x.to(bank().type), parameters.matrix(layers_[layer]))
              .to(states.scalar_type());
    }
    return x;
  }

  /// Part number `part` of the hidden rows at positions [lanes, chosen] of the lanes from `first` on: [lanes,
  /// chosen, width].
  at::Tensor rows_of(const at::Tensor& hidden, std::int64_t first, const at::Tensor& positions,
                     std::int64_t part) const {
    const std::int64_t width = shape().width;
    return lane_rows(
        hidden.narrow(0, first, positions.size(0)).narrow(-1, part * width, width).flatten(1, 2),
        positions);
  }

  /// A target says how many steps stay within the document. Places of weight 0 fill a list up.
  Distances distances(const at::Tensor& hidden, std::int64_t first,
                      const BankTargets& targets) const {
    const std::int64_t last = hidden.size(1) * hidden.size(2) - 1;
    at::Tensor sum, agree;
    for (std::int64_t step = 1; step <= steps_; ++step) {
      const at::Tensor goal =
          rows_of(hidden.detach(), first, (targets.positions + step).clamp_max(last), 0);
      const at::Tensor found = rows_of(hidden, first, targets.positions, step);
      const at::Tensor wanted = output().frozen_logits(goal, first).log_softmax(-1);
      const at::Tensor given = output().frozen_logits(found, first).log_softmax(-1);
      const at::Tensor apart =
          of_states_ * at::smooth_l1_loss(found, goal, at::Reduction::None).mean(-1) +
          of_predictions_ * (wanted.exp() * (wanted - given)).sum(-1);
      const at::Tensor part = apart * targets.ids.ge(step);
      sum = step == 1 ? part : sum + part;
      if (step == 1) agree = wanted.argmax(-1).eq(given.argmax(-1));
    }
    return {sum / targets.ids.clamp_min(1), agree};
  }

  std::int64_t steps_;
  double of_states_, of_predictions_;
  std::size_t gain_ = 0;
  std::array<std::size_t, 3> layers_ = {};
};

}  // namespace

std::unique_ptr<Head> build_next_latent_head(const HeadSite& site) {
  return std::make_unique<NextLatentHead>(site);
}

}  // namespace ablate::models
