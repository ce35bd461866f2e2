// AdamW's update by tensor operations.

#include "harness/train/optimizer/adamw_device.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>

#include <algorithm>

namespace ablate::train {
namespace {

enum Row : std::int64_t { beta1, beta2, epsilon, step_size, unbiased, decay, clip, updated };
static_assert(updated + 1 == kFactorRows);

}  // namespace

ElementIndex index_elements(const FlatParameters& parameters) {
  const at::Tensor& values = parameters.values();
  const at::Tensor lane_of = at::empty({values.numel()}, at::kLong);
  const at::Tensor decayed = at::empty({values.numel()}, at::kFloat);
  for (const FlatParameters::Piece& piece : parameters.pieces())
    for (std::int64_t lane = 0; lane < parameters.lanes(); ++lane) {
      const std::int64_t first = piece.first + lane * piece.size;
      std::fill_n(lane_of.data_ptr<std::int64_t>() + first, piece.size, lane);
      std::fill_n(decayed.data_ptr<float>() + first, piece.size, piece.decayed ? 1.0f : 0.0f);
    }
  return {lane_of.to(values.device()),
          lane_of.argsort(/*stable=*/true, 0, false).to(values.device()),
          decayed.to(values.device())};
}

void write_factors(std::span<const AdamWFactors> factors, std::span<const double> clips,
                   std::span<const double> learning_rates, float* table) {
  const std::size_t lanes = factors.size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const AdamWFactors& own = factors[lane];
    const float column[kFactorRows] = {own.beta1,
                                       own.beta2,
                                       own.epsilon,
                                       own.step_size,
                                       own.unbiased,
                                       own.decay,
                                       static_cast<float>(clips[lane]),
                                       learning_rates[lane] < 0 ? 0.0f : 1.0f};
    for (std::size_t row = 0; row < kFactorRows; ++row) table[row * lanes + lane] = column[row];
  }
}

at::Tensor update_by_table(const FlatParameters& parameters, const ElementIndex& index,
                           const at::Tensor& mean, const at::Tensor& square,
                           const at::Tensor& table) {
  const at::Tensor& gradient = parameters.gradient();
  const std::int64_t lanes = parameters.lanes();
  const at::Tensor norms = gradient.to(at::kDouble)
                               .square()
                               .index_select(0, index.by_lane)
                               .view({lanes, parameters.lane_size()})
                               .sum(1)
                               .sqrt();
  const at::Tensor largest = table[clip];
  const at::Tensor scale =
      at::where(largest > 0, (largest / norms).clamp_max(1.0), at::ones_like(norms)).to(at::kFloat);
  const at::Tensor alive = (table[updated] > 0).logical_and(norms.isfinite());

  const auto spread = [&](const at::Tensor& by_lane) {  // one value for each element
    return lanes == 1 ? by_lane : by_lane.index_select(0, index.lane_of);
  };
  const at::Tensor first = spread(table[beta1]), second = spread(table[beta2]);
  const at::Tensor changes = spread(alive);
  const at::Tensor g = gradient * spread(scale);
  const at::Tensor m = first * mean + (1 - first) * g;
  const at::Tensor v = second * square + (1 - second) * g * g;
  const at::Tensor down =
      spread(table[step_size]) * m / (v.sqrt() * spread(table[unbiased]) + spread(table[epsilon]));
  const at::Tensor kept = 1 - spread(table[decay]) * index.decayed;
  const at::Tensor& values = parameters.values();
  values.copy_(at::where(changes, kept * values - down, values));
  mean.copy_(at::where(changes, m, mean));
  square.copy_(at::where(changes, v, square));
  gradient.zero_();
  return norms;
}

}  // namespace ablate::train
