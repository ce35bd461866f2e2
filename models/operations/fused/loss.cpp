// Embeddings and losses.

#include "models/operations/fused/loss.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/kernels/rows/cross_entropy.h"
#include "models/kernels/rows/rows.h"
#include "models/operations/kernel_memory.h"
#include "models/operations/lane_products.h"

namespace ablate::models::fused {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Embed : torch::autograd::Function<Embed> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& table,
                            const at::Tensor& ids) {
    const std::int64_t count = ids.size(1) * ids.size(2), rows = table.size(1),
                       width = table.size(2);
    const at::Tensor out =
        at::empty({ids.size(0), ids.size(1), ids.size(2), width}, table.options());
    for (std::int64_t lane = 0; lane < ids.size(0); ++lane)
      kernels::gather_rows(data<float>(table) + lane * table.stride(0),
                           data<std::int64_t>(ids) + lane * count, count, width,
                           data<float>(out) + lane * count * width);
    context->save_for_backward({ids});
    context->saved_data["rows"] = rows;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const at::Tensor ids = context->get_saved_variables()[0], gradient = gradients[0].contiguous();
    const std::int64_t rows = context->saved_data["rows"].toInt(), width = gradient.size(3);
    const std::int64_t count = ids.size(1) * ids.size(2);
    const at::Tensor of_table = at::zeros({ids.size(0), rows, width}, gradient.options());
    for (std::int64_t lane = 0; lane < ids.size(0); ++lane)
      kernels::scatter_rows(data<float>(gradient) + lane * count * width,
                            data<std::int64_t>(ids) + lane * count, count, width, 1,
                            data<float>(of_table) + lane * rows * width);
    return {of_table, at::Tensor()};
  }
};

// One lane's scored rows, their loss, and its gradient.
struct Scored {
  at::Tensor rows;      // [1, scored, width]
  at::Tensor gradient;  // with respect to the products rows * table, [1, scored, vocabulary]
  double cost = 0;      // nats
};

Scored score(const at::Tensor& hidden, const at::Tensor& table, const train::LaneTargets& targets,
             float scale) {
  const std::int64_t count = targets.positions.numel(), width = hidden.size(-1);
  Scored made;
  made.rows = at::empty({1, count, width}, table.options());
  by_type(table.scalar_type(), [&]<class T>(T) {
    kernels::gather_rows(data<float>(hidden), data<std::int64_t>(targets.positions), count, width,
                         data<T>(made.rows));
    made.gradient = times_transposed(made.rows, table);
    made.cost =
        kernels::cross_entropy({count, table.size(1), scale}, data<T>(made.gradient),
                               data<std::int64_t>(targets.targets), data<float>(targets.weights));
  });
  return made;
}

struct Losses : torch::autograd::Function<Losses> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden,
                            const at::Tensor& master, double scale, at::ScalarType type,
                            const std::vector<train::LaneTargets>& targets) {
    const at::Tensor table = master.to(type);
    const at::Tensor costs = at::empty({hidden.size(0)}, hidden.options());
    variable_list saved = {table};
    for (std::int64_t lane = 0; lane < hidden.size(0); ++lane) {
      const train::LaneTargets& own = targets[static_cast<std::size_t>(lane)];
      const Scored made =
          score(hidden.select(0, lane), table.narrow(0, lane, 1), own, static_cast<float>(scale));
      data<float>(costs)[lane] = static_cast<float>(made.cost);
      saved.insert(saved.end(), {own.positions, made.rows, made.gradient});
    }
    context->save_for_backward(std::move(saved));
    context->saved_data["sizes"] = hidden.sizes().vec();
    return costs;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor table = saved[0], of_costs = gradients[0].contiguous();
    const at::Tensor of_hidden =
        at::zeros(context->saved_data["sizes"].toIntVector(), of_costs.options());
    const at::Tensor of_table = at::empty(table.sizes(), of_costs.options());
    const std::int64_t width = table.size(2);
    for (std::int64_t lane = 0; lane < table.size(0); ++lane) {
      const at::Tensor* own = saved.data() + 1 + 3 * lane;  // positions, rows, gradient
      const float factor = data<float>(of_costs)[lane];
      const at::Tensor of_rows = times(own[2], table.narrow(0, lane, 1));
      by_type(table.scalar_type(), [&]<class T>(T) {
        kernels::scatter_rows(data<T>(of_rows), data<std::int64_t>(own[0]), own[0].numel(), width,
                              factor, data<float>(of_hidden.select(0, lane)));
      });
      of_table.select(0, lane).copy_(transposed_times(own[2], own[1]).select(0, 0)).mul_(factor);
    }
    variable_list all(5);
    all[0] = of_hidden;
    all[1] = of_table;
    return all;
  }
};

}  // namespace

at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) {
  const at::Tensor each = ids.contiguous();
  require_below(each, table.size(1), "id");
  return Embed::apply(table, each);
}

at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                  const std::vector<train::LaneTargets>& targets) {
  for (const train::LaneTargets& lane : targets) {
    if (!lane.positions.is_contiguous() || !lane.targets.is_contiguous() ||
        !lane.weights.is_contiguous())
      throw std::logic_error("kernels: targets are not contiguous");
    require_below(lane.positions, hidden.size(1) * hidden.size(2), "scored position");
    require_below(lane.targets, head.table.size(1), "target");
  }
  return Losses::apply(hidden.contiguous(), head.table, head.scale, head.products, targets);
}

}  // namespace ablate::models::fused
