// AdamW's update by tensor operations over the complete bank, for devices: the number of kernel
// launches does not depend on the model.

#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_kernel.h"

namespace ablate::train {

/// The lane that each element of a flat buffer belongs to: [lanes * lane size], on its device.
struct ElementIndex {
  at::Tensor lane_of;  // int64: the lane of an element
  at::Tensor by_lane;  // int64: the elements lane by lane, in their order
  at::Tensor decayed;  // float32: 1 where weight decay applies, else 0
};

/// Builds the index of the parameters' elements, on their device.
ElementIndex index_elements(const FlatParameters& parameters);

/// Rows of a table of factors; it has one column for each lane.
constexpr std::int64_t kFactorRows = 8;

/// Writes the factors of one update to `table`, [kFactorRows, lane]. `clips`: the largest norm of
/// each lane's gradient; 0 clips nothing. A lane with a negative learning rate is not updated.
void write_factors(std::span<const AdamWFactors> factors, std::span<const double> clips,
                   std::span<const double> learning_rates, float* table);

/// Updates values and moments by a table of write_factors(), float32 on their device, and sets the
/// gradient to 0. `mean` and `square`: the moments, as FlatParameters::values. Never waits for the
/// device. Returns the norm of each lane's gradient before clipping, float64 [lane].
at::Tensor update_by_table(const FlatParameters& parameters, const ElementIndex& index,
                           const at::Tensor& mean, const at::Tensor& square,
                           const at::Tensor& table);

}  // namespace ablate::train
