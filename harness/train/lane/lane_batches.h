// The batches that a lane reads, step after step, through all of its phases.

#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/data/batches/batches.h"
#include "harness/train/lane/budget.h"

namespace ablate::train {

/// The batch of the current step, what it costs, and the batch that is drawn for the next one.
class LaneBatches {
 public:
  /// A phase's batches by their step, counted from the phase.
  using Draw = std::function<data::SampledBatch(std::int64_t step)>;

  /// Adds the next phase, which begins with step `first` of the trial: with 0, if it is the first
  /// phase, and otherwise later than the one before it.
  void add_phase(std::int64_t first, Draw draw);

  /// Draws the batch of a step of the trial. Requires: at least one phase.
  void draw(std::int64_t step);

  /// Makes the batch that was drawn last the current step's. Does nothing if none was drawn since
  /// the last call.
  void advance();

  /// The phase of the current step.
  std::size_t phase() const { return phase_; }

  /// The current step's batch, valid until the next advance().
  const data::Batch& batch() const { return drawn_.batch; }

  /// What the current step uses. Its seconds are an estimate: as long as the last step whose time
  /// is known.
  const Usage& cost() const { return cost_; }

  /// Says how long the last step took whose time is known.
  void set_seconds(double seconds) { cost_.seconds = seconds; }

  /// The loss denominators of the current step, by head.
  const std::vector<double>& weights() const { return weights_; }

  /// Takes the examples of the current step's batch, once.
  std::vector<data::PlacedExample> take_examples() { return std::move(drawn_.examples); }

 private:
  struct Phase {
    std::int64_t first = 0;  // step of the trial
    Draw draw;
  };

  std::vector<Phase> phases_;
  std::size_t phase_ = 0;       // of the current step
  std::size_t next_phase_ = 0;  // of the step that was drawn last
  data::SampledBatch drawn_;
  std::optional<data::SampledBatch> next_;
  Usage cost_;
  std::vector<double> weights_;
};

}  // namespace ablate::train
