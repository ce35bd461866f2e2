// AdamW for a bank: learning rate, clipping and every other setting by lane.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "harness/contract/param.h"
#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_kernel.h"

namespace ablate::train {

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
/// learning rate, as everywhere in practice; clipping by the norm of a lane's whole gradient:
/// Pascanu et al. 2013, arXiv:1211.5063, algorithm 1.
class AdamW {
 public:
  /// `lanes`: the settings of each lane. `fused`: by loops of our own where the parameters are on
  /// the CPU; elsewhere, or if not, by tensor operations. Requires: parameters outlive this.
  AdamW(FlatParameters& parameters, std::vector<AdamWSettings> lanes, bool fused = true);

  /// One update of every lane whose rate is given (at least 0) and whose gradient is finite; the
  /// other lanes are not touched. `step`: updates made before, from 0. Sets the gradient to 0.
  /// Returns each lane's norm of the gradient before clipping, float64 [lane], on the device.
  at::Tensor step(std::int64_t step, const std::vector<double>& rates);

  /// The same update in two halves, for a step that a device records once and repeats: what changes
  /// from step to step is a table of kFactors rows, one entry a lane, written on the host.
  static constexpr std::int64_t kFactors = 8;
  void write_table(std::int64_t step, const std::vector<double>& rates, float* table) const;

  /// The other half: `table` is float32 [kFactors, lane], where the parameters are. Nothing in it
  /// waits for the device.
  at::Tensor step_by_table(const at::Tensor& table);

  const at::Tensor& mean() const { return mean_; }  // of the gradient, as FlatParameters::values
  const at::Tensor& square() const { return square_; }  // of its square, the same

 private:
  /// A run of elements of one lane and one parameter, short enough to share the work.
  struct Chunk {
    std::int64_t first, size, lane;
    bool decayed;
  };

  at::Tensor step_fused(const std::vector<AdamWFactors>& factors, const std::vector<double>& rates);
  std::vector<AdamWFactors> factors(std::int64_t step, const std::vector<double>& rates) const;
  void index_elements();

  FlatParameters& parameters_;
  bool fused_;
  std::vector<AdamWSettings> lanes_;
  at::Tensor mean_, square_;
  std::vector<Chunk> chunks_;
  at::Tensor lane_of_;  // int64 [lanes * lane size]: whose an element is; if not fused
  at::Tensor by_lane_;  // int64 [lanes * lane size]: the elements lane by lane; the same
  at::Tensor decayed_;  // float32 [lanes * lane size]: 1 where decay applies; the same
};

}  // namespace ablate::train
