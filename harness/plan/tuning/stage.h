// The two stages of an experiment that tunes: its arms at every candidate, then at what was chosen.

#pragma once

#include <string>
#include <vector>

#include "harness/plan/prepare/part.h"
#include "harness/plan/price/metrics.h"
#include "harness/plan/price/price.h"
#include "harness/plan/trial/plan.h"
#include "harness/plan/tuning/criterion.h"
#include "harness/plan/tuning/tuned.h"

namespace ablate::plan {

/// Whether the trials of a plan are those that try learning rates.
bool tries_rates(const Plan& plan);

/// An arm of a stage: one of the experiment's, at a learning rate.
struct StageArm {
  std::size_t of = 0;  // index of the experiment's arm
  std::string name;
  std::string label;
  double rate = 0;
  bool copy = false;  // it has not the name of the experiment's arm
};

/// Every arm at every rate: "mlm[rate=0.15,learning_rate=0.003]".
std::vector<StageArm> tuning_arms(const Experiment& experiment, const std::vector<double>& rates);

/// Every arm at its own rate, under its own name, and at the common rate: a copy, unless the two
/// rates are the same. Then one arm serves both.
std::vector<StageArm> result_arms(const Experiment& experiment, const Tuned& tuned);

/// The experiment that tunes: on the development part, with the tuning seeds, measured by the
/// criterion alone.
Experiment tuning_experiment(const Experiment& experiment, const Criterion& criterion);

/// What Plan::tuning is before anything is chosen, except for what the tuning trials cost. `plan`: of
/// every arm at one rate.
Json before_choice(const Experiment& experiment, const Criterion& criterion, const Plan& plan);

/// Refuses to run a part of an experiment that tunes: rates are extended for all arms together.
void refuse_part_of_tuned(const Experiment& experiment, const Overrides& overrides, Faults& faults);

/// An experiment with its prices; one entry for each arm.
struct Priced {
  Experiment experiment;
  Prepared prepared;
  std::vector<Price> prices;
  MetricsByArm metrics;
};

/// The part of it. Requires: the part is of its arms.
Priced restricted(const Priced& all, const Part& part);

/// The same with the arms of a stage.
Priced staged(const Priced& all, const std::vector<StageArm>& arms);

}  // namespace ablate::plan
