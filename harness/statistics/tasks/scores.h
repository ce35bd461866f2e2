// Scores on several tasks, and intervals of what is computed from them.

#pragma once

#include <functional>
#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

/// [task][run]: the scores of one arm. Scores of different tasks must have been brought to one
/// scale, such as 0 for a model without context and 1 for the exact predictor.
using Scores = std::vector<std::vector<double>>;

/// The percentile interval of a statistic where runs are drawn anew within each task: the tasks are
/// taken as given. kDrawnResamples are drawn, the same ones for the same `rng`.
/// Source: Agarwal et al. 2021, arXiv 2108.13264, section 4.1. Requires a run of each task.
Interval stratified_bootstrap(const Scores& scores,
                              const std::function<double(const Scores&)>& statistic, Rng rng,
                              double alpha = 0.05);

}  // namespace ablate::statistics
