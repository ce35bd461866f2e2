// One trial in a bank, as the trainer keeps account of it.

#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "harness/contract/realised.h"
#include "harness/data/batches/batches.h"
#include "harness/plan/trial/trial.h"
#include "harness/store/journal/journal.h"
#include "harness/train/lane/budget.h"
#include "harness/train/lane/monitor.h"
#include "harness/train/lane/training_lane.h"
#include "harness/train/optimizer/schedule.h"

namespace ablate::train {

/// How a lane's training came to its end. Unfaithful: its objective did something else than it
/// states, so that what was trained is not the trial that was planned.
enum class LaneEnd { training, completed, diverged, unfaithful, stopped };

class Lane {
 public:
  explicit Lane(TrainingLane given);

  bool active() const { return end_ == LaneEnd::training; }
  LaneEnd end() const { return end_; }

  /// Why it ended otherwise than by spending its budget.
  std::string message() const;

  const TrainingLane& given() const { return given_; }
  const Params& train() const {
    return given_.phases.front().train;
  }  // of the first phase: what all phases share
  std::int64_t steps_spent() const;
  std::int64_t steps() const { return steps_; }  // in all; 0 where nobody knows
  double share() const;                          // of all budgets, spent
  std::uint64_t seed() const { return static_cast<std::uint64_t>(given_.trial->seed); }

  /// Draws the batch of a step of the trial, which may be the one after the present; nothing once
  /// it has ended.
  void draw(std::int64_t step);

  /// Makes what was drawn the present step's. A lane that has ended keeps its last batch.
  void advance();

  const data::Batch& batch() const { return drawn_.batch; }
  std::int64_t step_text_tokens() const { return cost_.text_tokens; }
  double weight(std::size_t head) const { return weights_[head]; }  // of the present step's targets

  /// The learning rate of the present step: at the middle of what it will spend.
  double rate() const;

  /// Takes the present step as made. What it cost is known; what came of it may be read later.
  void commit();

  /// Whether the steps that were made have spent the budget of the present phase: none is to follow
  /// them before they are accounted for.
  bool spent_phase() const;

  /// Whether the budget is one of time, so that how long a step took must be known before the next.
  bool timed() const { return accounts_[at_].budget.timed(); }

  /// Accounts for the oldest step that was made and not yet accounted for: the total loss of each
  /// head, its gradient norm and how long it took. Writes a point of the curve where one is due.
  /// Returns the first head's mean loss, which is what a lane is judged by. Steps made after the
  /// one that diverged are forgotten.
  double account(const std::vector<double>& totals, double gradient_norm, double seconds);

  /// The phase that the last step that was accounted for has ended, where another one follows it.
  std::optional<std::size_t> ended_phase() const { return ended_phase_; }

  void stop() { end_ = LaneEnd::stopped; }

  /// What a checkpoint holds of it, and back; what was realised before is drawn again.
  Json state() const;
  void restore(const Json& state);

  /// Everything that was spent, by every way of counting, and the realised rates.
  Json ledger() const;

 private:
  /// A step that was made, until it is accounted for.
  struct Made {
    std::size_t phase = 0;
    Usage cost;
    double share = 0;                           // of the phase's budget, before it
    double whole = 0;                           // of all budgets, before it
    double rate = 0;                            // learning rate
    std::vector<double> weights;                // of its targets, by head
    std::vector<data::PlacedExample> examples;  // what it read
  };

  /// What is kept of a phase.
  struct Account {
    Schedule schedule;
    Budget budget;
    std::int64_t first = 0;  // step of the trial
    Usage spent;             // by the steps that are accounted for
    Usage ahead;             // and by those that were made; equal where there are none
    Realised realised;
  };

  std::size_t phase_of(std::int64_t step) const;
  double whole_share(const Usage Account::*spent) const;
  Usage spent() const;
  void forget_ahead();
  void judge(const Made& made, const Loss& loss, double gradient_norm);
  void end_phase(std::size_t phase);
  void end_early(LaneEnd end);
  void write_point(const Made& made, const Monitor::Stretch& stretch, double loss);
  static void count_realised(const std::vector<data::PlacedExample>& examples, Realised& realised);

  TrainingLane given_;
  std::vector<Account> accounts_;
  std::int64_t steps_ = 0;
  std::size_t at_ = 0;       // the present step's phase
  std::size_t next_at_ = 0;  // that of what is drawn next
  std::optional<std::size_t> ended_phase_;
  Usage cost_;                   // of the present step
  std::vector<double> weights_;  // of its targets, by head
  std::vector<Loss> further_;    // of the other heads, since the last point of the curve
  std::deque<Made> made_;
  Monitor monitor_;
  std::string deviation_;  // of what was realised from what is intended
  data::SampledBatch drawn_;
  std::optional<data::SampledBatch> next_;
  LaneEnd end_ = LaneEnd::training;
};

}  // namespace ablate::train
