// AdamW where there is no loop of ours: whole-bank tensor operations, a fixed number of launches
// whatever the model's depth.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>

#include "harness/train/optimizer/adamw.h"

namespace ablate::train {

void AdamW::write_table(std::int64_t step, const std::vector<double>& rates, float* table) const {
  const std::vector<AdamWFactors> all = factors(step, rates);
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    const AdamWFactors& f = all[lane];
    const float column[kFactors] = {f.beta1,
                                    f.beta2,
                                    f.epsilon,
                                    f.rate,
                                    f.unbiased,
                                    f.decay,
                                    static_cast<float>(lanes_[lane].clip),
                                    rates[lane] < 0 ? 0.0f : 1.0f};
    for (std::size_t k = 0; k < kFactors; ++k) table[k * all.size() + lane] = column[k];
  }
}

at::Tensor AdamW::step_by_table(const at::Tensor& given) {
  const at::Tensor& gradient = parameters_.gradient();
  const std::int64_t lanes = parameters_.lanes();
  const at::Tensor norms = gradient.to(at::kDouble)
                               .square()
                               .index_select(0, by_lane_)
                               .view({lanes, parameters_.lane_size()})
                               .sum(1)
                               .sqrt();
  const at::Tensor clip = given[6];
  const at::Tensor scale =
      at::where(clip > 0, (clip / norms).clamp_max(1.0), at::ones_like(norms)).to(at::kFloat);
  const at::Tensor alive = (given[7] > 0).logical_and(norms.isfinite());

  const auto spread = [this](const at::Tensor& by_lane) {  // one value per element
    return parameters_.lanes() == 1 ? by_lane : by_lane.index_select(0, lane_of_);
  };
  const at::Tensor beta1 = spread(given[0]), beta2 = spread(given[1]);
  const at::Tensor updated = spread(alive);
  const at::Tensor g = gradient * spread(scale);
  const at::Tensor m = beta1 * mean_ + (1 - beta1) * g;
  const at::Tensor v = beta2 * square_ + (1 - beta2) * g * g;
  const at::Tensor down = spread(given[3]) * m / (v.sqrt() * spread(given[4]) + spread(given[2]));
  const at::Tensor kept = 1 - spread(given[5]) * decayed_;
  const at::Tensor& values = parameters_.values();
  values.copy_(at::where(updated, kept * values - down, values));
  mean_.copy_(at::where(updated, m, mean_));
  square_.copy_(at::where(updated, v, square_));
  gradient.zero_();
  return norms;
}

}  // namespace ablate::train
