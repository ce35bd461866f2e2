// AdamW's update by tensor operations.

#include "harness/train/optimizer/adamw_device.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <array>
#include <limits>

namespace ablate::train {
namespace {

// The last two say whether a lane is updated. The value moves by
// mean / (to_root * root + to_epsilon), where root is that of the mean square: dividing both by the
// negative step size saves a pass over memory.
enum Row : std::int64_t { fresh1, fresh2, kept, to_epsilon, to_root, clip, updated };
static_assert(updated + 1 == kFactorRows);

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::array<float, clip> kNeutral = {0, 0, 1, -kInfinity, 0};

}  // namespace

void write_factors(std::span<const AdamWFactors> factors, std::span<const double> clips,
                   std::span<const double> learning_rates, float* table) {
  const std::size_t lanes = factors.size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const AdamWFactors& own = factors[lane];
    const bool moves = own.step_size > 0;
    const float column[kFactorRows] = {
        1 - own.beta1,
        1 - own.beta2,
        1 - own.decay,
        moves ? -own.epsilon / own.step_size : kNeutral[to_epsilon],
        moves ? -own.unbiased / own.step_size : kNeutral[to_root],
        static_cast<float>(clips[lane]),
        learning_rates[lane] < 0 ? 0.0f : 1.0f,
    };
    for (std::size_t row = 0; row < kFactorRows; ++row) table[row * lanes + lane] = column[row];
  }
}

at::Tensor neutral_factors(at::Device device) {
  return at::tensor(at::ArrayRef<float>(kNeutral)).unsqueeze(-1).to(device);
}

at::Tensor update_by_table(const FlatParameters& parameters, const at::Tensor& neutral,
                           const at::Tensor& mean, const at::Tensor& square,
                           const at::Tensor& table) {
  const at::Tensor& values = parameters.values();
  const at::Tensor& gradient = parameters.gradient();
  const at::Tensor norms = at::linalg_vector_norm(gradient, 2, {1});
  const at::Tensor alive = (table[updated] > 0).logical_and(norms.isfinite());
  const at::Tensor largest = table[clip];
  const at::Tensor scale =
      at::where(largest > 0, (largest / norms).clamp_max(1.0), at::ones_like(norms));
  // A lane that is not updated has neutral factors, and a gradient that is finite.
  const at::Tensor factors = at::where(alive, table.narrow(0, 0, clip), neutral).unsqueeze(-1);

  gradient.mul_(scale.unsqueeze(-1)).masked_fill_(alive.logical_not().unsqueeze(-1), 0);
  mean.lerp_(gradient, factors[fresh1]);
  square.lerp_(gradient.square(), factors[fresh2]);
  const at::Tensor down = at::addcmul(factors[to_epsilon], square.sqrt(), factors[to_root]);
  values.narrow(1, 0, parameters.decayed_size()).mul_(factors[kept]);
  values.addcdiv_(mean, down);
  gradient.zero_();
  return norms.to(at::kDouble);
}

}  // namespace ablate::train
