#include "models/heads/losses/shaped_losses.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "models/operations/lane_products.h"
#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Of the logits of a part of the targets, in float32; three tensors of this size exist at once.
constexpr std::int64_t kPartBytes = 64 << 20;

/// Lower bound of 1 - q: where q is 1, a power of it below 1 has an infinite slope.
constexpr double kMinMiss = 1e-12;

/// Of each lane: x [lane, rows, in] times weight [lane, out, in] transposed.
at::Tensor forward_product(const at::Tensor& x, const at::Tensor& weight) {
  return x.is_cpu() ? times_transposed(x, weight) : at::bmm(x, weight.transpose(1, 2));
}

/// [lane, rows, out] times weight [lane, out, in].
at::Tensor backward_product(const at::Tensor& of_products, const at::Tensor& weight) {
  return of_products.is_cpu() ? times(of_products, weight) : at::bmm(of_products, weight);
}

/// [lane, rows, out] transposed, times x [lane, rows, in].
at::Tensor table_product(const at::Tensor& of_products, const at::Tensor& x) {
  return of_products.is_cpu() ? transposed_times(of_products, x)
                              : at::bmm(of_products.transpose(1, 2), x);
}

/// The plain loss of each target [lane, scored], and the gradient of the shaped one by the logits.
struct Costs {
  at::Tensor plain;      // [lane, scored]
  at::Tensor of_logits;  // [lane, scored, vocabulary]; in the memory of the logits
};

/// With q the softmax and L = -log q[y], the shaped loss is a function of L but for smoothing and z: its
/// gradient is that function's slope times (q - 1 at y). Requires: float32 logits, which are overwritten.
Costs costs_of(const TrainingLoss& loss, const at::Tensor& logits, const at::Tensor& ids) {
  const at::Tensor target = ids.unsqueeze(-1);
  const at::Tensor log_sum = logits.logsumexp(-1);
  logits.sub_(log_sum.unsqueeze(-1));
  const at::Tensor plain = -logits.gather(-1, target).squeeze(-1);
  at::Tensor slope = at::ones_like(plain);
  if (loss.focal > 0) {
    const at::Tensor miss = (-(-plain).expm1()).clamp_min(kMinMiss);
    slope = miss.pow(loss.focal) + loss.focal * miss.pow(loss.focal - 1) * (-plain).exp() * plain;
  }
  if (loss.entropy_weight > 0)
    slope = (1 - (logits.exp() * logits).sum(-1)).pow(loss.entropy_weight);
  const at::Tensor of_all = loss.z > 0 ? slope + 2 * loss.z * log_sum : slope;
  logits.exp_().mul_(of_all.unsqueeze(-1));
  // Not scatter_add_(), whose sums have no order on a CUDA device; here each row has one target.
  const at::Tensor own =
      logits.gather(-1, target) - slope.unsqueeze(-1) * (1 - loss.label_smoothing);
  logits.scatter_(-1, target, own);
  if (loss.label_smoothing > 0)
    logits.sub_(loss.label_smoothing / static_cast<double>(logits.size(-1)));
  return {plain, logits};
}

/// Losses [lane], and the gradients of their sum.
struct Scored {
  at::Tensor losses;
  at::Tensor of_states;  // [lane, scored, width], in the type of the products
  at::Tensor of_table;   // float32 [lane, vocabulary, width]
};

/// `states` [lane, scored, width] and `table` [lane, vocabulary, width], in the type of the products.
Scored score(const TrainingLoss& loss, const at::Tensor& states, const at::Tensor& table,
             double scale, const BankTargets& targets) {
  const std::int64_t scored = states.size(1), row = states.size(0) * table.size(1) * 4;
  const std::int64_t part = std::max<std::int64_t>(1, kPartBytes / row);
  Scored made{at::zeros({states.size(0)}, targets.weights.options()), at::empty_like(states),
              at::zeros(table.sizes(), targets.weights.options())};
  for (std::int64_t first = 0; first < scored; first += part) {
    const std::int64_t count = std::min(part, scored - first);
    const at::Tensor own = states.narrow(1, first, count).contiguous();
    const at::Tensor weights = targets.weights.narrow(1, first, count);
    const Costs costs =
        costs_of(loss, forward_product(own, table).to(at::kFloat, false, true).mul_(scale),
                 targets.ids.narrow(1, first, count));
    made.losses.add_((costs.plain * weights).sum(-1));
    const at::Tensor of_products =
        costs.of_logits.mul_(weights.unsqueeze(-1)).mul_(scale).to(table.scalar_type());
    made.of_states.narrow(1, first, count).copy_(backward_product(of_products, table));
    made.of_table.add_(table_product(of_products, own));
  }
  return made;
}

struct Losses : torch::autograd::Function<Losses> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden,
                            const at::Tensor& master, const OutputHead& head,
                            const train::HeadTargets& targets) {
    const at::Tensor table = master.to(head.products), rows = hidden.flatten(1, 2);
    variable_list saved;
    at::Tensor losses =
        losses_by_lane(hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& own) {
          const std::int64_t lanes = own.ids.size(0);
          const at::Tensor states = lane_rows(rows.narrow(0, first, lanes), own.positions);
          const Scored made = score(targets.front().loss, states.to(head.products),
                                    table.narrow(0, first, lanes), head.scale, own);
          saved.insert(saved.end(), {own.positions, made.of_states, made.of_table});
          return made.losses;
        });
    context->save_for_backward(std::move(saved));
    context->saved_data["sizes"] = hidden.sizes().vec();
    return losses;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor factors = gradients[0].view({-1, 1, 1});
    const at::Tensor of_hidden =
        at::zeros(context->saved_data["sizes"].toIntVector(), factors.options());
    const at::Tensor rows = of_hidden.flatten(1, 2);
    variable_list of_tables;
    for (std::size_t i = 0, first = 0; i < saved.size(); i += 3) {
      const at::Tensor &positions = saved[i], &of_states = saved[i + 1], &of_table = saved[i + 2];
      const auto lane = static_cast<std::int64_t>(first);
      const at::Tensor own = rows.narrow(0, lane, positions.size(0)),
                       factor = factors.narrow(0, lane, positions.size(0));
      own.flatten(0, 1).index_add_(0, flat_positions(positions, rows.size(1)),
                                   (of_states * factor).flatten(0, 1));
      of_tables.push_back(of_table * factor);
      first += static_cast<std::size_t>(positions.size(0));
    }
    variable_list all(4);
    all[0] = of_hidden;
    all[1] = at::cat(of_tables);
    return all;
  }
};

}  // namespace

at::Tensor shaped_losses(const at::Tensor& hidden, const OutputHead& head,
                         const train::HeadTargets& targets) {
  return Losses::apply(hidden.contiguous(), head.table, head, targets);
}

}  // namespace ablate::models
