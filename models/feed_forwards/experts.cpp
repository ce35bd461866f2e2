// A mixture of experts: a router chooses the dense layers that read a position, and their outputs are summed by
// the router's probabilities. Shared experts read every position.
//
// Source: Jiang et al. 2024, "Mixtral of Experts", arXiv:2401.04088, section 2.1 (the probabilities of the chosen
// ones sum to 1); of one chosen expert, its probability among all: Fedus et al. 2021, "Switch Transformers",
// arXiv:2101.03961, section 2.1. Shared experts: Dai et al. 2024, "DeepSeekMoE", arXiv:2401.06066, section 3.2.
// Differs: no expert is full, so nothing is dropped; experts are dense layers with GELU.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/feed_forwards/experts/routing.h"
#include "models/layers/balance.h"
#include "models/layers/layer.h"

namespace ablate::models {
namespace {

// Of the initial weights, as in Mixtral's published configuration.
constexpr double kRouterDeviation = 0.02;

class ExpertsFeedForward final : public FeedForward {
 public:
  ExpertsFeedForward(const LayerSite& site, std::int64_t hidden)
      : parameters_(site.parameters),
        experts_(site.shape.experts),
        chosen_(site.shape.experts_per_token),
        shared_(site.shape.shared_experts),
        balance_(site.shape.expert_balance) {
    const std::int64_t width = site.shape.width;
    Parameters& add = site.parameters;
    router_ = add.add(site.name + "router", {experts_, width}, {.deviation = kRouterDeviation});
    up_ = add.add_matrices(site.name + "experts_up", experts_, hidden, width);
    down_ =
        add.add_matrices(site.name + "experts_down", experts_, width, hidden, site.output_scale);
    if (shared_ == 0) return;
    shared_up_ = add.add_matrix(site.name + "shared_up", shared_ * hidden, width);
    shared_down_ =
        add.add_matrix(site.name + "shared_down", width, shared_ * hidden, site.output_scale);
  }

  at::Tensor fed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor rows = normed.flatten(1, 2);  // [lane, place, width]
    at::Tensor shares = op.linear(normed.to(at::kFloat), parameters_.value(router_))
                            .flatten(1, 2)
                            .softmax(-1);  // [lane, place, expert]
    const at::Tensor chosen = std::get<1>(shares.detach().topk(chosen_, -1));
    if (pass.routes != nullptr)
      pass.routes->push_back({chosen.unflatten(1, {normed.size(1), normed.size(2)}), experts_});
    if (pass.inputs.target_weights.defined())
      shares = balanced(shares, chosen, pass.inputs, balance_);
    at::Tensor gates = shares.gather(-1, chosen);
    if (chosen_ > 1) gates = gates / gates.sum(-1, true);
    const Routing routing = routed(chosen, experts_);
    const at::Tensor units =
        op.activated(dispatched(rows, routing), weights_of_blocks(parameters_.matrix(up_), routing),
                     Activation::gelu);
    const at::Tensor read = op.linear(units, weights_of_blocks(parameters_.matrix(down_), routing));
    const at::Tensor of_chosen = combined(read, gates, routing).view(normed.sizes());
    return shared_ == 0 ? of_chosen : of_chosen + of_shared(op, normed);
  }

 private:
  /// What the shared experts make of the positions, [lane, batch, time, width].
  at::Tensor of_shared(const Operations& op, const at::Tensor& normed) const {
    const at::Tensor units = op.activated(normed, parameters_.matrix(shared_up_), Activation::gelu);
    return op.linear(units, parameters_.matrix(shared_down_));
  }

  const Parameters& parameters_;
  std::int64_t experts_, chosen_, shared_;
  double balance_;
  std::size_t router_ = 0, up_ = 0, down_ = 0, shared_up_ = 0, shared_down_ = 0;
};

}  // namespace

std::unique_ptr<const FeedForward> build_experts_feed_forward(const LayerSite& site,
                                                              const FeedForwardSpec& spec) {
  return std::make_unique<ExpertsFeedForward>(site, spec.hidden(site.shape));
}

}  // namespace ablate::models
