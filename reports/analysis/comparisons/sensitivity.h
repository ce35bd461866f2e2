// How much a primary comparison depends on the choice of test: the same difference by others.

#pragma once

#include <optional>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A primary difference by other tests and in other units. The declared test decides; none of these
/// p-values is adjusted, and where a value is absent, the seeds or their spread do not allow it.
struct Sensitivity {
  const Difference* difference = nullptr;   // its interval is the t-interval, its p the sign-flip p
  std::optional<statistics::Interval> bca;  // of the mean difference, 95 %, by the bootstrap
  std::optional<double> wilcoxon_p;
  std::optional<double> t_p;                 // of the paired t-test
  std::optional<double> d_z;                 // in standard deviations of the difference
  std::optional<double> probability_better;  // fraction of seeds; absent without a better direction
  std::optional<double> variance_ratio;      // variance that sharing seeds saved: unpaired / paired

  /// Whether one of the three tests and two intervals alone would conclude otherwise at `alpha` than
  /// the others. Intervals are of confidence .95, whatever alpha is.
  bool disagrees(double alpha) const;
};

/// The sensitivity of each primary difference that has a value, in the order of the differences.
/// The result points into the analysis.
std::vector<Sensitivity> sensitivity_of(const Analysis& analysis);

}  // namespace ablate::reports
