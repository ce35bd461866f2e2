// AdamW for a bank: learning rate, clipping and every other setting by lane.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "harness/contract/params.h"
#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_device.h"
#include "harness/train/optimizer/adamw_kernel.h"

namespace ablate::train {

/// The settings of one lane.
struct AdamWSettings {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  double clip = 1;  // largest norm of a lane's gradient; 0 clips nothing
};

/// The settings of a resolved "train" section.
AdamWSettings adamw_settings_of(const Params& train);

/// Source: Loshchilov & Hutter 2019, arXiv:1711.05101, algorithm 2; decay multiplied by the
/// learning rate, as everywhere in practice; clipping by the norm of all of a lane's gradient:
/// Pascanu et al. 2013, arXiv:1211.5063, algorithm 1.
class AdamW {
 public:
  /// `lanes`: the settings of each lane. `fused`: by loops of our own where the parameters are on
  /// the CPU; elsewhere, or if not, by tensor operations. Requires: parameters outlive this.
  AdamW(FlatParameters& parameters, std::vector<AdamWSettings> lanes, bool fused = true);

  /// One update of every lane whose learning rate is given (at least 0) and whose gradient is
  /// finite; the other lanes are not touched. `step`: updates made before, from 0. Sets the gradient
  /// to 0. Returns each lane's norm of the gradient before clipping, float64 [lane], on the device.
  at::Tensor step(std::int64_t step, const std::vector<double>& learning_rates);

  /// The same update in two parts, for a step that a device records once and repeats. What changes
  /// from step to step is written on the host: a table of kFactors rows, one entry for each lane.
  static constexpr std::int64_t kFactors = kFactorRows;
  void write_table(std::int64_t step, const std::vector<double>& learning_rates,
                   float* table) const;

  /// The other part: `table` is float32 [kFactors, lane], on the parameters' device. Nothing in it
  /// waits for the device. Requires: an optimizer that is not fused.
  at::Tensor step_by_table(const at::Tensor& table);

  /// The running mean of the gradient, as FlatParameters::values.
  const at::Tensor& mean() const { return mean_; }

  /// The running mean of its square, the same.
  const at::Tensor& square() const { return square_; }

 private:
  /// A run of elements of one lane and one parameter, short enough to share the work.
  struct Chunk {
    std::int64_t first, size, lane;
    bool decayed;
  };

  at::Tensor step_fused(const std::vector<AdamWFactors>& factors,
                        const std::vector<double>& learning_rates);
  std::vector<AdamWFactors> factors(std::int64_t step,
                                    const std::vector<double>& learning_rates) const;

  FlatParameters& parameters_;
  bool fused_;
  std::vector<AdamWSettings> lanes_;
  at::Tensor mean_, square_;
  std::vector<Chunk> chunks_;
  ElementIndex index_;  // undefined where fused
};

}  // namespace ablate::train
