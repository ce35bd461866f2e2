// One number for an arm's scores on several tasks. Source: Agarwal et al. 2021, "Deep Reinforcement
// Learning at the Edge of the Statistical Precipice", arXiv 2108.13264, section 4.

#pragma once

#include <span>
#include <vector>

#include "harness/statistics/tasks/scores.h"

namespace ablate::statistics {

/// The mean of the middle half of the runs of all tasks: a quarter of them, rounded down, is left
/// out at either end. Requires a score.
double interquartile_mean(const Scores& scores);

/// For each threshold the fraction of runs that score above it, as a mean over tasks.
/// Section 4.2 of the source. Requires a run of each task.
std::vector<double> performance_profile(const Scores& scores, std::span<const double> thresholds);

/// The probability that a run of `x` scores higher than one of `y` on the same task, a tie counted
/// a half, as a mean over tasks. Requires: the same tasks, with a run each.
double probability_of_improvement(const Scores& x, const Scores& y);

}  // namespace ablate::statistics
