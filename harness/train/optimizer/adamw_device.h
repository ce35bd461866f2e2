// The update of AdamW by tensor operations over the whole bank, where there is no loop of ours: a
// fixed number of launches whatever the model's depth.

#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_kernel.h"

namespace ablate::train {

/// Which lane each element of a flat buffer belongs to; [lanes * lane size], on its device.
struct ElementIndex {
  at::Tensor lane_of;  // int64: the lane of an element
  at::Tensor by_lane;  // int64: the elements lane by lane, in their order
  at::Tensor decayed;  // float32: 1 where weight decay applies, else 0
};

/// The index of the parameters' elements.
ElementIndex index_elements(const FlatParameters& parameters);

/// Rows of a table of factors, one column for each lane.
constexpr std::int64_t kFactorRows = 8;

/// Writes what one update multiplies by, [kFactorRows, lane]. `clips`: the largest norm of each
/// lane's gradient, 0 for any. A lane with a negative learning rate is not updated.
void write_factors(std::span<const AdamWFactors> factors, std::span<const double> clips,
                   std::span<const double> learning_rates, float* table);

/// One update of values and moments by such a table, float32 on their device; sets the gradient to
/// 0. `mean` and `square`: the moments, as FlatParameters::values. Nothing waits for the device.
/// Returns each lane's norm of the gradient before clipping, float64 [lane].
at::Tensor update_by_table(const FlatParameters& parameters, const ElementIndex& index,
                           const at::Tensor& mean, const at::Tensor& square,
                           const at::Tensor& table);

}  // namespace ablate::train
