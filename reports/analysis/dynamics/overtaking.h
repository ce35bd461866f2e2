// Where in training an arm overtakes the baseline.

#pragma once

#include <vector>

#include "reports/analysis/dynamics/courses.h"
#include "reports/analysis/sweeps/crossings.h"

namespace ablate::reports {

/// The baseline and each other arm, in every metric with a better direction that was measured on the
/// way in both and may be compared between them, along a quantity. `parameter` of a pair is the
/// quantity's name, `first` and `second` are the arms' labels.
///
/// Differences are paired by seed, over the seeds that have a value at every point of both arms. Along a
/// quantity of which trials used different amounts at their points, each trial's metric is taken as
/// linear between its own points (over the logarithm where that of the quantity is used, see
/// swept_pairs()), and compared in the range in which all were measured. Pairs
/// with fewer than two seeds are left out. The result points into the analysis.
std::vector<SweptPair> training_pairs(const Analysis& analysis, const std::vector<Course>& courses,
                                      Quantity quantity);

}  // namespace ablate::reports
