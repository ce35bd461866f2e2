// Watching one lane's loss: the mean between points of the curve, spikes, divergence.

#pragma once

#include <cstdint>
#include <string>

#include "harness/base/json/json.h"
#include "harness/contract/loss.h"

namespace ablate::train {

/// All that is remembered of a lane's losses, in a few numbers, so that it can be stored.
///
/// A spike is a step whose loss exceeds the running mean by 6 robust standard deviations. Mean and
/// mean absolute deviation are forgotten exponentially over 50 steps; a deviation counts for at
/// most 3 times their mean, so that a spike does not hide the next one; the standard deviation is
/// sqrt(pi / 2) mean absolute deviations, as of a normal law, and no less than a thousandth of the
/// mean. The first 50 steps flag nothing.
///
/// A lane has diverged when a loss or a gradient is not finite, or when the mean loss of 50 steps
/// in succession after warm-up exceeds 1.05 of the first step's.
class Monitor {
 public:
  /// Adds a step's loss. `warm`: warm-up is over.
  void add(const Loss& loss, double gradient_norm, bool warm);

  /// Another phase begins: what was usual is forgotten, so that neither its first loss is a spike
  /// nor its warm-up a divergence; what it may not exceed is the larger of the phases' first
  /// losses.
  void begin_phase();

  /// Why the lane has diverged, or nothing.
  const std::string& divergence() const { return divergence_; }

  /// The losses since the last call, their largest gradient norm and whether one spiked; forgets
  /// them.
  struct Stretch {
    Loss loss;
    double gradient_norm = 0;
    bool spike = false;
  };
  Stretch take();

  /// Mean loss of the first step, nats per target.
  double initial() const { return initial_; }

  /// What take() would return, and everything else, as JSON and back. Requires: not diverged.
  Json json() const;
  static Monitor from_json(const Json& json);

 private:
  bool spiked(double loss);
  void judge(double loss, bool warm);

  Stretch stretch_;
  std::int64_t seen_ = 0;          // steps
  std::int64_t judged_ = 0;        // those of them that scored something
  std::int64_t phase_judged_ = 0;  // those of the present phase
  double initial_ = 0;
  double mean_ = 0;       // running
  double deviation_ = 0;  // running, mean absolute
  double block_ = 0;      // sum of the losses of the present 50 steps after warm-up
  std::int64_t block_steps_ = 0;
  std::string divergence_;
};

}  // namespace ablate::train
