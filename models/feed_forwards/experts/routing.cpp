// Plain ATen; nothing is read back from a device.

#include "models/feed_forwards/experts/routing.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <bit>

#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kBlocksOfAnExpert = 8;  // about: the last one of each is half empty
constexpr std::uint64_t kFewestRows = 8, kMostRows = 128;

/// The rows of a block, a power of two: one where most experts read nothing.
std::int64_t rows_of_a_block(std::int64_t choices, std::int64_t experts) {
  if (choices <= experts) return 1;
  const auto even = static_cast<std::uint64_t>(choices / (kBlocksOfAnExpert * experts));
  return static_cast<std::int64_t>(std::clamp(std::bit_floor(even), kFewestRows, kMostRows));
}

/// The rows of `x` [lane, row, width] at `positions` [lane, place, chosen]: [lane, place, chosen, width].
at::Tensor rows_at(const at::Tensor& x, const at::Tensor& positions) {
  return lane_rows(x, positions.flatten(1))
      .view({positions.size(0), positions.size(1), positions.size(2), x.size(2)});
}

/// [lane * block, 1, row, width] as [lane, slot, width].
at::Tensor as_slots(const at::Tensor& blocks, std::int64_t lanes) {
  return blocks.contiguous().view({lanes, -1, blocks.size(3)});
}

at::Tensor as_blocks(const at::Tensor& slots, std::int64_t rows) {
  return slots.view({-1, 1, rows, slots.size(2)});
}

// A place has the same number of slots whatever is chosen, so both directions are reads.
struct Dispatch : torch::autograd::Function<Dispatch> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& slots,
                            const at::Tensor& places) {
    context->save_for_backward({slots});
    return lane_rows(x, places);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {rows_at(gradients[0], context->get_saved_variables()[0]).sum(2), {}, {}};
  }
};

struct Combine : torch::autograd::Function<Combine> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& y, const at::Tensor& gates,
                            const at::Tensor& slots, const at::Tensor& places) {
    context->save_for_backward({y, gates, slots, places});
    return (rows_at(y, slots) * gates.unsqueeze(-1)).sum(2).to(y.scalar_type());
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &y = saved[0], &gates = saved[1], &slots = saved[2], &places = saved[3];
    const at::Tensor& gradient = gradients[0];
    const at::Tensor of_gates =
        (rows_at(y, slots) * gradient.unsqueeze(2)).to(gates.scalar_type()).sum(-1);
    const at::Tensor of_slots =  // 0 where no place lies
        at::zeros(places.sizes(), gates.options()).scatter_(1, slots.flatten(1), gates.flatten(1));
    return {(lane_rows(gradient, places) * of_slots.unsqueeze(-1)).to(y.scalar_type()),
            of_gates,
            {},
            {}};
  }
};

struct Owned : torch::autograd::Function<Owned> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& weights,
                            const at::Tensor& rows) {
    context->saved_data["sizes"] = weights.sizes();
    context->save_for_backward({rows});
    return weights.flatten(0, 1).index_select(0, rows);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const std::vector<std::int64_t> sizes = context->saved_data["sizes"].toIntVector();
    const at::Tensor sum = at::zeros(sizes, gradients[0].options().dtype(at::kFloat));
    sum.flatten(0, 1).index_add_(0, context->get_saved_variables()[0], gradients[0].to(at::kFloat));
    return {sum, {}};
  }
};

}  // namespace

Routing routed(const at::Tensor& chosen, std::int64_t experts) {
  const at::Tensor choices = chosen.flatten(1);
  const std::int64_t count = choices.size(1);
  Routing routing;
  routing.rows = rows_of_a_block(count, experts);
  const std::int64_t blocks = (count + experts * (routing.rows - 1)) / routing.rows;
  // [lane, expert, choice]: along the last dimension, which devices sum in parallel.
  const at::Tensor all = at::arange(experts, choices.options()).unsqueeze(-1);
  const at::Tensor up_to = choices.unsqueeze(1).eq(all).to(at::kLong).cumsum(-1);
  const at::Tensor own = up_to.select(2, count - 1)
                             .add(routing.rows - 1)
                             .div(routing.rows, "floor");  // blocks of each expert
  const at::Tensor ends = own.cumsum(1);
  const at::Tensor within = up_to.gather(1, choices.unsqueeze(1)).squeeze(1) - 1;
  const at::Tensor slots = (ends - own).gather(1, choices) * routing.rows + within;
  const at::Tensor places =
      at::arange(count, choices.options()).div(chosen.size(2), "floor").expand_as(slots);
  routing.slots = slots.view(chosen.sizes());
  routing.places = at::zeros({choices.size(0), blocks * routing.rows}, choices.options())
                       .scatter_(1, slots, places);
  routing.owners = at::arange(blocks, choices.options())
                       .view({1, -1, 1})
                       .ge(ends.unsqueeze(1))
                       .sum(-1)
                       .clamp_max(experts - 1);
  return routing;
}

at::Tensor dispatched(const at::Tensor& x, const Routing& routing) {
  return as_blocks(Dispatch::apply(x, routing.slots, routing.places), routing.rows);
}

at::Tensor combined(const at::Tensor& y, const at::Tensor& gates, const Routing& routing) {
  return Combine::apply(as_slots(y, gates.size(0)), gates, routing.slots, routing.places);
}

at::Tensor weights_of_blocks(const at::Tensor& weights, const Routing& routing) {
  return Owned::apply(weights, flat_positions(routing.owners, weights.size(1)));
}

}  // namespace ablate::models
