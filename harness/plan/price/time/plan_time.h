// How long the trials of a plan take, and what of that is not training.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/plan/price/price.h"
#include "harness/plan/trial/plan.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// The estimated seconds of a trial that is trained alone.
struct TrialTime {
  double training = 0;
  double measuring = 0;  // everything else: start, data, model, probes

  double all() const { return training + measuring; }
};

/// The time of each of these trials on such a device, by what others took on this machine. Trials of
/// an arm take the same time.
std::vector<TrialTime> trial_times(const std::vector<Trial>& trials, const std::string& device);

/// Sets what the plan says of the time of its trials, if each of `workers` trains one at a time; 0: one
/// worker per core. `arm_of`: index of each trial's arm. `prices`: of the arms.
void estimate_time(const std::vector<std::size_t>& arm_of, const std::vector<Price>& prices,
                   std::size_t workers, Plan& plan);

}  // namespace ablate::plan
