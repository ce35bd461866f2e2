// Friedman's test of several arms by their ranks on several tasks.

#pragma once

#include <vector>

namespace ablate::statistics {

/// The statistic, corrected for ties, its p-value by the chi-squared distribution with one degree
/// of freedom less than there are arms, and the arms' mean ranks over the tasks (1: lowest value).
struct Friedman {
  double statistic = 0;
  double p = 1;
  std::vector<double> mean_ranks;
};

/// Tests that no arm tends to rank above another. `by_arm`: [arm][task]; the seeds of a task are
/// no tasks of their own, so give their mean. p is approximate, and too large on few tasks.
/// Source: Friedman 1937, Journal of the American Statistical Association 32(200).
/// Requires: two arms or more, a task, and as many values in each arm.
Friedman friedman(const std::vector<std::vector<double>>& by_arm);

}  // namespace ablate::statistics
