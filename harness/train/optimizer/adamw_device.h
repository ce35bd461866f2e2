// AdamW's update on a device. Two kernels whatever the model and the number of lanes, and what
// differs by lane is read from a table, so that a step can be recorded once and repeated.

#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_kernel.h"
#include "harness/train/optimizer/factors.h"

namespace ablate::train {

/// Writes the factors of one update to `table`, [kFactorRows, lane]. `clips`: the largest norm of
/// each lane's gradient; 0 clips nothing. A lane with a negative learning rate is not updated.
void write_factors(std::span<const AdamWFactors> factors, std::span<const double> clips,
                   std::span<const double> learning_rates, float* table);

/// Updates values and moments by a table of write_factors(), float32 on their device, and sets the
/// gradient to 0. `mean` and `square`: the moments, as FlatParameters::values. Moves 36 bytes of
/// memory an element. Never waits for the device. Returns the norm of each lane's gradient before
/// clipping, float64 [lane].
at::Tensor update_by_table(const FlatParameters& parameters, const at::Tensor& mean,
                           const at::Tensor& square, const at::Tensor& table);

}  // namespace ablate::train
