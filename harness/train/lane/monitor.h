// Watches one lane's loss: the mean between points of the curve, spikes, divergence.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/json/json.h"
#include "harness/contract/loss.h"

namespace ablate::train {

/// Running statistics of a lane's losses: a few numbers, so that a checkpoint can store them.
///
/// A spike is a step whose loss exceeds the running mean by 6 robust standard deviations. The mean is
/// the lower of two exponential averages, over 10 and over 50 steps, so that it follows a falling loss.
/// The standard deviation is sqrt(pi) / 2 times the mean absolute difference between successive losses
/// (von Neumann 1941), as for independent normal losses, and at least a thousandth of the mean: the
/// fall at the start of training adds nearly nothing to it. What is far above the mean counts as 3
/// standard deviations, so that a spike does not hide the next one. In the first 20 steps of a phase
/// (store::kStepsBeforeSpikes) a spike must exceed 1.05 of the initial loss, too; the first 5 are none.
///
/// A lane has diverged when a loss or a gradient is not finite, or when the mean loss of 50 steps
/// in succession after warm-up exceeds the initial loss by more than a twentieth of it and more than
/// 4 standard deviations of a loss in the first 20 steps, since the first loss may have been low by
/// chance. A mean of more than 3 initial losses is divergence, however noisy the first steps.
class Monitor {
 public:
  /// Adds a step's loss and gradient norm. `warm`: warm-up is over. `scored`: it had a target; without
  /// one it has no loss, even where the loss is divided by the number of all tokens.
  void add(const Loss& loss, double gradient_norm, bool warm, bool scored = true);

  /// Starts the next phase. The running statistics are reset, so that its first loss is no spike
  /// and its warm-up no divergence. Divergence is judged by the larger of the phases' first losses.
  void begin_phase();

  /// Why the lane has diverged; empty where it has not.
  const std::string& divergence() const { return divergence_; }

  /// The loss of the last step, in nats per target, if it was a spike.
  std::optional<double> spike() const { return spike_; }

  /// The steps since the last call of take().
  struct Stretch {
    Loss loss;                 // sum over the steps
    double gradient_norm = 0;  // the largest of the steps
    bool spike = false;        // whether one of the losses was a spike
    bool scored = false;       // whether one of the steps had a target

    /// Nats per target; none where nothing was scored.
    std::optional<double> mean() const { return scored ? loss.mean() : std::nullopt; }
  };

  /// Returns the steps since the last call and starts a new stretch.
  Stretch take();

  /// Mean loss of the first step, in nats per target; the largest of the phases' first steps.
  double initial() const { return initial_; }

  /// The complete state as JSON. Requires: not diverged.
  Json json() const;

  /// Reads what json() returned.
  static Monitor from_json(const Json& json);

 private:
  /// Whether a mean loss is a spike; adds it to the running statistics.
  bool spiked(double loss);

  /// The largest mean of 50 losses after warm-up that is no divergence.
  double tolerated() const;

  /// Sets divergence_ where the mean of 50 losses after warm-up is too large.
  void judge(double loss, bool warm);

  Stretch stretch_;
  std::optional<double> spike_;
  std::int64_t seen_ = 0;          // steps
  std::int64_t judged_ = 0;        // steps that scored at least one target
  std::int64_t phase_judged_ = 0;  // the same, of the current phase
  double initial_ = 0;
  double noise_ = 0;      // standard deviation of a loss in the first steps; the phases' largest
  double mean_ = 0;       // of the losses, over 50 steps
  double fast_mean_ = 0;  // the same over 10 steps
  double change_ = 0;     // mean absolute difference between successive losses, over 50 steps
  double previous_ = 0;   // loss
  double block_ = 0;      // sum of the losses of the current 50 steps after warm-up
  std::int64_t block_steps_ = 0;
  std::string divergence_;
};

}  // namespace ablate::train
