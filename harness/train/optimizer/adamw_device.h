// AdamW's update by tensor operations over the complete bank, for devices: the number of kernel
// launches does not depend on the model, and what differs by lane is a column [lane, 1].

#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_kernel.h"

namespace ablate::train {

/// Rows of a table of factors; it has one column for each lane.
constexpr std::int64_t kFactorRows = 7;

/// Writes the factors of one update to `table`, [kFactorRows, lane]. `clips`: the largest norm of
/// each lane's gradient; 0 clips nothing. A lane with a negative learning rate is not updated.
void write_factors(std::span<const AdamWFactors> factors, std::span<const double> clips,
                   std::span<const double> learning_rates, float* table);

/// The factors of an update that changes nothing, on `device`: as a column of a table, without the
/// rows that say whether to update. Waits for the device.
at::Tensor neutral_factors(at::Device device);

/// Updates values and moments by a table of write_factors(), float32 on their device, and sets the
/// gradient to 0. `mean` and `square`: the moments, as FlatParameters::values. Moves 96 bytes of
/// memory an element. Never waits for the device. Returns the norm of each lane's gradient before
/// clipping, float64 [lane].
at::Tensor update_by_table(const FlatParameters& parameters, const at::Tensor& neutral,
                           const at::Tensor& mean, const at::Tensor& square,
                           const at::Tensor& table);

}  // namespace ablate::train
