// What training each trial by several processes would save.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/plan/price/time/plan_time.h"

namespace ablate::plan {

/// A trial, for the estimate.
struct RankedTrial {
  TrialTime time;               // by one process
  std::int64_t steps = 0;       // over 0
  std::int64_t parameters = 0;  // whose gradients are exchanged
};

/// Where trials leave cores idle: what as many processes for each as there are cores would make of that.
struct RankGain {
  std::size_t ranks = 2;        // processes that train a trial together
  double step_seconds = 0;      // of the trial whose steps are the shortest, by one process
  double exchange_seconds = 0;  // what its ranks take to exchange the gradients of a step
  double seconds = 0;           // that all trials take by so many ranks

  /// Whether a step is so much longer than the exchange that it is worth it.
  bool pays() const { return step_seconds >= 5 * exchange_seconds; }
};

/// `workers`: processes that may run; `most`: ranks that the trials can have. Empty where no core is idle, or
/// trials can have one rank alone.
std::optional<RankGain> gain_by_ranks(const std::vector<RankedTrial>& trials, std::size_t workers,
                                      std::size_t most);

}  // namespace ablate::plan
