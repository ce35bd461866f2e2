// One trial in a bank: its batches, budget, learning rate, curve and ledger.

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
#include "harness/train/lane/lane_batches.h"
#include "harness/train/lane/monitor.h"
#include "harness/train/lane/training_lane.h"
#include "harness/train/optimizer/schedule.h"

namespace ablate::train {

/// How a lane's training ended. Unfaithful: what the objective did to the text deviates from what
/// it states, so the trained model is not the trial that was planned.
enum class LaneEnd { training, completed, diverged, unfaithful, stopped };

/// Keeps one trial's accounts while its bank trains. A step is drawn, committed when it is queued,
/// and accounted for when its losses have been read.
class Lane {
 public:
  /// Requires: at least one phase; what `given` points to outlives the lane. Throws
  /// std::invalid_argument where a phase's schedule or budget is not valid.
  explicit Lane(TrainingLane given);

  /// Whether the lane is still training.
  bool active() const { return end_ == LaneEnd::training; }

  /// How training ended; LaneEnd::training while it goes on.
  LaneEnd end() const { return end_; }

  /// Why the lane diverged, or how its objective deviates from what it states; else empty.
  std::string message() const;

  /// The trial, its phases and its files.
  const TrainingLane& given() const { return given_; }

  /// The training settings of the first phase. Settings that may not differ between phases are read
  /// from here.
  const Params& train() const { return given_.phases.front().train; }

  /// Steps that are accounted for.
  std::int64_t steps_spent() const;

  /// The total number of steps of all phases; 0 where it is not known beforehand.
  std::int64_t steps() const { return steps_; }

  /// The fraction of the trial's budget that is accounted for, in [0, 1].
  double progress() const;

  /// The trial's seed.
  std::uint64_t seed() const { return static_cast<std::uint64_t>(given_.trial->seed); }

  /// Draws the batch of `step`: the current step or the next one. Does nothing where the lane has
  /// ended.
  void draw(std::int64_t step);

  /// Makes the batch that was drawn last the current step's. A lane that has ended keeps its batch.
  void advance() { batches_.advance(); }

  /// The current step's batch, valid until the next advance().
  const data::Batch& batch() const { return batches_.batch(); }

  /// Raw tokens that the current step reads.
  std::int64_t step_text_tokens() const { return batches_.cost().text_tokens; }

  /// The loss denominator of head number `head` in the current step.
  double weight(std::size_t head) const { return batches_.weights()[head]; }

  /// The number of heads of the network.
  std::size_t heads() const { return given_.phases.front().heads.size(); }

  /// The coefficient of head number `head` in the current step, before which it is looked up.
  double coefficient(std::size_t head) const;

  /// The learning rate of the current step, at the middle of the progress that it makes.
  double learning_rate() const;

  /// Counts the current step as made. What it costs is known; its losses may be read later.
  void commit();

  /// Whether the steps made so far have spent the current phase's budget. They must then be
  /// accounted for before another is made.
  bool spent_phase() const;

  /// Whether the current phase's budget is in seconds: a step's time must then be known before the
  /// next is made.
  bool timed() const { return accounts_[batches_.phase()].budget.timed(); }

  /// Whether the weights after the steps made so far are to be kept. These steps must then be
  /// accounted for before another is made.
  bool snapshot_due() const;

  /// What one of its heads counted of its samples in a step.
  struct CountedFact {
    std::string_view name;
    double sum = 0, count = 0;
  };

  /// Accounts for the oldest step that was made and is not accounted for. `totals`: the total loss
  /// of each head, in nats; `seconds`: the time that the step took. Writes a point of the curve
  /// where one is due. Returns the first head's mean loss in nats per target, by which the lane is
  /// judged; none where the step scored no target of it. Steps made after one that diverged are
  /// discarded.
  std::optional<double> account(const std::vector<double>& totals, double gradient_norm,
                                double seconds, const std::vector<CountedFact>& facts = {});

  /// The phase that ended with the last step accounted for, where another one follows it.
  std::optional<std::size_t> ended_phase() const { return ended_phase_; }

  /// Whether the weights after the steps accounted for are to be kept.
  bool at_snapshot() const { return given_.snapshots.contains(steps_spent()); }

  /// What the steps accounted for have used: {"step", "text_tokens", "targets", "flops", "seconds"}.
  Json used_so_far() const;

  /// Ends the lane as stopped; it resumes from its last checkpoint.
  void stop() { end_ = LaneEnd::stopped; }

  /// The lane's state for a checkpoint.
  Json state() const;

  /// Restores what state() returned. Throws Json::exception where it has another form.
  void restore(const Json& state);

  /// What the lane has used, in every unit, and its realised rates.
  Json ledger() const;

 private:
  /// A step that was made and is not yet accounted for.
  struct Made {
    std::size_t phase = 0;
    Usage cost;
    double phase_progress = 0;                  // of the phase's budget, before the step
    double progress = 0;                        // of the trial's budget, before the step
    double learning_rate = 0;                   // of the step
    std::vector<double> weights;                // loss denominators, by head
    std::size_t primary = 0;                    // the head that the curve shows
    std::vector<data::PlacedExample> examples;  // that the step read

    bool scored() const { return cost.unscored == 0; }  // whether that head had a target
  };

  /// The account of one phase.
  struct Account {
    Schedule schedule;
    Budget budget;
    Usage spent;  // by the steps that are accounted for
    Usage ahead;  // by all steps made, accounted for or not
    Realised realised;
  };

  /// The fraction of the trial's budget that `usage` (spent or ahead) makes, in [0, 1].
  double progress_of(const Usage Account::*usage) const;

  /// What the steps accounted for have used, in all phases.
  Usage spent() const;

  /// Discards the usage of steps that were made and will not be accounted for.
  void forget_ahead();

  /// Judges the lane by a step's loss: writes a due point of the curve, and ends the phase or the
  /// lane.
  void judge(const Made& made, const Loss& loss, double gradient_norm);

  /// Ends a phase whose budget is spent, and the lane after its last phase, or where what the
  /// objective did deviates from what it states.
  void end_phase(std::size_t phase);

  /// Ends the lane and discards the steps that are not accounted for.
  void end_early(LaneEnd end);

  /// Writes a step whose loss was a spike to the journal, with the documents that it read. `loss`: nats
  /// per target.
  void write_spike(const Made& made, double loss);

  /// Writes a point of the curve to the journal. `loss`: nats per target; none: nothing was scored.
  void write_point(const Made& made, const Monitor::Stretch& stretch, std::optional<double> loss);

  /// Draws the steps accounted for again, to count what was realised in them.
  void count_steps_again();

  /// Adds what the objective did in these examples.
  static void count_realised(const std::vector<data::PlacedExample>& examples, Realised& realised);

  TrainingLane given_;
  LaneBatches batches_;
  std::vector<Account> accounts_;  // by phase
  std::int64_t steps_ = 0;
  std::deque<Made> made_;
  Monitor monitor_;
  std::int64_t spikes_ = 0;    // since the trial was begun or resumed
  std::vector<Loss> further_;  // losses of the other heads since the last point of the curve
  std::optional<std::size_t> ended_phase_;
  std::string deviation_;  // how what was realised deviates from what is intended; else empty
  LaneEnd end_ = LaneEnd::training;
};

}  // namespace ablate::train
