// The metrics in which two results folders differ.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/diff/paired_trials.h"

namespace ablate::reports {

/// A metric of an arm whose values are not all the same bit for bit.
struct MetricDifference {
  std::string arm, metric, unit;
  Estimate over_seeds;     // second - first, over the seeds in which both are finite
  std::int64_t equal = 0;  // seeds with the same bits
  std::int64_t pairs = 0;  // seeds that have a value in both
  double size = 0;         // of the mean, as a fraction of the range of all the metric's values in
                           // both folders; infinite where a value is finite in one folder alone
};

/// The values of metrics that two folders have in common.
struct ComparedMetrics {
  std::int64_t values = 0, equal = 0;         // pairs of values, and those with the same bits
  std::int64_t points = 0, equal_points = 0;  // the same, of metrics on the way
  std::vector<MetricDifference> differing;    // the largest first
};

/// Compares the metrics that both trials of each pair have, but for those that a clock measured.
/// `analysis`, of either folder, knows their units.
ComparedMetrics compare_metrics(const std::vector<TrialPair>& pairs, const Analysis& analysis);

}  // namespace ablate::reports
