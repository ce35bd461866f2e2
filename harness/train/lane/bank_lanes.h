// The lanes of a bank together: what their network is trained with, and what a step is to do.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/train/lane/lane.h"
#include "harness/train/step/bank_step.h"

namespace ablate::train {

/// Lanes in the order of the network's. Throws std::invalid_argument where their trials cannot be
/// trained as one.
class BankLanes {
 public:
  explicit BankLanes(std::vector<TrainingLane> given);

  std::vector<Lane>& all() { return lanes_; }
  const std::vector<Lane>& all() const { return lanes_; }
  bool any_active() const;

  std::size_t count() const { return lanes_.size(); }
  const std::vector<HeadNeed>& heads() const { return lanes_.front().given().heads; }
  double dropout() const { return lanes_.front().train().number("dropout"); }
  std::vector<std::uint64_t> seeds() const;
  std::vector<AdamWSettings> adamw_settings() const;

  /// Draws every lane's batch of a step, in parallel; and makes what was drawn the present step's.
  void draw(std::int64_t step);
  void advance();

  /// The present step, the `step`-th from 0. Its batches are good until the next advance().
  StepOrder order(std::int64_t step) const;

 private:
  std::vector<Lane> lanes_;
  std::vector<data::Batch> batches_;
};

}  // namespace ablate::train
