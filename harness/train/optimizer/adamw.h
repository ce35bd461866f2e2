// AdamW for a bank. Learning rate, clipping and all other settings are per lane.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "harness/contract/params.h"
#include "harness/train/network/flat.h"
#include "harness/train/optimizer/adamw_device.h"
#include "harness/train/optimizer/adamw_kernel.h"

namespace ablate::train {

/// AdamW's settings of one lane.
struct AdamWSettings {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  double clip = 1;  // largest norm of a lane's gradient; 0 clips nothing
};

/// The settings of a resolved "train" section.
AdamWSettings adamw_settings_of(const Params& train);

/// The optimizer of a bank. Source: Loshchilov & Hutter 2019, arXiv:1711.05101, algorithm 2. Weight
/// decay is multiplied by the learning rate, as in PyTorch. Each lane's gradient is clipped by its
/// norm: Pascanu et al. 2013, arXiv:1211.5063, algorithm 1.
class AdamW {
 public:
  /// `lanes`: the settings of each lane. `fused`: use the loops of adamw_kernel.h where the
  /// parameters are on the CPU; otherwise the kernels of adamw_cuda.h are. Requires: parameters
  /// outlive the optimizer.
  AdamW(FlatParameters& parameters, std::vector<AdamWSettings> lanes, bool fused = true);

  /// Updates every lane whose learning rate is at least 0 and whose gradient is finite; the other
  /// lanes do not change. `step`: the number of earlier updates, from 0. Sets the gradient to 0.
  /// Returns the norm of each lane's gradient before clipping, float64 [lane], on the device.
  at::Tensor step(std::int64_t step, const std::vector<double>& learning_rates);

  /// Rows of the table that write_table() fills.
  static constexpr std::int64_t kFactors = kFactorRows;

  /// The first of two parts of the same update, for a step that a device records once and repeats.
  /// Writes the factors that change from step to step to `table`, [kFactors, lane], on the host.
  void write_table(std::int64_t step, const std::vector<double>& learning_rates,
                   float* table) const;

  /// The second part: updates by `table`, float32 [kFactors, lane], on the parameters' device.
  /// Never waits for the device. Returns the norms, as step(). Requires: not fused.
  at::Tensor step_by_table(const at::Tensor& table);

  /// The gradient that the next step() reads, as FlatParameters::gradient.
  const at::Tensor& gradient() const { return parameters_.gradient(); }

  /// The running mean of the gradient, as FlatParameters::values.
  const at::Tensor& mean() const { return mean_; }

  /// The running mean of the squared gradient, as FlatParameters::values.
  const at::Tensor& square() const { return square_; }

 private:
  /// Consecutive elements of one lane and one parameter: the unit of parallel work.
  struct Chunk {
    std::int64_t first, size, lane;
    bool decayed;
    float rate;
  };

  /// Updates by the loops of adamw_kernel.h; returns the norms, as step().
  at::Tensor step_fused(const std::vector<AdamWFactors>& factors,
                        const std::vector<double>& learning_rates);

  /// Takes what is above a parameter's limit back to it, as CLIP does with its scale: arXiv:2103.00020,
  /// section 2.5. Not the gradient: a value at the limit may go down again.
  void hold_limits() const;

  /// The values of a parameter, [lane, size].
  at::Tensor values_of(const FlatParameters::Piece& piece) const;

  /// The factors of each lane's update, before clipping.
  std::vector<AdamWFactors> factors(std::int64_t step,
                                    const std::vector<double>& learning_rates) const;

  FlatParameters& parameters_;
  bool fused_;
  std::vector<AdamWSettings> lanes_;
  at::Tensor mean_, square_;
  std::vector<Chunk> chunks_;
};

}  // namespace ablate::train
