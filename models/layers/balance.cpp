#include "models/layers/balance.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The identity, whose gradient has a term added. That of a sum over `x * term` in the loss.
struct WithGradient : torch::autograd::Function<WithGradient> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& term) {
    context->save_for_backward({term});
    return x.view_as(x);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const at::Tensor term = context->get_saved_variables()[0];
    return {gradients[0].defined() ? gradients[0] + term : term, {}};
  }
};

/// The first place that each place sees, as a place of the lane, [lane, batch * time]; of one that sees nothing,
/// itself.
at::Tensor documents(const train::Inputs& inputs) {
  const at::Tensor& from = inputs.visible_from;
  const std::int64_t time = from.size(2);
  const at::Tensor own = at::arange(time, from.options()).expand_as(from);
  at::Tensor first = from.where(from.lt(inputs.visible_until), own);
  if (inputs.also_from.defined())
    first = first.minimum(inputs.also_from.where(inputs.also_from.lt(inputs.also_until), own));
  const at::Tensor rows = at::arange(from.size(1), from.options()).mul(time).view({1, -1, 1});
  return (first + rows).flatten(1);
}

/// The sum of `x` [lane, place, column] over the places of each document, at its first place.
at::Tensor sums(const at::Tensor& x, const at::Tensor& documents) {
  const at::Tensor rows = flat_positions(documents, x.size(1));
  return at::zeros_like(x.flatten(0, 1)).index_add_(0, rows, x.flatten(0, 1)).view(x.sizes());
}

}  // namespace

at::Tensor balanced(const at::Tensor& shares, const at::Tensor& chosen, const train::Inputs& inputs,
                    double coefficient) {
  const std::int64_t experts = shares.size(2);
  const at::Tensor first = documents(inputs);
  const at::Tensor counts =
      at::zeros_like(shares.detach()).scatter_(2, chosen, 1);  // distinct choices, so 1 is a count
  const at::Tensor of_places = at::cat({counts, inputs.target_weights.flatten(1).unsqueeze(-1),
                                        at::ones_like(counts.narrow(2, 0, 1))},
                                       2);
  const std::vector<at::Tensor> of_documents =
      sums(of_places, first).split_with_sizes({experts, 1, 1}, 2);
  const at::Tensor &used = of_documents[0], &weights = of_documents[1], &sizes = of_documents[2];
  const double even = static_cast<double>(experts) / static_cast<double>(chosen.size(2));
  const at::Tensor terms = used * (weights * (coefficient * even) / sizes.square().clamp_min(1));
  return WithGradient::apply(shares, lane_rows(terms, first));
}

at::Tensor weights_of_source(const train::Inputs& inputs, std::int64_t time) {
  const at::Tensor &weights = inputs.target_weights, &from = inputs.source.seen_from;
  const at::Tensor seeing = weights * from.lt(inputs.source.seen_until);
  return at::zeros({weights.size(0), weights.size(1), time}, weights.options())
      .scatter_add_(2, from.clamp_max(time - 1), seeing);
}

at::Tensor target_weights(const train::Inputs& inputs,
                          const std::vector<train::HeadTargets>& targets,
                          const at::Tensor& scales) {
  const at::Tensor sum = at::zeros(inputs.tokens.sizes(), scales.options());
  const at::Tensor rows = sum.flatten(1);
  for (std::size_t head = 0; head < targets.size(); ++head)
    for (std::size_t lane = 0; lane < targets[head].size(); ++lane) {
      const train::LaneTargets& own = targets[head][lane];
      const auto index = static_cast<std::int64_t>(lane);
      const at::Tensor scale = scales.select(0, static_cast<std::int64_t>(head)).select(0, index);
      rows.select(0, index).index_add_(0, own.positions, own.weights * scale);
    }
  return sum;
}

}  // namespace ablate::models
