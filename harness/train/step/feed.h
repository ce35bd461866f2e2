// Converts the batches of a bank's lanes to tensors: what they read, and their targets.

#pragma once

#include <span>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"
#include "harness/train/step/targets.h"

namespace ablate::train {

/// The attention pattern of all rows of all lanes: causal or full where every position follows it,
/// padding included; otherwise general.
Visibility visibility_of(std::span<const data::Batch> lanes);

/// The batches of all lanes as one input, on the device. Throws std::logic_error where rows or time
/// differ.
Inputs to_inputs(std::span<const data::Batch> lanes, const std::string& device);

/// Which of the fields that not every batch has are among the tensors of some lanes.
struct Fields {
  bool intervals = false;  // Batch::also_from and also_until
  bool inner = false;      // Batch::inner
};

/// The inputs and targets of one step, on the host, in few tensors and hence few copies to a
/// device.
struct Packed {
  at::Tensor inputs;  // int64 [tensor, lane, rows, time], in the order of each_tensor()
  at::Tensor source;  // int64 [tensor, lane, rows, source time]; undefined where there is none
  Fields fields;

  std::vector<PackedTargets> heads;
  Visibility visibility = Visibility::general;
};

/// Packs the batches of all lanes. The targets of head h are padded to scored[h] with targets of
/// weight 0. `pinned`: in page-locked memory, which a CUDA device copies asynchronously. Throws
/// std::logic_error where rows or time differ, or where a lane has more targets.
Packed pack(std::span<const data::Batch> lanes, const std::vector<std::int64_t>& scored,
            bool pinned);

/// The tensors of Packed as inputs, without copying.
Inputs unpacked(const at::Tensor& inputs, const at::Tensor& source, Visibility visibility,
                const Fields& fields = {});

}  // namespace ablate::train
