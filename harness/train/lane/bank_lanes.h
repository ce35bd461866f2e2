// All lanes of a bank: what their network is trained with, and the inputs of each step.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/parallel/thread_pool.h"
#include "harness/plan/rows/train_params.h"
#include "harness/train/lane/lane.h"
#include "harness/train/step/bank_step.h"

namespace ablate::train {

/// The lanes of a bank, in the network's order.
class BankLanes {
 public:
  /// Throws std::invalid_argument where the trials cannot be trained in one bank: their heads,
  /// dropout, loss or micro_batch differ. `threads`: at least 1; at most one a lane draws its batches.
  BankLanes(std::vector<TrainingLane> given, int threads);

  /// The lanes, in the network's order.
  std::vector<Lane>& all() { return lanes_; }
  const std::vector<Lane>& all() const { return lanes_; }

  /// Whether any lane is still training.
  bool any_active() const;

  /// Whether a lane has a budget in seconds.
  bool timed() const;

  /// The number of lanes, those that have ended included.
  std::size_t count() const { return lanes_.size(); }

  /// The number of heads of the network.
  std::size_t heads() const { return lanes_.front().heads(); }

  /// The number of rows of StepResult::facts.
  std::int64_t fact_rows() const { return 2 * std::ssize(fact_names_); }

  /// What its heads counted of a lane's samples in a step. `rows`: StepResult::facts, [fact_rows(),
  /// lane].
  std::vector<Lane::CountedFact> facts(const double* rows, std::size_t lane) const;

  /// The dropout probability: the same for all lanes.
  double dropout() const { return lanes_.front().train().number("dropout"); }

  /// What is minimised: the same for all lanes.
  TrainingLoss loss() const { return plan::loss_of(lanes_.front().train()); }

  /// The rows whose gradients are computed at once; 0: all. The same for all lanes.
  std::int64_t micro_batch() const { return plan::micro_batch_of(lanes_.front().train()); }

  /// The seed of each lane's trial.
  std::vector<std::uint64_t> seeds() const;

  /// The optimizer's settings of each lane.
  std::vector<AdamWSettings> adamw_settings() const;

  /// Draws the batch that each active lane reads in `step`, several lanes at the same time.
  void draw(std::int64_t step);

  /// Makes the batches that were drawn last those of the current step.
  void advance();

  /// The inputs of the current step, the `step`-th from 0. Its batches are valid until the next
  /// advance().
  StepOrder order(std::int64_t step) const;

 private:
  std::vector<Lane> lanes_;
  std::vector<std::string_view> fact_names_;
  std::vector<data::Batch> batches_;
  ThreadPool threads_;
};

}  // namespace ablate::train
