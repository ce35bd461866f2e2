// AdamW's update on a device.

#include "harness/train/optimizer/adamw_device.h"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>

#include <limits>
#include <stdexcept>

#include "harness/train/optimizer/adamw_cuda.h"

namespace ablate::train {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

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
        moves ? -own.epsilon / own.step_size : -kInfinity,
        moves ? -own.unbiased / own.step_size : 0,
        static_cast<float>(clips[lane]),
        learning_rates[lane] < 0 ? 0.0f : 1.0f,
    };
    for (std::size_t row = 0; row < kFactorRows; ++row) table[row * lanes + lane] = column[row];
  }
}

at::Tensor update_by_table(const FlatParameters& parameters, const at::Tensor& mean,
                           const at::Tensor& square, const at::Tensor& table) {
  // With CUDA the kernels are the device's, which must not read the processor's memory.
  if (at::hasCUDA() && mean.device().is_cpu())
    throw std::logic_error(
        "update: the kernels are of a CUDA device, the parameters are in the "
        "processor's memory; train on 'cpu' or on 'cuda:0'");
  const std::int64_t lanes = parameters.lanes(), size = parameters.lane_size();
  const at::TensorOptions options = mean.options().dtype(at::kDouble);
  const at::Tensor parts = at::empty({lanes, norm_parts(size)}, options);
  at::Tensor norms = at::empty({lanes}, options);
  update_on_device(
      {lanes, size, parameters.decayed_size(), parameters.values().data_ptr<float>(),
       parameters.gradient().data_ptr<float>(), mean.data_ptr<float>(), square.data_ptr<float>(),
       table.data_ptr<float>(), parts.data_ptr<double>(), norms.data_ptr<double>()},
      current_stream());
  return norms;
}

}  // namespace ablate::train
