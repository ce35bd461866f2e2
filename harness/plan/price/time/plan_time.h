// How long the trials of a plan take, and what of that is not training.

#pragma once

#include <cstddef>
#include <vector>

#include "harness/plan/price/price.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// The estimated time of trials, by what others took on this machine.
struct PlanTime {
  double seconds = 0;  // of all trials, if every core trains one at a time
  Json measuring;      // see Plan::measuring
};

/// The time of these trials. `arm_of`: index of each trial's arm; trials of an arm take the same time.
/// `prices`: of the arms.
PlanTime plan_time(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of,
                   const std::vector<Price>& prices);

}  // namespace ablate::plan
